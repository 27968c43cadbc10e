//! Nothing outlives us: this side of the watchdog, which tells the helper what is running.
//!
//! A process that is killed by SIGKILL cannot clean up after itself. One helper per spawner holds
//! the reading end of a pipe whose writing end nobody else has; when that end closes without a
//! goodbye, this process is gone, and the helper ends what was left. Does not know how children
//! are started or stopped while we live.
//!
//! The pipe carries lines: `= FAMILY` (front of all cookies), `+ GROUP`, `- GROUP`, and `.` for
//! "gone in good order, nothing to do".

mod helper;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, PipeWriter, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::Pid;

use crate::cookie::{self, Family};

pub use helper::watchdog_main;

/// Who ends the children if this process is killed.
#[derive(Debug, Clone)]
pub enum Watchdog {
    /// Nobody: they stay.
    Off,
    /// A helper, started with the first child, that runs [`watchdog_main`].
    Program {
        /// The program, usually this one. On Linux `/proc/self/exe` also works after the file was
        /// replaced by an update.
        exe: PathBuf,
        /// What makes it run [`watchdog_main`].
        args: Vec<OsString>,
    },
}

/// The registry of running groups and the pipe to the helper.
///
/// # Limits
///
/// Between the start of a child and its registration there are microseconds. Killed in just that
/// moment, this process leaves a child that only the sweep for its cookie finds: on Linux.
#[derive(Debug)]
pub(crate) struct Leash {
    watchdog: Watchdog,
    family: Family,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    helper: Option<Helper>,
    groups: BTreeSet<i32>,
    /// The user was told that there is no helper.
    warned: bool,
}

#[derive(Debug)]
struct Helper {
    /// Never blocks: a helper that does not read is replaced, not waited for.
    pipe: PipeWriter,
    /// Dropped without being killed; tokio reaps it when it has ended.
    _process: tokio::process::Child,
}

impl Leash {
    pub(crate) fn new(watchdog: Watchdog, family: Family) -> Self {
        Self {
            watchdog,
            family,
            state: Mutex::default(),
        }
    }

    /// Sees to it that the helper runs before there is something to watch.
    pub(crate) fn ready(&self) {
        let mut state = self.state();
        if state.helper.is_none() {
            self.start(&mut state);
        }
    }

    /// A group has begun.
    pub(crate) fn register(&self, group: Pid) {
        let number = group.as_raw_pid();
        let mut state = self.state();
        state.groups.insert(number);
        self.tell(&mut state, &format!("+ {number}\n"));
    }

    /// A group is over.
    pub(crate) fn unregister(&self, group: Pid) {
        let number = group.as_raw_pid();
        let mut state = self.state();
        state.groups.remove(&number);
        self.tell(&mut state, &format!("- {number}\n"));
    }

    fn tell(&self, state: &mut State, line: &str) {
        let Some(helper) = &mut state.helper else {
            return;
        };
        if let Err(error) = helper.pipe.write_all(line.as_bytes()) {
            tracing::warn!(%error, "the watchdog does not listen and is replaced");
            state.helper = None;
            // Else, a handle dropped outside of the runtime, with the next child.
            if tokio::runtime::Handle::try_current().is_ok() {
                self.start(state);
            }
        }
    }

    /// Starts a helper and tells it everything; without one things go on unwatched.
    fn start(&self, state: &mut State) {
        let Watchdog::Program { exe, args } = &self.watchdog else {
            return;
        };
        let mut introduction = format!("= {}\n", self.family.as_str());
        for group in &state.groups {
            // Writing to a string does not fail.
            let _ = writeln!(introduction, "+ {group}");
        }
        let started = start_helper(exe.as_os_str(), args).and_then(|mut helper| {
            helper.pipe.write_all(introduction.as_bytes())?;
            Ok(helper)
        });
        match started {
            Ok(helper) => state.helper = Some(helper),
            Err(error) if !state.warned => {
                state.warned = true;
                let exe = exe.display();
                tracing::warn!(%exe, %error, "no watchdog: children stay if zeug is killed");
            }
            Err(_) => {}
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        let mut state = self.state();
        if state.groups.is_empty()
            && let Some(helper) = &mut state.helper
        {
            // One that is gone needs no goodbye.
            let _ = helper.pipe.write_all(b".\n");
        }
    }
}

/// In a group of its own, so that the terminal's signals do not reach it; without our cookie
/// variable, so that whoever swept us up leaves it time to do its work; and without our standard
/// streams, so that nobody waits for their end because of it.
#[expect(
    clippy::disallowed_methods,
    reason = "this crate is where children are started"
)]
fn start_helper(exe: &std::ffi::OsStr, args: &[OsString]) -> io::Result<Helper> {
    // Both ends are closed on exec: no child can hold the writing end open.
    let (reading, pipe) = io::pipe()?;
    rustix::io::ioctl_fionbio(&pipe, true)?;
    let process = tokio::process::Command::new(exe)
        .args(args)
        .env_remove(cookie::VARIABLE)
        .stdin(reading)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    Ok(Helper {
        pipe,
        _process: process,
    })
}
