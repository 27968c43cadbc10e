//! What zeug and an outside program may say to each other: JSON-mode events.
//!
//! Words only: who runs the agent, and over which pipe the lines go, is not known here. Names and
//! fields are those that the clients of zot and zut read; what zeug adds is marked as an addition.

mod block;
mod convert;
mod event;
mod raw;
mod words;

pub use block::Block;
pub use event::{Event, Tokens};
pub use words::{Decision, DecisionSource, DecisionStage, NoteLevel, RetryScope};
