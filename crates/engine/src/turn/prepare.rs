//! Before a request: the step is announced, guards may refuse it or add hidden context.
//!
//! Does not know what was said before; hidden context never becomes part of it.

use tokio_util::sync::CancellationToken;
use zeug_hook::{Observation, StepFacts, TurnStart, Verdict};
use zeug_provider::{Request, ToolDeclaration};
use zeug_transcript::StopReason;

use super::Halt;
use crate::Event;
use crate::cancel::unless;
use crate::prompt::Prepared;
use crate::shared::Shared;

const BLOCKED: &str = "turn blocked by extension guard";

/// Announces a step and asks its guards; the hidden context for its request.
pub(super) async fn step(
    shared: &Shared,
    step: u32,
    cancel: &CancellationToken,
) -> Result<Option<String>, Halt> {
    shared.herald.announce(&Observation::TurnStart { step });
    shared.out.tell(Event::TurnStart { step }, cancel).await;
    let facts = StepFacts { step };
    let slot = &shared.herald.board().turn_start;
    let chain = shared.herald.chain::<TurnStart>(slot, &facts);
    let outcome = unless(cancel, chain.run(&facts, String::new())).await?;
    let refusal = match outcome.verdict {
        Verdict::Pass => None,
        // A step is no tool call: there is no question to put to a person, so this refuses.
        Verdict::Refused { reason, .. } | Verdict::Ask { reason, .. } => Some(reason),
    };
    match refusal {
        None => Ok((!outcome.value.is_empty()).then_some(outcome.value)),
        Some(reason) => {
            let reason = if reason.trim().is_empty() {
                BLOCKED.to_owned()
            } else {
                reason
            };
            shared
                .turn_end(StopReason::Error, Some(reason.clone()), cancel)
                .await;
            Err(Halt::Blocked(reason))
        }
    }
}

/// What the model is asked, with the tools that are on offer right now.
pub(super) async fn request(
    shared: &Shared,
    prepared: &Prepared,
    context: Option<&str>,
    cancel: &CancellationToken,
) -> Request {
    shared.mend(cancel).await;
    let declare = |entry: zeug_tool::Entry| {
        let spec = entry.tool.spec();
        ToolDeclaration {
            name: spec.name.clone(),
            description: spec.description.clone(),
            schema: spec.schema.clone(),
        }
    };
    Request {
        model: prepared.brain.model.clone(),
        system: prepared.system.clone(),
        messages: shared.transcript.snapshot(),
        context: context.map(str::to_owned),
        tools: shared.tools.offered().into_iter().map(declare).collect(),
        reasoning: prepared.brain.reasoning,
        ..Request::default()
    }
}
