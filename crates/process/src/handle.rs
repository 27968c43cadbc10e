//! Waiting for a child and ending it; does not start children or read their pipes.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::DropGuard;

use crate::group::Group;
use crate::report::ExitReport;

/// How long to wait for a process after SIGKILL. Only one that hangs in the kernel needs longer,
/// and nothing can be done about that one.
const AFTER_KILL: Duration = Duration::from_secs(2);

/// How much patience a child is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StopLadder {
    /// For the child to end by itself, having been told some other way.
    pub grace: Duration,
    /// Between SIGTERM and SIGKILL to its group.
    pub term_grace: Duration,
}

impl StopLadder {
    /// No patience: SIGKILL.
    pub const AT_ONCE: Self = Self {
        grace: Duration::ZERO,
        term_grace: Duration::ZERO,
    };
}

impl Default for StopLadder {
    /// 2 s, then 1 s: the numbers of `protocol/SPEC.md`.
    fn default() -> Self {
        Self {
            grace: Duration::from_secs(2),
            term_grace: Duration::from_secs(1),
        }
    }
}

/// One running child and its group. Clones share it.
///
/// When the last clone is dropped the group is killed and what had left the group is swept up in
/// the background.
#[derive(Clone)]
pub struct Handle {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) group: Arc<Group>,
    pub(crate) exit: watch::Receiver<Option<ExitReport>>,
    pub(crate) runtime: tokio::runtime::Handle,
    pub(crate) sweep_on_drop: AtomicBool,
    /// Ends the task that reads standard error.
    pub(crate) _listener: DropGuard,
}

impl Handle {
    pub(crate) fn new(inner: Inner) -> Self {
        Self {
            inner: Arc::new(inner),
        }
    }

    /// The child's process number, which is its group's too.
    pub fn pid(&self) -> u32 {
        self.inner.group.number().as_raw_pid().unsigned_abs()
    }

    /// Waits for the child's exit. It is reaped at once, whether anybody waits or not; any number
    /// may wait, also after the exit.
    ///
    /// The future does not hold the handle: it does not keep the child alive. When the runtime
    /// ends first it gives [`Exit::Unknown`](crate::Exit::Unknown).
    ///
    /// # Cancel safety
    ///
    /// Safe.
    pub fn exited(&self) -> impl Future<Output = ExitReport> + Send + 'static {
        let mut exit = self.inner.exit.clone();
        async move {
            match exit.wait_for(Option::is_some).await {
                Ok(report) => report.clone().unwrap_or_else(ExitReport::unknown),
                Err(_) => ExitReport::unknown(),
            }
        }
    }

    /// How the child ended, if it has.
    pub fn try_exit(&self) -> Option<ExitReport> {
        self.inner.exit.borrow().clone()
    }

    /// Kills the group now, also when the child itself has already exited; what had left the
    /// group is swept up in the background.
    pub fn kill_group(&self) {
        self.inner.kill();
    }

    /// Stops the child: waits `grace`, sends SIGTERM to the group, waits `term_grace`, and in any
    /// case sends SIGKILL to what is left of the group and sweeps up what had left it.
    ///
    /// Each wait ends as soon as the child has exited. Whoever wants the child to know that it
    /// should end (a message, the end of its input) says so before.
    ///
    /// # Limits
    ///
    /// Returns within `grace` + `term_grace` + 2 s and a sweep. A process that hangs in the
    /// kernel is then reported as [`Exit::Unknown`](crate::Exit::Unknown).
    ///
    /// # Cancel safety
    ///
    /// A dropped future leaves the ladder on the rung that it had reached; stopping again starts
    /// from the first.
    pub async fn stop(&self, ladder: StopLadder) -> ExitReport {
        let exited = self.exited();
        tokio::pin!(exited);
        let mut ended = tokio::time::timeout(ladder.grace, &mut exited).await.ok();
        if ended.is_none() && !ladder.term_grace.is_zero() {
            self.inner.group.terminate();
            ended = tokio::time::timeout(ladder.term_grace, &mut exited)
                .await
                .ok();
        }
        self.inner.group.kill();
        let report = match ended {
            Some(report) => report,
            None => tokio::time::timeout(AFTER_KILL, exited)
                .await
                .unwrap_or_else(|_| ExitReport::unknown()),
        };
        let group = Arc::clone(&self.inner.group);
        // An error says that the runtime is ending; dropping the handle does the rest.
        let _ = tokio::task::spawn_blocking(move || group.sweep()).await;
        report
    }

    /// Lets what has left the group live when the last handle is dropped.
    pub(crate) fn spare_those_who_left(&self) {
        self.inner.sweep_on_drop.store(false, Ordering::Relaxed);
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Handle")
            .field("pid", &self.pid())
            .field("exit", &self.try_exit())
            .finish()
    }
}

impl Inner {
    fn kill(&self) {
        self.group.kill();
        if self.group.is_swept() {
            return;
        }
        let group = Arc::clone(&self.group);
        // Not run when the runtime is ending: the watchdog is there for that.
        drop(self.runtime.spawn_blocking(move || group.sweep()));
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.sweep_on_drop.load(Ordering::Relaxed) {
            self.kill();
        } else {
            self.group.kill();
        }
    }
}
