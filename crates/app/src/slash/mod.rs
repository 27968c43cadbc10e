//! What a user types, and what becomes of it: one reader and one dispatcher, for lines that are
//! typed, chosen from a pop-up or submitted by an extension.
//!
//! What needs no face is done here; the rest is handed back. Paints nothing.

mod lists;
mod run;
mod table;
mod typed;

pub use run::{Slashed, Unslashed};
pub use table::{BUILT_INS, BuiltIn, built_in};
pub use typed::Typed;
