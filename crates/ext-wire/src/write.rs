//! The task that writes one queue into one pipe; does not know what it writes or to whom.

use bytes::{Buf, Bytes};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::Instant;

use crate::sender::{Outgoing, Shared};
use crate::{Disconnect, Ticket};

/// Writes frames until the connection is over, closes `io` and says why it is over.
///
/// Frame and line end go out in one vectored write where `io` can do that.
///
/// # Limits
///
/// Each frame must be taken within [`Limits::write_timeout`](crate::Limits::write_timeout),
/// counted from the first attempt to write it.
///
/// # Cancel safety
///
/// Not safe: dropping the future may leave half a frame in the pipe, and ends the connection with
/// [`Disconnect::WriterGone`].
pub async fn write_loop<W>(mut io: W, outgoing: Outgoing) -> Disconnect
where
    W: AsyncWrite + Unpin,
{
    let shared = &*outgoing.shared;
    let reason = write_all(&mut io, shared).await;
    // Closed before anybody is told, so that "over" means that the other side can know too.
    drop(io);
    let reason = shared.end(reason);
    tracing::debug!(%reason, "writing ended");
    reason
}

async fn write_all<W>(io: &mut W, shared: &Shared) -> Disconnect
where
    W: AsyncWrite + Unpin,
{
    loop {
        match next(shared).await {
            Step::Write(ticket, frame) => {
                if let Err(reason) = write(io, shared, &frame).await {
                    return reason;
                }
                shared.written();
                let since_queued = ticket.queued_at().elapsed();
                tracing::trace!(bytes = frame.len(), ?since_queued, "frame written");
            }
            Step::Close => {
                let closed = tokio::time::timeout(shared.limits.write_timeout, io.shutdown());
                if let Ok(Err(error)) = closed.await {
                    tracing::debug!(%error, "closing the pipe failed");
                }
                return Disconnect::Closed;
            }
            Step::Over(reason) => return reason,
        }
    }
}

enum Step {
    Write(Ticket, Bytes),
    Close,
    Over(Disconnect),
}

async fn next(shared: &Shared) -> Step {
    loop {
        {
            let mut state = shared.state();
            if let Some((ticket, frame)) = state.outbox.start_next() {
                return Step::Write(ticket, frame);
            }
            if state.closing && state.reason.is_none() {
                return Step::Close;
            }
        }
        tokio::select! {
            biased;
            reason = shared.ended() => return Step::Over(reason),
            () = shared.work.notified() => {}
        }
    }
}

async fn write<W>(io: &mut W, shared: &Shared, frame: &Bytes) -> Result<(), Disconnect>
where
    W: AsyncWrite + Unpin,
{
    let mut line = frame.clone().chain(&b"\n"[..]);
    let writing = async {
        io.write_all_buf(&mut line).await?;
        io.flush().await
    };
    tokio::pin!(writing);
    let timeout_at = Instant::now() + shared.limits.write_timeout;
    loop {
        let torn_by = shared.state().torn_by;
        let deadline = torn_by.map_or(timeout_at, |torn_by| torn_by.min(timeout_at));
        tokio::select! {
            biased;
            written = &mut writing => return written.map_err(write_error),
            reason = shared.ended() => return Err(reason),
            () = tokio::time::sleep_until(deadline) => {
                let frame_bytes = frame.len();
                return Err(match torn_by.filter(|&torn_by| torn_by < timeout_at) {
                    Some(_) => Disconnect::TornFrame {
                        grace: shared.limits.torn_grace,
                        frame_bytes,
                    },
                    None => Disconnect::WriteTimeout {
                        after: shared.limits.write_timeout,
                        frame_bytes,
                    },
                });
            }
            // A grace may have begun.
            () = shared.work.notified() => {}
        }
    }
}

fn write_error(error: std::io::Error) -> Disconnect {
    match error.kind() {
        std::io::ErrorKind::BrokenPipe | std::io::ErrorKind::WriteZero => Disconnect::BrokenPipe,
        _ => Disconnect::Io {
            doing: "writing",
            cause: error.to_string(),
        },
    }
}
