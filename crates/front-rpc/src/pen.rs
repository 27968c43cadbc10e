//! The one task that writes to the client.
//!
//! Does not know what it writes.
//!
//! # Limits
//! It holds one chunk; whoever has more waits with it. A client that does not read stops it, and
//! only it.

use std::io;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

pub(crate) struct Pen {
    chunks: mpsc::Sender<Vec<u8>>,
    task: AbortOnDropHandle<io::Result<()>>,
}

impl Pen {
    pub(crate) fn new<W: AsyncWrite + Unpin + Send + 'static>(to: W) -> Self {
        let (chunks, from) = mpsc::channel(1);
        let task = AbortOnDropHandle::new(tokio::spawn(write(to, from)));
        Self { chunks, task }
    }

    /// Waits until the next chunk can be handed over; false when nobody reads any more.
    ///
    /// # Cancel safety
    /// Safe.
    pub(crate) async fn is_free(&self) -> bool {
        self.chunks.reserve().await.is_ok()
    }

    /// Hands a chunk over, after [`Pen::is_free`] said that it can be.
    pub(crate) fn write(&self, chunk: Vec<u8>) {
        // There is one hand, so there is still room; when nobody reads it does not matter.
        drop(self.chunks.try_send(chunk));
    }

    /// Waits until nobody reads any more.
    ///
    /// # Cancel safety
    /// Safe.
    pub(crate) async fn broken(&self) {
        self.chunks.closed().await;
    }

    /// Waits until everything is written; whether it was. Without a deadline: a reader may take
    /// any time, and whoever cannot wait drops the future, which ends the task.
    pub(crate) async fn finish(self) -> bool {
        drop(self.chunks);
        matches!(self.task.await, Ok(Ok(())))
    }
}

async fn write<W: AsyncWrite + Unpin>(
    mut to: W,
    mut from: mpsc::Receiver<Vec<u8>>,
) -> io::Result<()> {
    while let Some(chunk) = from.recv().await {
        to.write_all(&chunk).await?;
        to.flush().await?;
    }
    Ok(())
}
