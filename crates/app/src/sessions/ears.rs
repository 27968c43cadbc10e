//! How extensions hear of sessions.
//!
//! Does not know why a session changed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use zeug_ext_host::{Facts, Host};
use zeug_stdx::json::RawJson;

use crate::SessionInfo;

/// What became of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// The run begins with it.
    Opened,
    /// Another session, or another branch, is the one that is open.
    Switched,
    /// A branch was begun.
    Forked,
    /// A summary took the place of messages.
    Compacted,
}

/// The extension host, for as long as the agent is there: whoever tells it something must not keep
/// it.
#[derive(Clone)]
pub(crate) struct Ears(Arc<Mutex<Inner>>);

struct Inner {
    host: Option<Host>,
    /// What extensions greeted from now on are told.
    facts: Facts,
}

impl Ears {
    pub(crate) fn of(host: Option<Host>, facts: Facts) -> Self {
        Self(Arc::new(Mutex::new(Inner { host, facts })))
    }

    /// Changes what extensions are told of zeug.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Facts)) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut inner.facts);
        if let Some(host) = &inner.host {
            host.set_facts(inner.facts.clone());
        }
    }

    /// Tells of another session, and gives each extension its own state there.
    pub(crate) fn tell(
        &self,
        _boundary: Boundary,
        session: &SessionInfo,
        _states: BTreeMap<String, RawJson>,
    ) {
        self.change(|facts| facts.session_id.clone_from(&session.id));
    }

    /// Tells nobody any more.
    pub(crate) fn close(&self) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.host = None;
    }
}
