//! The tool is entered: with a way to stop it, an optional deadline, and progress for the eye.
//!
//! Does not know what the tool does. A tool that panics has failed; it takes nothing down with it.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinError;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use zeug_tool::{Call, Context, Entry, Progress, Source};
use zeug_transcript::{Content, Outcome, Status};

use super::{Open, given_up};
use crate::Event;
use crate::cancel::GRACE;

/// Lines of progress that wait to be shown; more are dropped.
const PROGRESS: usize = 64;
/// The largest state snapshot (protocol: 256 KiB).
const DETAILS_BYTES: usize = 256 * 1024;

/// Runs the tool; what came of it, within bounds.
pub(super) async fn run(
    open: &mut Open,
    entry: &Entry,
    call: Call,
    mut cx: Context,
    deadline: Option<Duration>,
) -> Outcome {
    let started = Event::ToolExecutionStarted {
        id: call.id.clone(),
        name: call.name.clone(),
    };
    open.shared.out.tell(started, &cx.cancel).await;
    if cx.cancel.is_cancelled() {
        return given_up();
    }
    open.executed = true;
    let (sink, mut progress) = mpsc::channel(PROGRESS);
    cx.progress = Progress::to(sink);
    let cancel = cx.cancel.clone();
    let name = call.name.clone();
    let tool = entry.tool.clone();
    // A task of its own, so that a panic ends there; aborted when this future is dropped.
    let mut running =
        AbortOnDropHandle::new(tokio::spawn(async move { tool.execute(&call, &cx).await }));
    let show = |text| {
        open.shared.out.hint(Event::ToolProgress {
            id: open.id.clone(),
            text,
        });
    };
    let ended = watch(&mut running, &mut progress, show, &cancel, deadline).await;
    let outcome = match ended {
        Ended::Answered(outcome) => outcome,
        Ended::Stopped(why) => stopped(&name, why),
        Ended::Broken(broken) => {
            tracing::error!(tool = %name, %broken, "a tool broke off");
            let text = format!("{name} broke off with an internal error; the log says where");
            Outcome::failed(text)
        }
    };
    bounded(open, outcome)
}

/// How a running tool ended.
enum Ended {
    Answered(Outcome),
    /// It did not stop by itself when it was told to.
    Stopped(Status),
    Broken(JoinError),
}

/// Waits for the tool, tells it to stop when it must, and shows its progress meanwhile. An unset
/// `deadline` is a decision of the tool's owner: the user can still give up.
async fn watch(
    running: &mut AbortOnDropHandle<Outcome>,
    progress: &mut mpsc::Receiver<String>,
    show: impl Fn(String),
    cancel: &CancellationToken,
    deadline: Option<Duration>,
) -> Ended {
    let mut too_late = std::pin::pin!(async {
        match deadline {
            Some(deadline) => sleep(deadline).await,
            None => std::future::pending().await,
        }
    });
    let ended = loop {
        tokio::select! {
            biased;
            () = cancel.cancelled() => break Err(Status::Cancelled),
            Some(text) = progress.recv() => show(text),
            ended = &mut *running => break Ok(ended),
            () = &mut too_late => break Err(Status::TimedOut),
        }
    };
    let ended = match ended {
        Ok(Ok(outcome)) => Ended::Answered(outcome),
        Ok(Err(broken)) => Ended::Broken(broken),
        Err(why) => {
            cancel.cancel();
            match timeout(GRACE, running).await {
                Ok(Ok(outcome)) => Ended::Answered(told_to_stop(outcome, why)),
                Ok(Err(broken)) => Ended::Broken(broken),
                Err(_) => Ended::Stopped(why),
            }
        }
    };
    while let Ok(text) = progress.try_recv() {
        show(text);
    }
    ended
}

/// A tool that was told to stop says `Cancelled`; whether time ran out is known only here.
fn told_to_stop(mut outcome: Outcome, why: Status) -> Outcome {
    if outcome.status == Status::Cancelled {
        outcome.status = why;
    }
    outcome
}

fn stopped(name: &str, why: Status) -> Outcome {
    let text = match why {
        Status::TimedOut => format!("{name} ran out of time and did not stop by itself"),
        _ => format!("{name} was cancelled while it ran"),
    };
    Outcome::text(why, text)
}

fn bounded(open: &Open, mut outcome: Outcome) -> Outcome {
    if outcome.content.is_empty() {
        // Providers refuse an empty result.
        outcome.content = vec![Content::text(format!(
            "({} returned no content)",
            open.tool
        ))];
    }
    let size = outcome.details.as_ref().map_or(0, |d| d.get().len());
    if size > DETAILS_BYTES {
        // The work is done; losing the result over its snapshot would only make it be done twice.
        outcome.details = None;
        let message = format!(
            "{}: its state snapshot of {size} bytes is over {DETAILS_BYTES} and was not kept; \
             the result stands",
            open.tool
        );
        tracing::warn!("{message}");
        let extension = match &open.source {
            Some(Source::Extension(name)) => Some(name.clone()),
            _ => None,
        };
        open.shared.out.owe(Event::Warning { extension, message });
    }
    outcome
}
