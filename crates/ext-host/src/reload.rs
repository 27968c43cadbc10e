//! Starting extensions anew while everything goes on.
//!
//! The new instance is started and greeted beside the old one, and takes its place when it is ready.
//! When that fails, the old one stays as it is.

use std::sync::{Arc, PoisonError};

use zeug_stdx::claims::Order;

use crate::guest::{Guest, Invite};
use crate::host::Host;
use crate::report::State;
use crate::run;

/// What came of a reload.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reloaded {
    /// How many were stopped, replaced ones included.
    pub stopped: usize,
    /// How many were started.
    pub loaded: usize,
    /// How many of these are ready.
    pub ready: usize,
    /// Why the others are not; they are as they were before.
    pub errors: Vec<String>,
}

impl std::fmt::Display for Reloaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            stopped,
            loaded,
            ready,
            errors,
        } = self;
        write!(
            f,
            "reloaded: {stopped} stopped, {loaded} loaded ({ready} ready)"
        )?;
        match errors.len() {
            0 => Ok(()),
            1 => write!(f, ", 1 error: {}", errors[0]),
            n => write!(f, ", {n} errors: {}", errors.join("; ")),
        }
    }
}

impl Host {
    /// Starts extensions anew: those that are invited, in load order. With `all`, those that are
    /// not invited any more are stopped.
    ///
    /// # Order
    /// A name has a holder all the time, and a guard is asked all the time. Calls that an old
    /// instance still works on end when it is replaced.
    ///
    /// # Cancel safety
    /// What was started goes on.
    pub async fn reload(&self, invites: Vec<Invite>, all: bool) -> Reloaded {
        let mut reloaded = Reloaded::default();
        let before = self.shared.guests();
        let place = |name: &str| before.iter().find(|old| old.name() == name);
        let mut successors = Vec::new();
        for (at, invite) in invites.into_iter().enumerate() {
            let order = match place(&invite.name) {
                Some(old) if !all => old.order,
                None if !all => after(&before),
                _ => Order(at as u32 + 1),
            };
            successors.push(Guest::successor(invite, order, &self.shared.leave));
        }
        let names: Vec<String> = successors.iter().map(|g| g.name().to_owned()).collect();
        for guest in &successors {
            self.bring_up(guest);
        }
        for guest in &successors {
            let had_one = place(guest.name()).is_some_and(|old| !old.state.borrow().is_over());
            let mut state = guest.state.subscribe();
            let settled = state.wait_for(State::is_settled).await;
            match settled.map(|state| state.clone()) {
                Ok(State::Ready(_)) => {
                    reloaded.loaded += 1;
                    reloaded.ready += 1;
                    reloaded.stopped += usize::from(had_one);
                }
                Ok(State::Failed(why) | State::Gone(why)) => {
                    if !had_one {
                        // Lists say why it is not there.
                        self.shared.replace(guest);
                    }
                    reloaded.errors.push(format!("{}: {why}", guest.name()));
                }
                _ => {}
            }
        }
        if all {
            for old in before
                .iter()
                .filter(|old| !names.iter().any(|n| n == old.name()))
            {
                self.shared.dismiss(old.name());
                reloaded.stopped += usize::from(!old.state.borrow().is_over());
                old.leave.cancel();
            }
        }
        reloaded
    }

    fn bring_up(&self, guest: &Arc<Guest>) {
        let mut nest = self.nest.lock().unwrap_or_else(PoisonError::into_inner);
        // Without a nest the host is being stopped.
        let Some(nest) = nest.as_mut() else {
            guest.state.send_replace(State::Stopped);
            return;
        };
        nest.reap();
        let (guest, shared) = (Arc::clone(guest), Arc::clone(&self.shared));
        nest.spawn("extension", run::live(guest, shared));
    }
}

/// The place in load order behind everybody who is there.
fn after(guests: &[Arc<Guest>]) -> Order {
    let last = guests.iter().map(|guest| guest.order.0).max();
    Order(last.unwrap_or(0) + 1)
}
