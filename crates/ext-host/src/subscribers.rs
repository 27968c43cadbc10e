//! Who wants which event. Readers take a snapshot; changes copy it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::guest::Guest;
use crate::link::Link;

/// One subscriber of one event.
#[derive(Clone)]
pub(crate) struct Seat {
    pub(crate) guest: Arc<Guest>,
    pub(crate) link: Arc<Link>,
}

type Seats = Arc<Vec<Seat>>;

/// Event name to its subscribers, in load order.
#[derive(Default)]
pub(crate) struct Subscribers(Mutex<HashMap<&'static str, Seats>>);

impl Subscribers {
    fn lock(&self) -> MutexGuard<'_, HashMap<&'static str, Seats>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a subscription; a second one of the same link changes nothing. One of a predecessor
    /// goes in the same step, so that an event reaches one of the two.
    pub(crate) fn join(&self, event: &'static str, guest: &Arc<Guest>, link: &Arc<Link>) {
        let mut all = self.lock();
        let seats = Arc::make_mut(all.entry(event).or_default());
        if !seats.iter().any(|seat| Arc::ptr_eq(&seat.link, link)) {
            seats.retain(|seat| seat.guest.name() != guest.name());
            let at = seats.partition_point(|seat| seat.guest.order <= guest.order);
            let (guest, link) = (Arc::clone(guest), Arc::clone(link));
            seats.insert(at, Seat { guest, link });
        }
    }

    /// Removes every subscription of `link`.
    pub(crate) fn leave(&self, link: &Arc<Link>) {
        for seats in self.lock().values_mut() {
            if seats.iter().any(|seat| Arc::ptr_eq(&seat.link, link)) {
                Arc::make_mut(seats).retain(|seat| !Arc::ptr_eq(&seat.link, link));
            }
        }
    }

    /// Removes every subscription of `guest`, whatever its link.
    pub(crate) fn dismiss(&self, guest: &Arc<Guest>) {
        for seats in self.lock().values_mut() {
            if seats.iter().any(|seat| Arc::ptr_eq(&seat.guest, guest)) {
                Arc::make_mut(seats).retain(|seat| !Arc::ptr_eq(&seat.guest, guest));
            }
        }
    }

    /// The subscribers of `event` now.
    pub(crate) fn of(&self, event: &str) -> Seats {
        self.lock().get(event).cloned().unwrap_or_default()
    }
}
