//! The shared end of a queue: who pushes, withdraws, waits and learns why it is over.
//!
//! Does not write: that is [`write_loop`](crate::write_loop), which holds the [`Outgoing`] half.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{Disconnect, Limits, Outbox, Ticket, Withdrawal};

/// A queue before a pipe: the end to push into and the end to write from.
///
/// When the last [`Sender`] is dropped the queue closes as by [`Sender::close`].
pub fn channel(limits: Limits) -> (Sender, Outgoing) {
    let shared = Arc::new(Shared {
        limits,
        state: Mutex::new(State {
            outbox: Outbox::new(&limits),
            closing: false,
            torn_by: None,
            reason: None,
            lost: false,
        }),
        over: CancellationToken::new(),
        work: Notify::new(),
        progress: Notify::new(),
    });
    let sender = Sender {
        front: Arc::new(Front(Arc::clone(&shared))),
    };
    (sender, Outgoing { shared })
}

/// Why a frame was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PushError {
    /// Above [`Limits::frame_bytes`]. The connection is unharmed.
    #[error("the frame has {bytes} bytes and the most is {limit_bytes}")]
    TooLong {
        /// Size of the refused frame.
        bytes: usize,
        /// [`Limits::frame_bytes`].
        limit_bytes: usize,
    },
    /// It holds a line feed, which would make two lines of it. The connection is unharmed.
    #[error("the frame holds a line feed at byte {at}; a frame is one line")]
    NotOneLine {
        /// Where, counted in bytes.
        at: usize,
    },
    /// The connection is over, or [`Sender::close`] was called.
    #[error(transparent)]
    Disconnected(Disconnect),
}

/// Why a queue was not empty in time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotDrained {
    /// The deadline came first.
    #[error("{frames} frames were still not written")]
    Late {
        /// Frames queued or in flight.
        frames: usize,
    },
    /// The connection ended first; the frames left were dropped.
    #[error(transparent)]
    Disconnected(Disconnect),
}

/// How much is waiting in a queue at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Queued {
    /// Frames waiting, the one in flight not counted.
    pub frames: usize,
    /// Bytes waiting, the frame in flight not counted.
    pub bytes: usize,
    /// When the oldest frame that is not written yet was pushed.
    pub oldest: Option<Instant>,
}

/// Pushes frames into one queue. Clones share it; none of the plain methods ever blocks.
///
/// # Order
///
/// Frames are written in the order in which `push` was called.
#[derive(Clone)]
pub struct Sender {
    front: Arc<Front>,
}

impl Sender {
    /// Queues one frame, given without line end.
    ///
    /// # Errors
    ///
    /// [`PushError`]. A frame that does not fit into the queue ends the connection with
    /// [`Disconnect::Overflow`]; the other refusals leave it as it was.
    pub fn push(&self, frame: Bytes) -> Result<Ticket, PushError> {
        let shared = self.shared();
        if frame.len() > shared.limits.frame_bytes {
            return Err(PushError::TooLong {
                bytes: frame.len(),
                limit_bytes: shared.limits.frame_bytes,
            });
        }
        if let Some(at) = memchr::memchr(b'\n', &frame) {
            return Err(PushError::NotOneLine { at });
        }
        let pushed = {
            let mut state = shared.state();
            if let Some(reason) = &state.reason {
                return Err(PushError::Disconnected(reason.clone()));
            }
            if state.closing {
                return Err(PushError::Disconnected(Disconnect::Closed));
            }
            state.outbox.push(frame, Instant::now())
        };
        match pushed {
            Ok(ticket) => {
                shared.work.notify_one();
                Ok(ticket)
            }
            Err(overflow) => Err(PushError::Disconnected(
                shared.end(Disconnect::Overflow(overflow)),
            )),
        }
    }

    /// Takes a frame back if it is still queued.
    pub fn withdraw(&self, ticket: Ticket) -> Withdrawal {
        let withdrawal = self.shared().state().outbox.withdraw(ticket);
        if withdrawal == Withdrawal::Withdrawn {
            self.shared().progress.notify_waiters();
        }
        withdrawal
    }

    /// Gives a frame in flight [`Limits::torn_grace`] from now; a frame not written by then ends
    /// the connection with [`Disconnect::TornFrame`].
    ///
    /// Returns whether the frame is in flight, that is, whether anything was started.
    pub fn torn_grace(&self, ticket: Ticket) -> bool {
        let shared = self.shared();
        let mut state = shared.state();
        if state.outbox.in_flight() != Some(ticket) {
            return false;
        }
        let by = Instant::now() + shared.limits.torn_grace;
        state.torn_by.get_or_insert(by);
        drop(state);
        shared.work.notify_one();
        true
    }

    /// Waits until a frame is neither queued nor in flight: it was written or withdrawn.
    ///
    /// # Errors
    ///
    /// The reason, when the connection ended first.
    ///
    /// # Cancel safety
    ///
    /// Safe; dropping the future takes nothing back.
    pub async fn settled(&self, ticket: Ticket) -> Result<(), Disconnect> {
        self.shared()
            .until(|state| !state.outbox.holds(ticket))
            .await
    }

