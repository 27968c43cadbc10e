//! Why a connection is over; does not know whose connection it was.
//!
//! The messages speak of "the other side" and leave it to the caller to say which program that
//! is and what the user can do about it.

use std::time::Duration;

use crate::{Overflow, ReadError};

/// The one, final reason why nothing more will be written.
///
/// Kept by the [`Sender`](crate::Sender): the first reason wins, later ones are forgotten.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Disconnect {
    /// More was queued than the limits allow: the other side reads too slowly or not at all.
    #[error("the other side does not keep up with reading: {0}")]
    Overflow(Overflow),
    /// One frame took longer to write than `write_timeout`.
    #[error(
        "the other side stopped reading: a frame of {frame_bytes} bytes was not taken within {}",
        spoken(*after)
    )]
    WriteTimeout {
        /// The limit that passed.
        after: Duration,
        /// Size of the frame, without its line end.
        frame_bytes: usize,
    },
    /// A frame that nobody wanted any more was half written and did not get finished.
    #[error(
        "a cancelled frame of {frame_bytes} bytes was half written and not finished within {}",
        spoken(*grace)
    )]
    TornFrame {
        /// The limit that passed.
        grace: Duration,
        /// Size of the frame, without its line end.
        frame_bytes: usize,
    },
    /// Writing failed because the other side closed the end that it reads from.
    #[error("the other side closed its input")]
    BrokenPipe,
    /// Reading ended: the other side closed the end that it writes to.
    #[error("the other side closed its output")]
    PeerClosed,
    /// Reading ended in the middle of a line.
    #[error("the other side closed its output {bytes} bytes into an unfinished line")]
    PeerTorn {
        /// How much of the line had arrived.
        bytes: usize,
    },
    /// The other side sent a line above the frame limit.
    #[error(
        "the other side sent a line longer than {limit_bytes} bytes, which is the most a frame may have"
    )]
    LineTooLong {
        /// The limit that was passed.
        limit_bytes: usize,
    },
    /// The operating system failed a read or a write for another reason.
    #[error("{doing} failed: {cause}")]
    Io {
        /// `"reading"` or `"writing"`.
        doing: &'static str,
        /// What the operating system said.
        cause: String,
    },
    /// Closed from this side after everything queued was written.
    #[error("closed from this side")]
    Closed,
    /// Given up from this side, for a reason that only the caller knows.
    #[error("{0}")]
    Aborted(String),
    /// The task that writes was dropped before it had finished.
    #[error("the task that writes to the other side is gone")]
    WriterGone,
}

impl Disconnect {
    /// Whether this is the end of an ordinary goodbye rather than a failure.
    pub fn is_orderly(&self) -> bool {
        matches!(self, Self::Closed)
    }
}

impl From<ReadError> for Disconnect {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::TooLong { limit_bytes } => Self::LineTooLong { limit_bytes },
            ReadError::Torn { bytes } => Self::PeerTorn { bytes },
            ReadError::Io { cause, .. } => Self::Io {
                doing: "reading",
                cause,
            },
        }
    }
}

/// `5 s`, `250 ms`.
fn spoken(duration: Duration) -> String {
    if duration.subsec_nanos() == 0 {
        format!("{} s", duration.as_secs())
    } else {
        format!("{} ms", duration.as_millis())
    }
}
