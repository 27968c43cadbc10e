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
use zeug_transcript::{Message, StopReason};

use crate::cancel::Cancelled;
use crate::queue::Accepted;
use crate::shared::Shared;
use crate::{DoneOutcome, Event, prompt};

/// Why a run ended before the model was finished.
#[derive(Debug)]
enum Halt {
    /// An extension refused the step.
    Blocked,
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
    let outcome = match halt {
        None => DoneOutcome::Finished,
        Some(Halt::Blocked) => DoneOutcome::Blocked,
        Some(Halt::Failed(message)) => {
            shared.out.tell(Event::Error { message }, &cancel).await;
            DoneOutcome::Failed
        }
        Some(Halt::Aborted) => {
            shared.turn_end(StopReason::Aborted, None, &cancel).await;
            DoneOutcome::Aborted
        }
    };
    let done = Event::Done {
        prompt: id,
        outcome,
    };
    shared.out.tell(done, &cancel).await;
}

/// Something panicked: open calls have settled on the way out, their results are still missing.
async fn broke_off(shared: &Shared, cancel: &CancellationToken) -> Halt {
    for message in shared.transcript.mend() {
        shared.out.tell(Event::Appended(message), cancel).await;
    }
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
    shared.out.tell(heard, cancel).await;
    shared.append(Message::User(message), cancel).await;
    for step in 1.. {
        if cancel.is_cancelled() {
            return Err(Halt::Aborted);
        }
        within_the_cap(shared, step)?;
        let prepared = prompt::prepared(shared, cancel).await?;
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

fn within_the_cap(shared: &Shared, step: u32) -> Result<(), Halt> {
    match shared.limits.max_steps {
        Some(max) if step > max => Err(Halt::Failed(format!(
            "stopped after {max} model calls for one prompt (--max-steps {max}); \
             send another prompt to go on from here"
        ))),
        _ => Ok(()),
    }
}
