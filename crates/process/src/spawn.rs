//! From a description to a running child; does not decide when it ends.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop, ProcessGroup};
use rustix::process::Pid;
use tokio::process::Command;
use tokio::sync::{oneshot, watch};
use tokio_util::sync::CancellationToken;

use crate::cookie::{self, Cookie, Family};
use crate::group::Group;
use crate::handle::{Handle, Inner};
use crate::report::{Exit, ExitReport};
use crate::stderr::{Listener, Said};
use crate::watchdog::{Leash, Watchdog};
use crate::{Output, RotatingLog, SpawnError, Spec, StdinMode, Stdout};

/// The writing end of a child's standard input; dropping it is the end of the input.
pub type Stdin = tokio::process::ChildStdin;

/// How often a program is tried again that is "busy": a file that was just written can still be
/// open in a process that another thread is about to start.
const BUSY_PAUSES: [Duration; 4] = [
    Duration::from_millis(1),
    Duration::from_millis(2),
    Duration::from_millis(4),
    Duration::from_millis(8),
];

/// How long a report waits for the last words, which are late only while the log's disk hangs.
const WORDS_WITHIN: Duration = Duration::from_secs(1);

/// A child that was started.
#[derive(Debug)]
pub struct Child {
    /// Its standard input, with [`StdinMode::Piped`].
    pub stdin: Option<Stdin>,
    /// What it writes.
    pub stdout: Stdout,
    /// To wait for it and to end it.
    pub handle: Handle,
}

/// Starts children. Clones share one watchdog.
#[derive(Debug, Clone)]
pub struct Spawner {
    family: Family,
    leash: Arc<Leash>,
}

impl Spawner {
    /// A spawner whose children are watched over as `watchdog` says.
    pub fn new(watchdog: Watchdog) -> Self {
        let family = Family::new();
        let leash = Arc::new(Leash::new(watchdog, family.clone()));
        Self { family, leash }
    }

    /// Starts a program in a process group of its own.
    ///
    /// The child's environment also carries `ZEUG_SPAWN`, a mark by which its offspring is found.
    ///
    /// # Errors
    ///
    /// [`SpawnError`], which is also noted in the log that the child would have had.
    ///
    /// # Limits
    ///
    /// Blocks for the start (about a millisecond), and for 15 ms more at most when the program's
    /// file is still being written.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime with I/O and time.
    pub fn spawn(&self, spec: Spec) -> Result<Child, SpawnError> {
        self.spawn_keeping(spec, 0).map(|(child, _)| child)
    }

    /// As [`spawn`](Self::spawn); the receiver gives the first `keep_bytes` of standard error
    /// once the child has exited.
    pub(crate) fn spawn_keeping(
        &self,
        spec: Spec,
        keep_bytes: usize,
    ) -> Result<(Child, oneshot::Receiver<Said>), SpawnError> {
        let program = if spec.program.components().count() > 1 {
            spec.cwd.join(&spec.program)
        } else {
            spec.program.clone()
        };
        let log = match &spec.output {
            Output::Separate { log } => log.clone(),
            Output::Merged => None,
        };
        self.start(&program, &spec, log.clone(), keep_bytes)
            .map_err(|cause| {
                let error = SpawnError::explain(&program, &spec.cwd, cause);
                if let Some(log) = &log {
                    log.note(&error.to_string());
                }
                error
            })
    }

    fn start(
        &self,
        program: &Path,
        spec: &Spec,
        log: Option<RotatingLog>,
        keep_bytes: usize,
    ) -> io::Result<(Child, oneshot::Receiver<Said>)> {
        let cookie = self.family.cookie();
        self.leash.ready();
        let mut command = command(program, spec, &cookie);
        let (out, out_writing) = io::pipe()?;
        let stdout = Stdout::new(out)?;
        let stderr = match spec.output {
            Output::Merged => {
                command.stderr(out_writing.try_clone()?);
                None
            }
            Output::Separate { .. } => {
                let (err, err_writing) = io::pipe()?;
                command.stderr(err_writing);
                Some(Stdout::new(err)?)
            }
        };
        command.stdout(out_writing);
        // Takes the command with it, and with that our copies of the writing ends.
        let mut process = start_process(command)?;
        let stdin = process.stdin().take();
        let group = Arc::new(self.group(&*process, cookie)?);

        let over = CancellationToken::new();
        let question = stderr.map(|pipe| {
            let (question, exited) = oneshot::channel();
            let listener = Listener {
                pipe,
                log,
                keep_bytes,
                exited,
                over: over.clone(),
            };
            tokio::spawn(listener.run());
            question
        });
        let (report, exit) = watch::channel(None);
        let (kept, kept_later) = oneshot::channel();
        tokio::spawn(reap(process, Arc::clone(&group), question, kept, report));
        let handle = Handle::new(Inner {
            group,
            exit,
            runtime: tokio::runtime::Handle::current(),
            sweep_on_drop: AtomicBool::new(true),
            _listener: over.drop_guard(),
        });
        let child = Child {
            stdin,
            stdout,
            handle,
        };
        Ok((child, kept_later))
    }

    fn group(&self, process: &dyn ChildWrapper, cookie: Cookie) -> io::Result<Group> {
        let number = process
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw)
            .ok_or_else(|| io::Error::other("the child has no process number"))?;
        Ok(Group::new(number, cookie, Arc::clone(&self.leash)))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this crate is where children are started"
)]
fn command(program: &Path, spec: &Spec, cookie: &Cookie) -> Command {
    let mut command = Command::new(program);
    command.args(&spec.args).current_dir(&spec.cwd);
    for name in &spec.env_remove {
        command.env_remove(name);
    }
    for (name, value) in &spec.env_set {
        command.env(name, value);
    }
    command.env(cookie::VARIABLE, cookie.as_str());
    command.stdin(match spec.stdin {
        StdinMode::Piped => Stdio::piped(),
        StdinMode::Null => Stdio::null(),
    });
    command
}

/// Neither wrapper needs code between fork and exec, so that the standard library can use
/// `posix_spawn`, which does not copy this process's page tables.
fn start_process(command: Command) -> io::Result<Box<dyn ChildWrapper>> {
    let mut command = CommandWrap::from(command);
    command.wrap(ProcessGroup::leader()).wrap(KillOnDrop);
    for pause in BUSY_PAUSES {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(pause);
            }
            started => return started,
        }
    }
    command.spawn()
}

/// Waits for one child and tells everybody how it ended.
async fn reap(
    mut process: Box<dyn ChildWrapper>,
    group: Arc<Group>,
    question: Option<oneshot::Sender<oneshot::Sender<Said>>>,
    kept: oneshot::Sender<Said>,
    report: watch::Sender<Option<ExitReport>>,
) {
    // The child alone: the group's own wait lasts, where orphans fall to this process, until the
    // last member has ended.
    let exit = match process.inner_mut().wait().await {
        Ok(status) => Exit::from(status),
        Err(error) => {
            tracing::warn!(group = %group.number(), %error, "a child could not be waited for");
            Exit::Unknown
        }
    };
    group.reaped();
    let mut said = Said::default();
    if let Some(question) = question {
        let (reply, answer) = oneshot::channel();
        if question.send(reply).is_ok() {
            let answer = tokio::time::timeout(WORDS_WITHIN, answer).await;
            said = answer.unwrap_or(Ok(said)).unwrap_or_default();
        }
    }
    let last_words = std::mem::take(&mut said.last_words);
    // Only `run` waits for it.
    let _ = kept.send(said);
    tracing::debug!(group = %group.number(), %exit, "a child has exited");
    report.send_replace(Some(ExitReport { exit, last_words }));
}
