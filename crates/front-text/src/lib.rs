//! The text faces: print, stream and JSON.
//!
//! A face here is a function of notices: it owns no loop, no clock and no standard stream, and it
//! cannot answer questions. The loop, and what a finished run means for the process, are the
//! caller's.

mod answer;
mod face;
mod run;
mod wording;

pub use face::{Face, Mode, Progress};
pub use run::Ended;
