//! A conversation as styled lines at a width: fast, and safe for a terminal.
//!
//! Everything here is a pure function or a plain state: text comes in, lines of ratatui come out.
//! Nothing reads a key, writes to a terminal or knows who sends the text, which is why it is
//! never trusted: what is painted holds no escape and no control character.
//!
//! | to paint | use |
//! |---|---|
//! | a conversation that scrolls | [`List`] of [`Entry`] |
//! | Markdown, whole or streaming | [`Markdown`] |
//! | changes of a file | [`diff`] |
//! | a tool's call and output | [`tool`] |
//! | text of an extension | [`safe`], then [`wrap`] |
//! | anything, in the user's colours | [`Canvas`], [`Theme`] |

mod canvas;
pub mod cells;
mod code;
pub mod diff;
mod entry;
mod list;
mod markdown;
mod picture;
pub mod safe;
mod sgr;
pub mod theme;
pub mod tool;
pub mod wrap;

pub use canvas::{Canvas, Stamp};
pub use code::Highlighter;
pub use diff::Diff;
pub use entry::{Entry, Kind, Note, Styled, Thinking, User};
pub use list::{Extent, Hit, Item, List, Needle, Op, Place, Row, Selection, View};
pub use markdown::Markdown;
pub use picture::Picture;
pub use theme::{Depth, Mode, Role, Theme};
