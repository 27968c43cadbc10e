//! The terminal face in a real pseudo terminal.

mod first;
mod outside;
mod screen;
mod surfaces;
mod trouble;
