//! The terminal face in a real pseudo terminal.

mod dialogs;
mod first;
mod outside;
mod screen;
mod surfaces;
mod trouble;
