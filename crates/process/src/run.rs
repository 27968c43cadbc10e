//! One program from start to end, its output in memory; for short helpers such as git.

use std::path::PathBuf;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio_util::sync::CancellationToken;

use crate::{ExitReport, Handle, SpawnError, Spawner, Spec, Stdout, StopLadder};

/// What a run may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLimits {
    /// From the start to the exit.
    pub timeout: Duration,
    /// Bytes kept of each stream; the program may write more, which is read and dropped.
    pub max_output_bytes: usize,
}

/// A program that has ended by itself, whatever it returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// How it ended; see [`Exit::is_success`](crate::Exit::is_success).
    pub report: ExitReport,
    /// What it wrote to standard output (and with [`Output::Merged`](crate::Output::Merged) to
    /// standard error), as far as it was kept.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, as far as it was kept.
    pub stderr: Vec<u8>,
    /// Whether one of them is not complete.
    pub truncated: bool,
}

/// Why a program did not end by itself.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It was not started.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// It took too long and was killed with its group.
    #[error(
        "{} was killed because it took longer than {} ms{}",
        program.display(), timeout.as_millis(), hint(last_words)
    )]
    TimedOut {
        /// What was run.
        program: PathBuf,
        /// The limit.
        timeout: Duration,
        /// The last lines of its standard error, as in [`ExitReport::last_words`].
        last_words: Vec<String>,
    },
    /// It was cancelled and killed with its group.
    #[error("{} was cancelled", program.display())]
    Cancelled {
        /// What was run.
        program: PathBuf,
    },
}

fn hint(last_words: &[String]) -> String {
    match last_words.last() {
        Some(line) => format!("; last words: {line}"),
        None => String::new(),
    }
}

/// Runs a program to its end. Its standard input is empty, whatever `spec` says.
///
/// Processes that it leaves in its group are killed once it has exited; one that has left the
/// group (such as git's maintenance in the background) is let go.
///
/// # Errors
///
/// [`RunError`]. A program that fails is no error here: look at the report.
///
/// # Limits
///
/// [`RunLimits`].
///
/// # Cancel safety
///
/// When the future is dropped the program is killed with its group. `cancel` does the same and
/// waits for it.
pub async fn run(
    spawner: &Spawner,
    spec: Spec,
    limits: RunLimits,
    cancel: &CancellationToken,
) -> Result<Finished, RunError> {
    let program = spec.program.clone();
    if cancel.is_cancelled() {
        return Err(RunError::Cancelled { program });
    }
    let (child, said) = spawner.spawn_keeping(spec, limits.max_output_bytes)?;
    drop(child.stdin);
    let capture = capture(child.stdout, &child.handle, limits.max_output_bytes);
    let (stdout, cut, report) = tokio::select! {
        biased;
        captured = capture => captured,
        () = cancel.cancelled() => {
            child.handle.stop(StopLadder::AT_ONCE).await;
            return Err(RunError::Cancelled { program });
        }
        () = tokio::time::sleep(limits.timeout) => {
            let report = child.handle.stop(StopLadder::AT_ONCE).await;
            return Err(RunError::TimedOut {
                program,
                timeout: limits.timeout,
                last_words: report.last_words,
            });
        }
    };
    child.handle.spare_those_who_left();
    let said = said.await.unwrap_or_default();
    Ok(Finished {
        report,
        stdout,
        stderr: said.kept,
        truncated: cut || said.cut,
    })
}

/// Reads until the exit, whoever else may hold the pipe open; gives what was kept and whether
/// there was more.
async fn capture(
    mut pipe: Stdout,
    handle: &Handle,
    keep_bytes: usize,
) -> (Vec<u8>, bool, ExitReport) {
    let mut kept = Vec::new();
    let mut cut = false;
    let mut piece = vec![0; 16 * 1024];
    let mut open = true;
    let mut keep = |piece: &[u8]| {
        let room = keep_bytes - kept.len().min(keep_bytes);
        kept.extend_from_slice(&piece[..piece.len().min(room)]);
        cut |= piece.len() > room;
    };
    let exited = handle.exited();
    tokio::pin!(exited);
    let report = loop {
        tokio::select! {
            read = pipe.read(&mut piece), if open => match read {
                Ok(count) if count > 0 => keep(&piece[..count]),
                _ => open = false,
            },
            report = &mut exited => break report,
        }
    };
    let mut rest = Vec::new();
    pipe.read_available(&mut rest, 1024 * 1024);
    keep(&rest);
    (kept, cut, report)
}
