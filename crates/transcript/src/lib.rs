//! A conversation as plain values: messages, blocks, tool calls, outcomes, usage.
//!
//! No behaviour beyond looking at the values; who stores, sends or paints them is not known here.

mod content;
mod message;
mod outcome;
pub mod pairing;
mod usage;

pub use content::{Content, Image};
pub use message::{
    AssistantMessage, Message, Part, Shown, StopReason, ToolCall, ToolMessage, UserMessage,
};
pub use outcome::{OBSERVED_BLOCKS, OBSERVED_BYTES, Observed, Outcome, Status};
pub use usage::{Usage, Usd};

/// A moment in time as it is stored and sent: RFC 3339 in UTC.
pub use jiff::Timestamp;
