//! Asking the model until one attempt gives a complete answer, and showing it as it comes.
//!
//! Does not know what the answer means. What an attempt streamed before it failed is void: nothing
//! of it enters the conversation.

use std::time::Duration;

use futures::StreamExt;
use tokio_util::sync::CancellationToken;
use zeug_provider::{Delta, DeltaStream, Failure, FailureKind};
use zeug_transcript::{Part, StopReason, Usage};

use super::assembly::Assembly;
use super::{Halt, prepare};
use crate::cancel::{Cancelled, unless};
use crate::prompt::{Brain, Prepared};
use crate::retry::Backoff;
use crate::shared::Shared;
use crate::{Event, Limits, compact};

/// A complete answer.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) parts: Vec<Part>,
    pub(super) stop: StopReason,
    pub(super) usage: Option<Usage>,
    pub(super) provider: String,
    pub(super) model: String,
    /// Text and reasoning were withheld, because somebody intercepts messages.
    pub(super) withheld: bool,
}

/// Why an attempt gave no answer.
enum Broken {
    Aborted,
    Failed {
        failure: Failure,
        /// A call was complete already: asking again could have it made twice.
        after_call: bool,
    },
}

/// Asks until there is an answer.
pub(super) async fn to_model(
    shared: &Shared,
    prepared: &Prepared,
    context: Option<&str>,
    cancel: &CancellationToken,
) -> Result<Heard, Halt> {
    let mut tries = Tries::new(&shared.limits);
    loop {
        let started = Event::RequestStarted {
            provider: prepared.brain.provider.key().to_owned(),
            model: prepared.brain.model.clone(),
            attempt: tries.attempt,
            max_attempts: tries.max,
        };
        shared.out.tell(started, cancel).await;
        let (failure, after_call) = match ask_once(shared, prepared, context, cancel).await {
            Ok(heard) => return Ok(heard),
            Err(Broken::Aborted) => return Err(Halt::Aborted),
            Err(Broken::Failed {
                failure,
                after_call,
            }) => (failure, after_call),
        };
        let error = failure.to_string();
        shared
            .turn_end(StopReason::Error, Some(error.clone()), cancel)
            .await;
        let made = tries.attempt;
        let again = match after_call {
            true => None,
            false => tries.again(shared, &failure, cancel).await?,
        };
        let Some(delay) = again else {
            return Err(Halt::Failed(advice(&failure, made, after_call)));
        };
        let scheduled = Event::RetryScheduled {
            attempt: tries.attempt,
            max_attempts: tries.max,
            delay,
            error,
        };
        shared.out.tell(scheduled, cancel).await;
        unless(cancel, tokio::time::sleep(delay)).await?;
    }
}

/// The attempts at one request.
struct Tries {
    /// The one that is made, from 1.
    attempt: u32,
    max: u32,
    backoff: Backoff,
    made_room: bool,
}

impl Tries {
    fn new(limits: &Limits) -> Self {
        Self {
            attempt: 1,
            max: limits.max_attempts.max(1),
            backoff: Backoff::new(limits),
            made_room: false,
        }
    }

    /// Whether, and after which pause, there is another attempt. A conversation that is too long is
    /// shortened for it, once.
    async fn again(
        &mut self,
        shared: &Shared,
        failure: &Failure,
        cancel: &CancellationToken,
    ) -> Result<Option<Duration>, Cancelled> {
        let pause = match failure.kind {
            FailureKind::ContextOverflow if !self.made_room => {
                self.made_room = true;
                if !compact::after_overflow(shared, cancel).await? {
                    return Ok(None);
                }
                // It is another request, so it gets its attempt in any case.
                self.max = self.max.max(self.attempt + 1);
                Duration::ZERO
            }
            kind if kind.is_retryable() && self.attempt < self.max => {
                self.backoff.pause(failure.retry_after)
            }
            _ => return Ok(None),
        };
        self.attempt += 1;
        Ok(Some(pause))
    }
}

/// One attempt. Without a deadline of its own: how long a model may think is its provider's
/// affair, and the user can give up at any time.
async fn ask_once(
    shared: &Shared,
    prepared: &Prepared,
    context: Option<&str>,
    cancel: &CancellationToken,
) -> Result<Heard, Broken> {
    let brain = &prepared.brain;
    let attempt = cancel.child_token();
    // The provider hears that nobody listens any more, on every way out of here.
    let _over = attempt.clone().drop_guard();
    let request = prepare::request(shared, prepared, context, cancel).await;
    let stream = unless(cancel, brain.provider.stream(request, attempt))
        .await
        .map_err(|Cancelled| Broken::Aborted)?
        .map_err(|failure| Broken::Failed {
            failure,
            after_call: false,
        })?;
    shared.out.tell(Event::AssistantStart, cancel).await;
    let withheld = !shared
        .herald
        .board()
        .assistant_message
        .snapshot()
        .is_empty();
    let mut assembly = Assembly::default();
    let ended = hear(shared, brain, stream, withheld, &mut assembly, cancel).await;
    // Tokens are spent whether or not the attempt was of use.
    shared.spend(assembly.usage.unwrap_or_default());
    let stop = ended?;
    let usage = assembly.usage;
    let (parts, left_open) = assembly.finish();
    for id in left_open {
        shared.out.show(Event::ToolUseEnd { id }, cancel).await;
    }
    Ok(Heard {
        parts,
        stop,
        usage,
        provider: brain.provider.key().to_owned(),
        model: brain.model.clone(),
        withheld,
    })
}

