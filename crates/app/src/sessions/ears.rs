//! How extensions hear of sessions.
//!
//! Does not know why a session changed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use zeug_ext_host::{Boundary, Facts, Host, PanelWord, Session};
use zeug_stdx::json::RawJson;

use crate::SessionInfo;

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
        boundary: Boundary,
        session: &SessionInfo,
        states: BTreeMap<String, RawJson>,
    ) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open(&mut inner.facts, session);
        if let Some(host) = &inner.host {
            host.session(boundary, inner.facts.clone(), states);
        }
    }

    /// Takes note of what extensions remember in the open session; nobody is told.
    pub(crate) fn remember(&self, states: BTreeMap<String, RawJson>) {
        let inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(host) = &inner.host {
            host.remember(states);
        }
    }

    /// Tells an extension something about its panels.
    pub(crate) fn panel(&self, extension: &str, word: PanelWord) {
        let inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(host) = &inner.host {
            host.panel(extension, word);
        }
    }

    /// Tells nobody any more.
    pub(crate) fn close(&self) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.host = None;
    }
}

/// The facts of a session.
pub(crate) fn open(facts: &mut Facts, session: &SessionInfo) {
    facts.session_id.clone_from(&session.id);
    let cwd = facts.cwd.clone();
    let shared = session.branch.as_ref().map_or(0, |b| b.fork_point as u64);
    facts.session = Some(Session {
        id: session.branch_key.clone(),
        parent_id: session.parent_key.clone(),
        path: session.path.as_ref().map(|p| p.display().to_string()),
        cwd: Some(cwd),
        fork_point: Some(shared).filter(|shared| *shared > 0),
    });
}
