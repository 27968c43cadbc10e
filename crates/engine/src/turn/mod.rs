//! One prompt from its message to its end.
//!
//! A prompt is a run of steps: [`prepare`] a request, [`listen`] to the answer, publish the
//! [`answer`], go [`onward`] with its calls. Does not know about other prompts.

mod answer;
mod assembly;
mod listen;
mod onward;
mod prepare;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use tokio_util::sync::CancellationToken;
use zeug_transcript::{Message, Status, StopReason};

use crate::cancel::Cancelled;
use crate::prompt::Prepared;
use crate::queue::Accepted;
use crate::shared::Shared;
use crate::{DoneOutcome, Event, Trigger, compact, prompt};

/// Why a run ended before the model was finished.
#[derive(Debug)]
enum Halt {
    /// An extension refused the step, with this reason.
    Blocked(String),
    /// It cannot go on; the sentence says why and what to do.
    Failed(String),
    /// It was given up.
    Aborted,
}

impl From<Cancelled> for Halt {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Aborted
    }
}

/// Runs a prompt and says that it is done, exactly once, whatever happened.
pub(crate) async fn serve(shared: Arc<Shared>, prompt: Accepted, cancel: CancellationToken) {
    let id = prompt.id;
    let run = AssertUnwindSafe(run(&shared, prompt, &cancel)).catch_unwind();
    let halt = match run.await {
        Ok(Ok(())) => None,
        Ok(Err(halt)) => Some(halt),
        Err(_) => Some(broke_off(&shared, &cancel).await),
    };
    let outcome = end(&shared, halt, &cancel).await;
    let done = Event::Done {
        prompt: id,
        outcome,
    };
    shared.out.tell(done, &cancel).await;
}

/// Says how a run ended.
async fn end(shared: &Shared, halt: Option<Halt>, cancel: &CancellationToken) -> DoneOutcome {
    match halt {
        None => {
            shared.herald.remember(Status::Completed, None);
            DoneOutcome::Finished
        }
        Some(Halt::Blocked(reason)) => {
            shared.herald.remember(Status::Failed, Some(reason));
            DoneOutcome::Blocked
        }
        Some(Halt::Failed(message)) => {
            shared
                .herald
                .remember(Status::Failed, Some(message.clone()));
            shared.out.tell(Event::Error { message }, cancel).await;
            DoneOutcome::Failed
        }
        Some(Halt::Aborted) => {
            shared.herald.remember(Status::Cancelled, None);
            shared.turn_end(StopReason::Aborted, None, cancel).await;
            DoneOutcome::Aborted
        }
    }
}

/// Something panicked: open calls have settled on the way out, their results are still missing.
async fn broke_off(shared: &Shared, cancel: &CancellationToken) -> Halt {
    shared.mend(cancel).await;
    let error = "internal error: the turn broke off; the log says where. \
                 The conversation is intact, send another prompt to go on";
    let said = Some(error.to_owned());
    shared.turn_end(StopReason::Error, said, cancel).await;
    Halt::Failed(error.to_owned())
}

async fn run(
    shared: &Arc<Shared>,
    accepted: Accepted,
    cancel: &CancellationToken,
) -> Result<(), Halt> {
    let message = accepted.message;
    let heard = Event::UserMessage {
        prompt: accepted.id,
        message: message.clone(),
    };
    // Kept before it is shown: what a face was told is not lost.
    shared.append(Message::User(message), cancel).await;
    shared.out.tell(heard, cancel).await;
    if let Some(first) = accepted.first {
        let call = answer::first_call(shared, first, cancel).await;
        onward::run_calls(shared, vec![call], cancel).await?;
    }
    if accepted.ends_there {
        return Ok(());
    }
    let mut room = Room::default();
    for step in 1.. {
        if cancel.is_cancelled() {
            return Err(Halt::Aborted);
        }
        within_the_cap(shared, step)?;
        let prepared = prompt::prepared(shared, cancel).await?;
        room.make(shared, &prepared, cancel).await?;
        let context = prepare::step(shared, step, cancel).await?;
        let heard = listen::to_model(shared, &prepared, context.as_deref(), cancel).await?;
        let calls = answer::publish(shared, heard, cancel).await?;
        if calls.is_empty() {
            break;
        }
        onward::run_calls(shared, calls, cancel).await?;
    }
    Ok(())
}

/// Whether room was made in vain within this prompt: it is not tried again then.
#[derive(Default)]
struct Room {
    in_vain: bool,
}

impl Room {
    /// Makes room when the conversation nears the end of the model's window.
    async fn make(
        &mut self,
        shared: &Shared,
        prepared: &Prepared,
        cancel: &CancellationToken,
    ) -> Result<(), Halt> {
        if self.in_vain || !compact::is_due(shared, prepared) {
            return Ok(());
        }
        let report = compact::run(shared, Trigger::Automatic, cancel).await;
        if cancel.is_cancelled() {
            return Err(Halt::Aborted);
        }
        if let Some(error) = report.error {
            self.in_vain = true;
            let message = format!(
                "the conversation nears the end of the model's window and could not be summarised \
                 ({error}); it goes on as it is. /compact tries again, /clear starts over"
            );
            let extension = None;
            let warning = Event::Warning { extension, message };
            shared.out.tell(warning, cancel).await;
        }
        Ok(())
    }
}

fn within_the_cap(shared: &Shared, step: u32) -> Result<(), Halt> {
    match shared.limits.max_steps {
        Some(max) if step > max => Err(Halt::Failed(format!(
            "stopped after {max} model calls for one prompt (--max-steps {max}); \
             send another prompt to go on from here"
        ))),
        _ => Ok(()),
    }
}