/// Takes the answer piece by piece until the provider says that it is complete.
async fn hear(
    shared: &Shared,
    brain: &Brain,
    mut stream: DeltaStream,
    withheld: bool,
    assembly: &mut Assembly,
    cancel: &CancellationToken,
) -> Result<StopReason, Broken> {
    let spent_before = shared.spend(Usage::default());
    loop {
        let failed = |failure, assembly: &Assembly| Broken::Failed {
            failure,
            after_call: assembly.call_complete,
        };
        let next = unless(cancel, stream.next()).await;
        let delta = match next.map_err(|Cancelled| Broken::Aborted)? {
            Some(Ok(Delta::Stop(stop))) => return finished(brain, stop, assembly),
            Some(Ok(delta)) => delta,
            Some(Err(failure)) => return Err(failed(failure, assembly)),
            None => {
                let cut = failure(brain, FailureKind::Network, "the answer was cut off");
                return Err(failed(cut, assembly));
            }
        };
        if let Err(nonsense) = assembly.take(&delta) {
            let failure = failure(brain, FailureKind::Server, &nonsense);
            return Err(failed(failure, assembly));
        }
        show(shared, delta, withheld, spent_before, cancel).await;
    }
}

/// A provider may stop without having finished.
fn finished(brain: &Brain, stop: StopReason, assembly: &Assembly) -> Result<StopReason, Broken> {
    let (kind, message) = match stop {
        StopReason::EndTurn | StopReason::ToolUse | StopReason::Length => return Ok(stop),
        StopReason::Error => (FailureKind::Server, "the provider stopped with an error"),
        StopReason::Aborted => (FailureKind::Network, "the provider gave the answer up"),
    };
    Err(Broken::Failed {
        failure: failure(brain, kind, message),
        after_call: assembly.call_complete,
    })
}

async fn show(
    shared: &Shared,
    delta: Delta,
    withheld: bool,
    spent_before: Usage,
    cancel: &CancellationToken,
) {
    let event = match delta {
        // Reasoning quotes the text it leads to, so it is withheld with it.
        Delta::Text(_) | Delta::Thinking(_) if withheld => return,
        Delta::Text(delta) => Event::TextDelta { delta },
        Delta::Thinking(delta) => Event::ThinkingDelta { delta },
        Delta::ThinkingSignature(_) | Delta::Stop(_) => return,
        Delta::ToolCallStart { id, name } => Event::ToolUseStart { id, name },
        Delta::ToolCallArgs { id, json } => Event::ToolUseArgs { id, delta: json },
        Delta::ToolCallEnd { id } => Event::ToolUseEnd { id },
        Delta::Usage(usage) => {
            let mut cumulative = spent_before;
            cumulative += usage;
            Event::Usage { usage, cumulative }
        }
    };
    shared.out.show(event, cancel).await;
}

fn failure(brain: &Brain, kind: FailureKind, message: &str) -> Failure {
    Failure {
        kind,
        provider: brain.provider.key().to_owned(),
        model: brain.model.clone(),
        status: None,
        message: message.to_owned(),
        retry_after: None,
        advice: None,
    }
}

/// What failed, and what a person can do about it.
fn advice(failure: &Failure, attempts: u32, after_call: bool) -> String {
    let what = match failure.kind {
        _ if after_call => {
            "it broke off after a complete tool call, so it was not repeated and nothing was run; \
             send the prompt again"
        }
        FailureKind::RateLimited | FailureKind::Overloaded => {
            "wait a little, then send the prompt again"
        }
        FailureKind::Server => "send the prompt again, or choose another model with /model",
        FailureKind::Network => "check the connection, then send the prompt again",
        FailureKind::ContextOverflow => "shorten the conversation with /compact or /clear",
        FailureKind::Authentication => "check the key: /login, --api-key or auth.toml",
        FailureKind::Quota => "top up the account, or choose another provider with --provider",
        FailureKind::BadRequest => {
            "the same request would fail again: change the prompt or the model"
        }
        FailureKind::Refused => "say it in other words, or choose another model with /model",
    };
    let what = match &failure.advice {
        Some(advice) if !after_call => advice.as_str(),
        _ => what,
    };
    let tries = if attempts > 1 {
        format!(" (after {attempts} attempts)")
    } else {
        String::new()
    };
    format!("{failure}{tries}: {what}")
}
