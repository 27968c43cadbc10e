//! A complete answer is published: extensions decide what the user sees of it, it enters the
//! conversation in its original form, its calls are announced.
//!
//! Does not run the calls.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use zeug_hook::{self as hook, MessageFacts, Observation, Verdict};
use zeug_tool::Origin;
use zeug_transcript::{AssistantMessage, Message, Part, Shown, StopReason, Timestamp, ToolCall};

use super::Halt;
use super::listen::Heard;
use crate::call::Open;
use crate::cancel::unless;
use crate::shared::Shared;
use crate::{Event, FirstCall};

/// Publishes an answer; the announced calls, in order.
pub(super) async fn publish(
    shared: &Arc<Shared>,
    heard: Heard,
    cancel: &CancellationToken,
) -> Result<Vec<Open>, Halt> {
    let withheld = heard.withheld;
    let mut message = AssistantMessage {
        stop: honest_stop(heard.stop, &heard.parts),
        parts: heard.parts,
        usage: heard.usage,
        provider: Some(heard.provider),
        model: Some(heard.model),
        shown: None,
        time: Timestamp::now(),
    };
    message.shown = verdict(shared, &message, cancel).await?;
    if message.parts.is_empty() {
        // Providers refuse an assistant message without parts when it is sent back to them.
        shared.turn_end(message.stop, None, cancel).await;
        return Ok(Vec::new());
    }
    shared
        .append(Message::Assistant(message.clone()), cancel)
        .await;
    if let Some(usage) = &message.usage {
        shared.transcript.measure(usage);
    }
    if withheld {
        release(shared, &message, cancel).await;
    }
    if message.shown != Some(Shown::Suppressed) {
        let text = message.shown_text();
        shared.herald.announce(&Observation::AssistantMessage {
            text: (!text.is_empty()).then_some(text),
        });
        let visible = Event::AssistantMessage(visible(&message));
        shared.out.tell(visible, cancel).await;
    }
    let mut calls = Vec::new();
    for call in message.tool_calls() {
        calls.push(announce(shared, call, cancel).await);
    }
    shared.turn_end(message.stop, None, cancel).await;
    Ok(calls)
}

/// Publishes a call that the model did not want, in its place in the conversation.
pub(super) async fn first_call(
    shared: &Arc<Shared>,
    first: FirstCall,
    cancel: &CancellationToken,
) -> Open {
    // It is stored: another process goes on with the conversation.
    let id = format!("command-{}", uuid::Uuid::now_v7());
    let message = AssistantMessage {
        parts: vec![Part::ToolCall(ToolCall {
            id: id.clone(),
            name: first.tool.clone(),
            args: first.args.get().to_owned(),
            origin_extension: first.origin.extension().map(str::to_owned),
        })],
        stop: StopReason::ToolUse,
        usage: None,
        provider: None,
        model: None,
        shown: None,
        time: Timestamp::now(),
    };
    shared.append(Message::Assistant(message), cancel).await;
    Open::announce(
        shared.clone(),
        id,
        first.tool,
        Ok(first.args),
        first.origin,
        cancel,
    )
    .await
}

async fn announce(shared: &Arc<Shared>, call: &ToolCall, cancel: &CancellationToken) -> Open {
    let args = call.json_args().map_err(|_| call.args.clone());
    let (id, name) = (call.id.clone(), call.name.clone());
    Open::announce(shared.clone(), id, name, args, Origin::Model, cancel).await
}

/// What extensions make of the text; asked once, and only when there is any.
async fn verdict(
    shared: &Shared,
    message: &AssistantMessage,
    cancel: &CancellationToken,
) -> Result<Option<Shown>, Halt> {
    let text = message.text("\n");
    let slot = &shared.herald.board().assistant_message;
    let chain = shared
        .herald
        .chain::<hook::AssistantMessage>(slot, &MessageFacts);
    if text.is_empty() || chain.is_empty() {
        return Ok(None);
    }
    let outcome = unless(cancel, chain.run(&MessageFacts, text)).await?;
    Ok(match outcome.verdict {
        Verdict::Pass if outcome.changed => Some(Shown::Replaced(outcome.value)),
        Verdict::Pass => None,
        // There is no question a person could answer without seeing the text, so this hides it.
        Verdict::Refused { extension, reason } | Verdict::Ask { extension, reason } => {
            let message = format!("a message of the model is not shown: {reason}");
            let extension = Some(extension);
            let warning = Event::Warning { extension, message };
            shared.out.tell(warning, cancel).await;
            Some(Shown::Suppressed)
        }
    })
}

/// Shows what was withheld, as far as it may be seen. Reasoning about a text that the user must
/// not see stays withheld for good.
async fn release(shared: &Shared, message: &AssistantMessage, cancel: &CancellationToken) {
    if message.shown.is_none() {
        for part in &message.parts {
            if let Part::Thinking { text, .. } = part
                && !text.is_empty()
            {
                let delta = text.clone();
                shared
                    .out
                    .show(Event::ThinkingDelta { delta }, cancel)
                    .await;
            }
        }
    }
    let delta = message.shown_text();
    if !delta.is_empty() {
        shared.out.show(Event::TextDelta { delta }, cancel).await;
    }
}

/// The message as faces get it: nothing of a replaced text is left in it.
fn visible(message: &AssistantMessage) -> AssistantMessage {
    let mut visible = message.clone();
    if let Some(Shown::Replaced(text)) = &message.shown {
        let calls = message.tool_calls().cloned().map(Part::ToolCall);
        visible.parts = std::iter::once(Part::Text(text.clone()))
            .chain(calls)
            .collect();
    }
    visible
}

/// Providers disagree on how an answer with calls ends; the calls decide.
fn honest_stop(stop: StopReason, parts: &[Part]) -> StopReason {
    let has_calls = parts.iter().any(|p| matches!(p, Part::ToolCall(_)));
    match stop {
        StopReason::EndTurn if has_calls => StopReason::ToolUse,
        StopReason::ToolUse if !has_calls => StopReason::EndTurn,
        stop => stop,
    }
}
