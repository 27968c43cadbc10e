//! Lines over pipes: bounded frames, bounded queues, deadlines; never looks inside a frame.
//!
//! Two halves that do not know each other:
//!
//! - [`LineReader`] turns a byte stream into lines;
//! - [`Sender`] queues lines and [`write_loop`] writes them, oldest first.
//!
//! Whoever owns a pair of pipes reads in one task, runs [`write_loop`] in another and hands
//! clones of the [`Sender`] to everybody who has something to say. The first fatal event is kept
//! as a [`Disconnect`]; it is final, and every waiter is told the same one.
//!
//! This crate does not know what a frame means, who is at the other end, how that program was
//! started or what becomes of it.

use std::time::Duration;

mod disconnect;
mod line;
mod memory;
mod outbox;
mod sender;
mod write;

pub use disconnect::Disconnect;
pub use line::{Line, LineReader, ReadError};
pub use memory::{End, memory};
pub use outbox::{Outbox, Overflow, Ticket, Withdrawal};
pub use sender::{NotDrained, Outgoing, PushError, Queued, Sender, channel};
pub use write::write_loop;

/// How much may be in a line, in the queue and on the clock before a connection is given up.
///
/// [`Limits::default`] gives the numbers of `protocol/SPEC.md`; tests choose smaller ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Longest frame in either direction, in bytes, the line end not counted.
    pub frame_bytes: usize,
    /// Most frames waiting to be written; the one being written is not counted.
    pub queue_frames: usize,
    /// Most bytes waiting to be written; the frame being written is not counted.
    pub queue_bytes: usize,
    /// How long the write of one frame may take.
    pub write_timeout: Duration,
    /// How long a half-written frame may still take once nobody wants it any more.
    pub torn_grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            frame_bytes: 4 * 1024 * 1024,
            queue_frames: 256,
            queue_bytes: 16 * 1024 * 1024,
            write_timeout: Duration::from_secs(5),
            torn_grace: Duration::from_millis(250),
        }
    }
}
