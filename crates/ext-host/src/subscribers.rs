//! Who wants which event. Readers take a snapshot; changes copy it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use zeug_stdx::claims::Order;

use crate::link::Link;

type Seats = Arc<Vec<(Order, Arc<Link>)>>;

/// Event name to its subscribers, in load order.
#[derive(Debug, Default)]
pub(crate) struct Subscribers(Mutex<HashMap<&'static str, Seats>>);

impl Subscribers {
    fn lock(&self) -> MutexGuard<'_, HashMap<&'static str, Seats>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a subscription; a second one of the same link changes nothing.
    pub(crate) fn join(&self, event: &'static str, order: Order, link: &Arc<Link>) {
        let mut all = self.lock();
        let seats = Arc::make_mut(all.entry(event).or_default());
        if !seats.iter().any(|(_, l)| Arc::ptr_eq(l, link)) {
            let at = seats.partition_point(|(o, _)| *o <= order);
            seats.insert(at, (order, Arc::clone(link)));
        }
    }

    /// Removes every subscription of `link`.
    pub(crate) fn leave(&self, link: &Arc<Link>) {
        for seats in self.lock().values_mut() {
            if seats.iter().any(|(_, l)| Arc::ptr_eq(l, link)) {
                Arc::make_mut(seats).retain(|(_, l)| !Arc::ptr_eq(l, link));
            }
        }
    }

    /// The subscribers of `event` now.
    pub(crate) fn of(&self, event: &str) -> Seats {
        self.lock().get(event).cloned().unwrap_or_default()
    }
}