    /// Waits until nothing is queued and nothing is in flight.
    ///
    /// # Errors
    ///
    /// [`NotDrained`]; it is no error that the connection ended by [`Sender::close`].
    ///
    /// # Cancel safety
    ///
    /// Safe.
    pub async fn drained(&self, deadline: Instant) -> Result<(), NotDrained> {
        let idle = self.shared().until(|state| state.outbox.is_idle());
        match tokio::time::timeout_at(deadline, idle).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(reason)) => Err(NotDrained::Disconnected(reason)),
            Err(_) => {
                let state = self.shared().state();
                let in_flight = usize::from(state.outbox.in_flight().is_some());
                Err(NotDrained::Late {
                    frames: state.outbox.frames() + in_flight,
                })
            }
        }
    }

    /// Waits until the queue is at most half full, or the connection is over.
    ///
    /// # Cancel safety
    ///
    /// Safe.
    pub async fn roomy(&self) {
        let roomy = self.shared().until(|state| state.outbox.is_roomy());
        // A connection that is over takes nothing any more, so nobody needs to wait for it.
        drop(roomy.await);
    }

    /// Whether the queue is at most half full.
    pub fn is_roomy(&self) -> bool {
        self.shared().state().outbox.is_roomy()
    }

    /// How much is waiting now.
    pub fn queued(&self) -> Queued {
        let state = self.shared().state();
        Queued {
            frames: state.outbox.frames(),
            bytes: state.outbox.bytes(),
            oldest: state.outbox.oldest().map(|ticket| ticket.queued_at()),
        }
    }

    /// The limits that this queue obeys.
    pub fn limits(&self) -> Limits {
        self.shared().limits
    }

    /// Takes no more frames; those queued are written, then the pipe is closed and the
    /// connection ends with [`Disconnect::Closed`].
    pub fn close(&self) {
        self.shared().close();
    }

    /// Ends the connection now, dropping what is queued and cutting a write short.
    ///
    /// Returns the reason that holds: the given one, or the one that was there before.
    pub fn abort(&self, reason: Disconnect) -> Disconnect {
        self.shared().end(reason)
    }

    /// Why the connection is over, if it is.
    pub fn close_reason(&self) -> Option<Disconnect> {
        self.shared().state().reason.clone()
    }

    /// Waits for the end of the connection and says why.
    ///
    /// # Cancel safety
    ///
    /// Safe.
    pub async fn disconnected(&self) -> Disconnect {
        self.shared().ended().await
    }

    fn shared(&self) -> &Shared {
        &self.front.0
    }
}

impl fmt::Debug for Sender {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Sender")
            .field("queued", &self.queued())
            .field("reason", &self.close_reason())
            .finish()
    }
}

/// All the senders of one queue; the last one closes it.
struct Front(Arc<Shared>);

impl Drop for Front {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The writer's half of a [`channel`]; given to [`write_loop`](crate::write_loop).
///
/// Dropping it ends the connection with [`Disconnect::WriterGone`].
pub struct Outgoing {
    pub(crate) shared: Arc<Shared>,
}

impl fmt::Debug for Outgoing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Outgoing").finish_non_exhaustive()
    }
}

impl Drop for Outgoing {
    fn drop(&mut self) {
        self.shared.end(Disconnect::WriterGone);
    }
}

/// What senders and writer share.
pub(crate) struct Shared {
    pub(crate) limits: Limits,
    state: Mutex<State>,
    /// Cancelled once a reason is stored.
    over: CancellationToken,
    /// For the writer: something changed that it must look at.
    pub(crate) work: Notify,
    /// For everybody else: a frame left the queue or the pipe.
    progress: Notify,
}

pub(crate) struct State {
    pub(crate) outbox: Outbox,
    pub(crate) closing: bool,
    /// When the frame in flight must be written because nobody wants it any more.
    pub(crate) torn_by: Option<Instant>,
    pub(crate) reason: Option<Disconnect>,
    /// Whether frames were dropped when the connection ended.
    lost: bool,
}

impl Shared {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the reason unless there is one, and returns the one that holds.
    pub(crate) fn end(&self, reason: Disconnect) -> Disconnect {
        let mut state = self.state();
        if let Some(first) = &state.reason {
            return first.clone();
        }
        state.reason = Some(reason.clone());
        state.lost = !state.outbox.is_idle();
        state.outbox.clear();
        drop(state);
        self.over.cancel();
        reason
    }

    /// The frame in flight is on its way.
    pub(crate) fn written(&self) {
        let mut state = self.state();
        state.outbox.written();
        state.torn_by = None;
        drop(state);
        self.progress.notify_waiters();
    }

    pub(crate) async fn ended(&self) -> Disconnect {
        self.over.cancelled().await;
        let reason = self.state().reason.clone();
        reason.unwrap_or(Disconnect::WriterGone)
    }

    fn close(&self) {
        self.state().closing = true;
        self.work.notify_one();
    }

    async fn until(&self, done: impl Fn(&State) -> bool) -> Result<(), Disconnect> {
        loop {
            // Made before looking, so that a change in between is not missed.
            let progress = self.progress.notified();
            {
                let state = self.state();
                if let Some(reason) = &state.reason {
                    return match reason {
                        Disconnect::Closed if !state.lost => Ok(()),
                        _ => Err(reason.clone()),
                    };
                }
                if done(&state) {
                    return Ok(());
                }
            }
            tokio::select! {
                () = progress => {}
                () = self.over.cancelled() => {}
            }
        }
    }
}
