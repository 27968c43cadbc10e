//! Events to their subscribers, and what these are told of the session.
//!
//! An event is encoded once and queued for each, and nobody waits; only what carries the state of
//! its receiver is encoded for that one. Knows no session but the open one.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use zeug_ext_protocol::ToExtension;
use zeug_ext_protocol::event::{Event, Payload};
use zeug_stdx::json::RawJson;

use crate::guest::Guest;
use crate::link::Link;
use crate::shared::Shared;

/// What became of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    /// It is there.
    Opened,
    /// Another session or branch is the one that is open: `session_switched`.
    Switched,
    /// The user began a branch, which is the one that is open: `session_forked`, then
    /// `session_switched`.
    Forked,
    /// A summary took the place of messages: `session_compacted`.
    Compacted,
}

impl Boundary {
    /// The names on the wire, in order.
    fn events(self) -> &'static [&'static str] {
        match self {
            Self::Opened => &[],
            Self::Switched => &["session_switched"],
            Self::Forked => &["session_forked", "session_switched"],
            Self::Compacted => &["session_compacted"],
        }
    }
}

/// Everything that must change in one step with the order of events.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    /// The last number given out. Counted also when nobody listens: the number is the host's, not
    /// a subscriber's.
    sequence: u64,
    /// `session_start` was announced.
    started: bool,
    /// Who remembers what.
    states: BTreeMap<String, RawJson>,
    /// Who takes part and was not told of the session yet.
    waiting: BTreeSet<String>,
    /// Who was.
    told: BTreeSet<String>,
}

impl Stage {
    /// Tells all subscribers of an event that has no state in it.
    pub(crate) fn tell_all(
        &mut self,
        shared: &Shared,
        event: &'static str,
        payload: impl FnOnce() -> Payload,
    ) {
        self.sequence += 1;
        let seats = shared.subscribers.of(event);
        if seats.is_empty() {
            return;
        }
        let Some(line) = encode(self.event(shared, event, None, payload())) else {
            return;
        };
        for seat in seats.iter() {
            // A full queue disconnects that extension; its own task buries it and tells the user.
            drop(seat.link.tell_encoded(line.clone()));
        }
    }

    /// Announces the conversation, and the session that it is kept in.
    pub(crate) fn start(&mut self, shared: &Shared) {
        self.started = true;
        let everybody = |_: &str| true;
        self.tell_each(shared, "session_start", everybody);
        if !self.waiting.is_empty() {
            let waiting = std::mem::take(&mut self.waiting);
            self.tell_each(shared, "session_opened", |name| waiting.contains(name));
            self.told.extend(waiting);
        }
    }

    /// An extension takes part from now on.
    pub(crate) fn welcome(&mut self, shared: &Shared, guest: &Guest, link: &Link) {
        let name = guest.name().to_owned();
        if !self.started {
            self.waiting.insert(name);
            return;
        }
        let subscribed = shared.subscribers.of("session_opened");
        if subscribed.iter().any(|s| std::ptr::eq(&*s.link, link)) {
            self.tell_each(shared, "session_opened", |other| other == name);
        }
        self.told.insert(name);
    }

    /// An extension is gone.
    pub(crate) fn leave(&mut self, name: &str) {
        self.waiting.remove(name);
        self.told.remove(name);
    }

    /// Another session, branch or state of it is the one that is open.
    pub(crate) fn turn(
        &mut self,
        shared: &Shared,
        boundary: Boundary,
        states: BTreeMap<String, RawJson>,
    ) {
        self.states = states;
        let told = std::mem::take(&mut self.told);
        for event in boundary.events() {
            self.tell_each(shared, event, |name| told.contains(name));
        }
        self.told = told;
    }

    /// What extensions remember changed by their own doing.
    pub(crate) fn remember(&mut self, states: BTreeMap<String, RawJson>) {
        self.states = states;
    }

    /// Tells some of the subscribers of an event, each with its own state.
    fn tell_each(&mut self, shared: &Shared, event: &'static str, wanted: impl Fn(&str) -> bool) {
        self.sequence += 1;
        let mut common: Option<Bytes> = None;
        for seat in shared.subscribers.of(event).iter() {
            let name = seat.guest.name();
            if !wanted(name) {
                continue;
            }
            let state = self.states.get(name).cloned();
            let line = match (&state, &common) {
                (None, Some(line)) => Some(line.clone()),
                _ => encode(self.event(shared, event, state.clone(), Payload::default())),
            };
            let Some(line) = line else { continue };
            if state.is_none() {
                common.get_or_insert_with(|| line.clone());
            }
            // As in `tell_all`.
            drop(seat.link.tell_encoded(line));
        }
    }

    fn event(
        &self,
        shared: &Shared,
        event: &str,
        state: Option<RawJson>,
        payload: Payload,
    ) -> Event {
        let facts = shared.facts();
        Event {
            event: event.to_owned(),
            session_id: Some(facts.session_id),
            cwd: Some(facts.cwd),
            sequence: Some(self.sequence),
            session: facts.session,
            state,
            payload,
        }
    }
}

fn encode(event: Event) -> Option<Bytes> {
    let name = event.event.clone();
    match ToExtension::Event(event).encode() {
        Ok(line) => Some(line.into()),
        Err(e) => {
            tracing::warn!(event = name, "event not sent: {e}");
            None
        }
    }
}
