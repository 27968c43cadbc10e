//! The way out for events: bounded, and never in the way of giving up.
//!
//! Does not know what an event means, only whether it may be lost.
//!
//! # Limits
//! The queue holds `event_queue` events; beyond it the machine waits for the face. Once the work
//! is given up nothing waits any more: what was for the eye is dropped, and what is owed (a result,
//! an end) goes to a backlog that is handed over as the face makes room. The backlog is bounded by
//! what was announced before: a few events for each open call and prompt.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

use crate::Event;

pub(crate) struct Out {
    queue: mpsc::Sender<Event>,
    owed: Mutex<VecDeque<Event>>,
    more: Notify,
}

impl Out {
    pub(crate) fn new(queue: mpsc::Sender<Event>) -> Self {
        Self {
            queue,
            owed: Mutex::default(),
            more: Notify::new(),
        }
    }

    fn owed(&self) -> MutexGuard<'_, VecDeque<Event>> {
        // Pushes and pops only; nothing in there panics half-way.
        self.owed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows something for the eye; dropped when `cancel` fires before there is room.
    pub(crate) async fn show(&self, event: Event, cancel: &CancellationToken) {
        tokio::select! {
            biased;
            () = cancel.cancelled() => {}
            permit = self.room() => if let Some(permit) = permit {
                permit.send(event);
            },
        }
    }

    /// Tells a fact. Waits for room, and once `cancel` fired no longer waits but still tells.
    pub(crate) async fn tell(&self, event: Event, cancel: &CancellationToken) {
        tokio::select! {
            biased;
            () = cancel.cancelled() => self.owe(event),
            permit = self.room() => if let Some(permit) = permit {
                permit.send(event);
            },
        }
    }

    /// Tells a fact without waiting.
    pub(crate) fn owe(&self, event: Event) {
        let mut owed = self.owed();
        if owed.is_empty() {
            match self.queue.try_send(event) {
                Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => return,
                Err(mpsc::error::TrySendError::Full(event)) => owed.push_back(event),
            }
        } else {
            owed.push_back(event);
        }
        drop(owed);
        self.more.notify_one();
    }

    /// Shows something when there is room right now.
    pub(crate) fn hint(&self, event: Event) {
        if self.owed().is_empty() {
            drop(self.queue.try_send(event));
        }
    }

    /// Hands over what is owed as the face makes room; returns when it had something to do.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    pub(crate) async fn deliver(&self) {
        loop {
            let more = self.more.notified();
            if !self.owed().is_empty() {
                drop(self.room().await);
                return;
            }
            more.await;
        }
    }

    /// Hands over everything that is owed, or gives up when the face is gone.
    pub(crate) async fn finish(&self) {
        if !self.owed().is_empty() {
            drop(self.room().await);
        }
    }

    /// Room for one event after everything owed; `None` when nobody reads any more.
    async fn room(&self) -> Option<mpsc::Permit<'_, Event>> {
        loop {
            let Ok(permit) = self.queue.reserve().await else {
                self.owed().clear();
                return None;
            };
            match self.owed().pop_front() {
                Some(owed) => permit.send(owed),
                None => return Some(permit),
            }
        }
    }
}
