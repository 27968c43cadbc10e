//! What all tasks of the host share. Every lock here is held for a few lines, never over a wait.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use zeug_hook::Board;
use zeug_tool::{Gate, Table};

use crate::commands::Commands;
use crate::guest::Guest;
use crate::link::Link;
use crate::sessions::Stage;
use crate::subscribers::Subscribers;
use crate::{Facts, HostLimits, News};

pub(crate) struct Shared {
    /// Everybody who was invited, in load order.
    pub(crate) guests: Mutex<Vec<Arc<Guest>>>,
    pub(crate) limits: HostLimits,
    pub(crate) table: Table,
    pub(crate) board: Arc<Board>,
    pub(crate) subscribers: Subscribers,
    pub(crate) commands: Commands,
    pub(crate) news: mpsc::Sender<News>,
    /// Fired once, when everybody has to go.
    pub(crate) leave: CancellationToken,
    /// When the time to go by itself is over, for all together.
    pub(crate) leave_by: OnceLock<Instant>,
    pub(crate) subscriptions: AtomicU64,
    pub(crate) facts: Mutex<Facts>,
    /// The gate of the main agent, once there is one.
    pub(crate) gate: OnceLock<Arc<dyn Gate>>,
    /// The connections of those who were greeted, by name.
    pub(crate) links: Mutex<HashMap<String, Arc<Link>>>,
    /// What extensions are told of the session, and the order of all events.
    pub(crate) stage: Mutex<Stage>,
}

impl Shared {
    pub(crate) fn facts(&self) -> Facts {
        self.facts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Held while events are queued, so that all hear them in one order.
    pub(crate) fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everybody who is there now, in load order.
    pub(crate) fn guests(&self) -> Vec<Arc<Guest>> {
        let guests = self.guests.lock();
        guests.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts a successor into the place of the one of its name, which is given back; at its place in
    /// load order when there is none.
    pub(crate) fn replace(&self, guest: &Arc<Guest>) -> Option<Arc<Guest>> {
        let mut guests = self.guests.lock().unwrap_or_else(PoisonError::into_inner);
        let at = guests.iter().position(|old| old.name() == guest.name());
        let old = at.map(|at| guests.remove(at));
        let at = guests.partition_point(|other| other.order <= guest.order);
        guests.insert(at, Arc::clone(guest));
        old
    }

    /// Takes one out that is not there any more.
    pub(crate) fn dismiss(&self, name: &str) -> Option<Arc<Guest>> {
        let mut guests = self.guests.lock().unwrap_or_else(PoisonError::into_inner);
        let at = guests.iter().position(|old| old.name() == name)?;
        Some(guests.remove(at))
    }

    pub(crate) fn gate(&self) -> Option<Arc<dyn Gate>> {
        self.gate.get().cloned()
    }

    fn links(&self) -> MutexGuard<'_, HashMap<String, Arc<Link>>> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connections to all extensions that take part.
    pub(crate) fn all_links(&self) -> Vec<Arc<Link>> {
        self.links().values().cloned().collect()
    }

    /// The connection to an extension that takes part.
    pub(crate) fn link(&self, name: &str) -> Option<Arc<Link>> {
        self.links().get(name).cloned()
    }

    /// An extension was greeted.
    pub(crate) fn greeted(&self, name: &str, link: &Arc<Link>) {
        self.links().insert(name.to_owned(), Arc::clone(link));
    }

    /// A connection is of no use any more.
    pub(crate) fn unlink(&self, name: &str, link: &Arc<Link>) {
        let mut links = self.links();
        if links
            .get(name)
            .is_some_and(|known| Arc::ptr_eq(known, link))
        {
            links.remove(name);
        }
    }

    pub(crate) fn next_subscription(&self) -> u64 {
        self.subscriptions.fetch_add(1, Ordering::Relaxed)
    }

    /// Announces if there is room; else the news comes back.
    pub(crate) fn announce_now(&self, news: News) -> Option<News> {
        match self.news.try_send(news) {
            Err(TrySendError::Full(news)) => Some(news),
            Ok(()) | Err(TrySendError::Closed(_)) => None,
        }
    }

    /// Announces; a flooding extension waits here for its own news to be taken, and hinders
    /// nobody else.
    pub(crate) async fn announce(&self, news: News) {
        tokio::select! {
            _ = self.news.send(news) => {}
            () = self.leave.cancelled() => {}
        }
    }
}
