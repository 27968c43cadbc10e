//! The reading end of a child's output; does not know which streams the child wrote into it.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::unix::pipe;

/// What a child writes: its standard output, or with [`Output::Merged`](crate::Output::Merged)
/// also its standard error.
///
/// It ends when the last process that holds the other end has closed it, which can be long after
/// the child's exit: a process that the child left behind holds it too.
#[derive(Debug)]
pub struct Stdout {
    pipe: pipe::Receiver,
}

impl Stdout {
    /// Makes a blocking pipe into one that this runtime waits for; panics outside a runtime.
    pub(crate) fn new(pipe: io::PipeReader) -> io::Result<Self> {
        let pipe = pipe::Receiver::from_owned_fd(OwnedFd::from(pipe))?;
        Ok(Self { pipe })
    }

    /// Reads what is in the pipe at this moment, without waiting: at most `limit` bytes, appended
    /// to `into`.
    ///
    /// Right after a child's exit this is everything that it had written.
    pub fn read_available(&mut self, into: &mut Vec<u8>, limit: usize) {
        let mut piece = [0; 8 * 1024];
        let mut left = limit;
        while left > 0 {
            let room = left.min(piece.len());
            // Past tokio's idea of readiness, which may be older than the bytes.
            match rustix::io::read(self.pipe.as_fd(), &mut piece[..room]) {
                Ok(0) => return,
                Ok(count) => {
                    into.extend_from_slice(&piece[..count]);
                    left -= count;
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return,
            }
        }
    }
}

impl AsyncRead for Stdout {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.pipe).poll_read(context, into)
    }
}
