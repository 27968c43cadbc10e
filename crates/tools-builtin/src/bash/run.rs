//! One running command: reads what it writes until it ends or is ended.
//!
//! Does not know what was run, or how the end is told to the model.

use std::path::Path;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::time::{Instant, timeout_at};
use zeug_process::{Child, Exit, Handle, Stdout, StopLadder};
use zeug_tool::{Context, Progress};

use super::kept::Kept;
use super::spill::Spill;
use super::ticker::Ticker;
use crate::page;

/// How long the pipe is read after the shell has ended, when a process that was left behind still
/// holds it.
const AFTER_EXIT: Duration = Duration::from_millis(250);
/// Between asking the processes to end and ending them: enough for git to remove its locks.
const LADDER: StopLadder = StopLadder {
    grace: Duration::ZERO,
    term_grace: Duration::from_millis(500),
};
/// How much is read at once, the size of a pipe on Linux.
const READ_BYTES: usize = 64 * 1024;

/// How a command came to its end.
#[derive(Debug, Clone, Copy)]
pub(super) enum How {
    Exited(Exit),
    TimedOut,
    Cancelled,
}

/// A command that has ended.
#[derive(Debug)]
pub(super) struct End {
    pub(super) how: How,
    pub(super) output: String,
    pub(super) truncated: bool,
    pub(super) full_output_path: Option<String>,
    /// What the model should know beside the output.
    pub(super) notes: Vec<String>,
    pub(super) wall_time: Duration,
}

/// A command that runs. Dropping it ends the processes.
pub(super) struct Run<'a> {
    stdout: Stdout,
    handle: Handle,
    started: Instant,
    deadline: Instant,
    output: Collected<'a>,
}

impl<'a> Run<'a> {
    pub(super) fn new(child: Child, timeout: Duration, temp_dir: &'a Path) -> Self {
        let started = Instant::now();
        Self {
            stdout: child.stdout,
            handle: child.handle,
            started,
            deadline: started + timeout,
            output: Collected {
                kept: Kept::default(),
                spill: Spill::new(temp_dir),
                ticker: Ticker::default(),
            },
        }
    }

    /// Reads until the shell exits, the time is up or the call is cancelled. In the latter two
    /// cases everything that was started has ended when this returns.
    ///
    /// # Cancel safety
    /// Dropping the future ends the processes.
    pub(super) async fn finish(mut self, cx: &Context) -> End {
        let how = self.read(cx).await;
        let left_behind = match how {
            How::Exited(_) => self.read_the_rest(&cx.progress).await,
            How::TimedOut | How::Cancelled => {
                self.handle.stop(LADDER).await;
                self.take_what_is_there(&cx.progress).await;
                false
            }
        };
        let wall_time = self.started.elapsed();
        let mut notes = Vec::new();
        if left_behind {
            notes.push("processes left in the background were ended".to_owned());
        }
        self.output.end(how, notes, wall_time).await
    }

    async fn read(&mut self, cx: &Context) -> How {
        let exited = self.handle.exited();
        tokio::pin!(exited);
        let mut chunk = Vec::with_capacity(READ_BYTES);
        let mut open = true;
        loop {
            chunk.clear();
            tokio::select! {
                // A command that writes without pause must not outrun what ends it.
                biased;
                () = cx.cancel.cancelled() => return How::Cancelled,
                () = tokio::time::sleep_until(self.deadline) => return How::TimedOut,
                report = &mut exited => return How::Exited(report.exit),
                read = self.stdout.read_buf(&mut chunk), if open => {
                    open = read.is_ok_and(|bytes| bytes > 0);
                    self.output.push(&chunk, &cx.progress).await;
                }
            }
        }
    }

    /// Reads on to the end of the pipe, but not for long; true when something still holds it.
    async fn read_the_rest(&mut self, progress: &Progress) -> bool {
        self.take_what_is_there(progress).await;
        let deadline = Instant::now() + AFTER_EXIT;
        let mut chunk = Vec::with_capacity(READ_BYTES);
        loop {
            chunk.clear();
            match timeout_at(deadline, self.stdout.read_buf(&mut chunk)).await {
                Ok(Ok(bytes)) if bytes > 0 => self.output.push(&chunk, progress).await,
                Ok(_) => return false,
                Err(_) => return true,
            }
            // Reading something is always possible when something writes without pause.
            if Instant::now() >= deadline {
                return true;
            }
        }
    }

    async fn take_what_is_there(&mut self, progress: &Progress) {
        let mut chunk = Vec::new();
        // A pipe holds at most 1 MiB; whoever writes on meanwhile is not waited for.
        self.stdout.read_available(&mut chunk, 1024 * 1024);
        self.output.push(&chunk, progress).await;
    }
}

/// Everything that happens to the output.
struct Collected<'a> {
    kept: Kept,
    spill: Spill<'a>,
    ticker: Ticker,
}

impl Collected<'_> {
    async fn push(&mut self, bytes: &[u8], progress: &Progress) {
        let text = self.kept.push(bytes);
        self.ticker.push(&text, progress);
        self.spill.push(bytes, self.kept.is_cut()).await;
    }

    async fn end(self, how: How, mut notes: Vec<String>, wall_time: Duration) -> End {
        let truncated = self.kept.is_cut();
        let spilled = self.spill.end().await;
        let place = match &spilled.path {
            Some(path) => format!("; all of it is in {path}"),
            None => String::new(),
        };
        notes.splice(0..0, spilled.note);
        let output = self
            .kept
            .end(|lines, bytes| format!("[{lines} lines, {} left out{place}]", page::size(bytes)));
        End {
            how,
            output,
            truncated,
            full_output_path: spilled.path,
            notes,
            wall_time,
        }
    }
}
