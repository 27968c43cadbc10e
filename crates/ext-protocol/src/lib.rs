//! What host and extension may say to each other: one vocabulary, two dialects, no I/O.
//!
//! The frames of the zot protocol (version 1) and of the zut protocol (version 2), and zeug's
//! additions, as values; `protocol/SPEC.md` is the same in prose. Whether a frame is awaited,
//! allowed or late is the host's affair and not known here.

pub mod capability;
pub mod chrome;
pub mod command;
pub mod dialect;
pub mod event;
pub mod gateway;
pub mod greeting;
pub mod intercept;
pub mod limits;
pub mod manifest;
pub mod panel;
pub mod register;
pub mod schema;
pub mod tool;

mod escape;
mod from_extension;
mod lenient;
mod to_extension;

pub use from_extension::FromExtension;
pub use to_extension::{FrameTooLong, ToExtension};

use thiserror::Error;

/// Why a line is no frame of this protocol.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadFrame {
    /// Not JSON, or JSON that is no object.
    #[error("malformed json frame: {reason}")]
    Malformed {
        /// Where and why.
        reason: String,
    },
    /// An object without a `type`.
    #[error("frame has no \"type\"")]
    Untyped,
    /// A known frame with a missing or wrongly typed field.
    #[error("bad {kind} frame: {reason}")]
    WrongShape {
        /// Its `type`.
        kind: String,
        /// Its `id`, so that whoever waits for it can be told at once.
        id: Option<String>,
        /// Which field, and what was expected.
        reason: String,
    },
}
