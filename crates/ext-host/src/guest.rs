//! Who an extension is, apart from whether it runs.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use zeug_ext_protocol::FromExtension;
use zeug_hook::OnFailure;
use zeug_process::RotatingLog;
use zeug_stdx::claims::Order;
use zeug_stdx::text::prefix;

use crate::held::Held;
use crate::launch::Connector;
use crate::report::{Greeting, State};

/// Diagnostics kept of one extension; more are counted.
const DIAGNOSTICS: usize = 100;

/// Bytes of one diagnostic; last words alone may have 4 KiB.
const DIAGNOSTIC_BYTES: usize = 8 * 1024;

/// An extension that is to be started.
pub struct Invite {
    /// The manifest's name: the one that counts.
    pub name: String,
    /// Its directory.
    pub dir: PathBuf,
    /// Where it may keep files.
    pub data_dir: PathBuf,
    /// Whether it wants to be started again after a crash.
    pub restart_on_crash: bool,
    /// The user's word on what its silence counts as; wins over what its subscriptions say.
    pub on_failure: Option<OnFailure>,
    /// How to reach it.
    pub connector: Arc<dyn Connector>,
    /// Its log.
    pub log: Option<RotatingLog>,
}

impl std::fmt::Debug for Invite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Invite")
            .field("name", &self.name)
            .field("dir", &self.dir)
            .finish_non_exhaustive()
    }
}

/// An extension at its place in load order.
pub(crate) struct Guest {
    pub(crate) invite: Invite,
    pub(crate) order: Order,
    pub(crate) state: watch::Sender<State>,
    /// Fired once, when it has to go.
    pub(crate) leave: CancellationToken,
    /// It has a successor, which has its names now.
    retired: AtomicBool,
    about: Mutex<About>,
}

#[derive(Debug, Default)]
pub(crate) struct About {
    pub(crate) greeting: Option<Greeting>,
    pub(crate) diagnostics: Vec<String>,
    pub(crate) diagnostics_dropped: usize,
    pub(crate) held: Held,
    /// What a successor said before it takes its place; `None` when it takes effect at once.
    pub(crate) staged: Option<Vec<FromExtension>>,
}

impl Guest {
    pub(crate) fn new(invite: Invite, order: Order, all: &CancellationToken) -> Arc<Self> {
        Self::of(invite, order, all, About::default())
    }

    /// One that takes the place of another when it is ready.
    pub(crate) fn successor(invite: Invite, order: Order, all: &CancellationToken) -> Arc<Self> {
        let about = About {
            staged: Some(Vec::new()),
            ..About::default()
        };
        Self::of(invite, order, all, about)
    }

    fn of(invite: Invite, order: Order, all: &CancellationToken, about: About) -> Arc<Self> {
        Arc::new(Self {
            invite,
            order,
            state: watch::Sender::new(State::Starting),
            leave: all.child_token(),
            retired: AtomicBool::new(false),
            about: Mutex::new(about),
        })
    }

    /// Its names are its successor's from now on, and it has to go.
    pub(crate) fn retire(&self) {
        self.retired.store(true, Ordering::Release);
        self.leave.cancel();
    }

    /// It has not taken its place yet.
    pub(crate) fn is_staged(&self) -> bool {
        self.about().staged.is_some()
    }

    pub(crate) fn is_retired(&self) -> bool {
        self.retired.load(Ordering::Acquire)
    }

    pub(crate) fn name(&self) -> &str {
        &self.invite.name
    }

    pub(crate) fn about(&self) -> MutexGuard<'_, About> {
        self.about.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A remark for the extension's author: into its log and `ext doctor`.
    pub(crate) fn diagnose(&self, text: impl Into<String>) {
        let mut text = text.into();
        // It may quote what the extension said.
        if text.len() > DIAGNOSTIC_BYTES {
            text.truncate(prefix(&text, DIAGNOSTIC_BYTES).len());
            text.push('…');
        }
        tracing::debug!(extension = %self.name(), "{text}");
        let mut about = self.about();
        if about.diagnostics.len() >= DIAGNOSTICS {
            about.diagnostics_dropped += 1;
            return;
        }
        if let Some(log) = &self.invite.log {
            log.note(&text);
        }
        about.diagnostics.push(text);
    }

    /// The same, unless it was said before: for what comes again and again.
    pub(crate) fn diagnose_once(&self, text: String) {
        let said = self.about().diagnostics.contains(&text);
        if !said {
            self.diagnose(text);
        }
    }

    /// A line for its log that calls for nothing.
    pub(crate) fn note(&self, text: &str) {
        if let Some(log) = &self.invite.log {
            log.note(text);
        }
    }

    /// ` (log: PATH)`, or nothing when there is no log.
    pub(crate) fn see_log(&self) -> String {
        self.invite
            .log
            .as_ref()
            .map(|log| format!(" (log: {})", log.path().display()))
            .unwrap_or_default()
    }
}
