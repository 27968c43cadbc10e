//! Two connected ends in memory, with the limits and the behaviour of real pipes, for tests.

use tokio::io::DuplexStream;

use crate::{Limits, LineReader, Sender, channel, write_loop};

/// What each direction holds before a write waits: as much as a Linux pipe.
const PIPE_BYTES: usize = 64 * 1024;

/// One end: what it says and what it hears.
#[derive(Debug)]
pub struct End {
    /// Frames for the other end.
    pub sender: Sender,
    /// Lines from the other end.
    pub lines: LineReader<DuplexStream>,
}

/// Two ends, each talking to the other.
///
/// Dropping an end's `sender` (all clones) lets the other end's `lines` come to their end, as
/// closing a pipe would; dropping its `lines` breaks the other end's pipe.
///
/// # Panics
///
/// Outside a tokio runtime: each end's [`write_loop`] runs in a task of its own, which ends with
/// the connection.
pub fn memory(limits: Limits) -> (End, End) {
    let (to_right, from_left) = tokio::io::duplex(PIPE_BYTES);
    let (to_left, from_right) = tokio::io::duplex(PIPE_BYTES);
    (
        end(to_right, from_right, limits),
        end(to_left, from_left, limits),
    )
}

fn end(write: DuplexStream, read: DuplexStream, limits: Limits) -> End {
    let (sender, outgoing) = channel(limits);
    tokio::spawn(write_loop(write, outgoing));
    End {
        sender,
        lines: LineReader::new(read, &limits),
    }
}
