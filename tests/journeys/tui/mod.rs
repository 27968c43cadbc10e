//! The terminal face in a real pseudo terminal.

mod first;
mod screen;
mod surfaces;
mod trouble;
