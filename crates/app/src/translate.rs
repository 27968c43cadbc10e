//! What the two machines announce, as notices for a face.

use zeug_engine::Event as EngineEvent;
use zeug_ext_host::{Level, News};
use zeug_hook::{PermissionSource, PermissionStage};
use zeug_rpc_protocol::{
    Block, Decision, DecisionSource, DecisionStage, Event, RetryScope, SessionData,
};
use zeug_stdx::text;

use crate::{Notice, SessionInfo};

/// The notices for an event of the turn machine; some are for the journal only.
pub(crate) fn event(event: EngineEvent) -> Vec<Notice> {
    let (before, after) = match &event {
        EngineEvent::UserMessage { prompt, .. } => (Some(Notice::Started(*prompt)), None),
        EngineEvent::Done { prompt, outcome } => (None, Some(Notice::Ended(*prompt, *outcome))),
        _ => (None, None),
    };
    before
        .into_iter()
        .chain(shown(event))
        .chain(after)
        .collect()
}

/// What is told of the open session.
pub(crate) fn session(session: &SessionInfo) -> Event {
    Event::Session(SessionData::from(session))
}

/// The notice that shows an event.
fn shown(event: EngineEvent) -> Option<Notice> {
    Some(Notice::Event(match event {
        EngineEvent::UserMessage { message, .. } => Event::from(&message),
        EngineEvent::TurnStart { step } => Event::TurnStart { step },
        EngineEvent::RequestStarted {
            provider,
            model,
            attempt,
            max_attempts,
        } => Event::RequestStarted {
            provider,
            model,
            scope: RetryScope::Agent,
            attempt,
            max_attempts,
        },
        EngineEvent::RetryScheduled {
            attempt,
            max_attempts,
            delay,
            ..
        } => Event::RetryScheduled {
            scope: RetryScope::Agent,
            attempt,
            max_attempts,
            delay_ms: u64::try_from(delay.as_millis()).unwrap_or(u64::MAX),
        },
        EngineEvent::AssistantStart => Event::AssistantStart,
        EngineEvent::TextDelta { delta } => Event::TextDelta { delta },
        EngineEvent::ThinkingDelta { delta } => Event::ThinkingDelta { delta },
        EngineEvent::ToolUseStart { id, name } => Event::ToolUseStart { id, name },
        EngineEvent::ToolUseArgs { id, delta } => Event::ToolUseArgs { id, delta },
        EngineEvent::ToolUseEnd { id } => Event::ToolUseEnd { id },
        EngineEvent::Usage { usage, cumulative } => Event::usage(usage, cumulative),
        EngineEvent::AssistantMessage(message) => Event::assistant_message(&message)?,
        EngineEvent::TurnEnd { stop, error } => Event::TurnEnd { stop, error },
        EngineEvent::Error { message } => Event::Error { message },
        EngineEvent::Done { .. } => Event::Done,
        EngineEvent::Warning { extension, message } => {
            return Some(match extension {
                Some(extension) => Notice::Note {
                    extension,
                    level: Level::Warn,
                    text: text::plain(&message),
                },
                None => Notice::Remark(message),
            });
        }
        EngineEvent::Appended(_) => return None,
        call => call_event(call)?,
    }))
}

/// The events of one call.
fn call_event(event: EngineEvent) -> Option<Event> {
    Some(match event {
        EngineEvent::ToolCall {
            id,
            name,
            args,
            origin,
            ..
        } => {
            let (args, args_raw) = match args {
                Ok(args) => (args, None),
                Err(raw) => (zeug_stdx::json::RawJson::null(), Some(raw)),
            };
            Event::ToolCall {
                id,
                name,
                args,
                args_raw,
                origin_extension: origin.extension().map(str::to_owned),
            }
        }
        EngineEvent::PermissionDecision(decision) => Event::PermissionDecision {
            tool_id: decision.call_id,
            tool_name: decision.tool,
            decision: decided(decision.decision),
            source: source(decision.source),
            stage: match decision.stage {
                PermissionStage::PreExecution => DecisionStage::PreExecution,
                PermissionStage::ToolExecution => DecisionStage::ToolExecution,
            },
            reason: decision.reason,
            origin_extension: decision.origin_extension,
        },
        EngineEvent::ToolExecutionStarted { id, name } => Event::ToolExecutionStarted { id, name },
        EngineEvent::ToolProgress { id, text } => Event::ToolProgress { id, text },
        EngineEvent::ToolResult(result) => Event::ToolResult {
            id: result.id,
            is_error: result.status.is_error(),
            content: result.content.iter().map(Block::from).collect(),
            status: Some(result.status),
            structured_content: result.structured,
            origin_extension: result.origin.extension().map(str::to_owned),
        },
        _ => return None,
    })
}

/// The word for a decision of the turn machine.
pub(crate) fn decided(word: &str) -> Decision {
    match word {
        "approved" => Decision::Approved,
        "cancelled" => Decision::Cancelled,
        _ => Decision::Denied,
    }
}

/// The word for who decided.
pub(crate) fn source(source: PermissionSource) -> DecisionSource {
    match source {
        PermissionSource::User => DecisionSource::User,
        PermissionSource::Remembered => DecisionSource::Remembered,
        PermissionSource::Policy => DecisionSource::Policy,
        PermissionSource::Yolo => DecisionSource::Yolo,
    }
}

/// A notice for news of the extension host; some change only what lists show.
pub(crate) fn news(news: News) -> Option<Notice> {
    Some(match news {
        News::Failed { extension, message } => Notice::ExtensionFailed { extension, message },
        News::Gone { extension, message } => Notice::ExtensionGone { extension, message },
        News::Remark { extension, message } => {
            Notice::Remark(format!("extension {extension}: {message}"))
        }
        News::Note {
            extension,
            level,
            text,
        } => Notice::Note {
            extension,
            level,
            text: text::plain(&text),
        },
        News::ClearNotes { extension } => Notice::ClearNotes { extension },
        News::Alert { extension, reason } => Notice::Alert { extension, reason },
        News::SubmitSlash { extension, text } => Notice::SlashSubmitted { extension, text },
        // Lists show it when they are looked at.
        News::Registered { .. } => return None,
        // What is shown, and what is submitted, was taken in before.
        News::Replaced { .. }
        | News::Status { .. }
        | News::Widget { .. }
        | News::WidgetClear { .. }
        | News::PanelOpen { .. }
        | News::PanelRender { .. }
        | News::PanelClose { .. }
        | News::Submit { .. } => return None,
    })
}
