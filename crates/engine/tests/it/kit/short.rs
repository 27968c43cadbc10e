//! Events and observations in short words.

use zeug_engine::Event;
use zeug_hook::Observation;
use zeug_transcript::{Content, Status};

pub(super) fn event(event: &Event) -> String {
    match event {
        Event::UserMessage { message, .. } => {
            format!("user_message {}", Content::joined(&message.content))
        }
        Event::TurnStart { step } => format!("turn_start {step}"),
        Event::RequestStarted { attempt, .. } => format!("request_started {attempt}"),
        Event::RetryScheduled { attempt, delay, .. } => format!("retry {attempt} {delay:?}"),
        Event::AssistantStart => "assistant_start".into(),
        Event::TextDelta { delta } => format!("text {delta}"),
        Event::ThinkingDelta { delta } => format!("thinking {delta}"),
        Event::ToolUseStart { id, .. } => format!("tool_use_start {id}"),
        Event::ToolUseArgs { id, .. } => format!("tool_use_args {id}"),
        Event::ToolUseEnd { id } => format!("tool_use_end {id}"),
        Event::Usage { cumulative, .. } => format!("usage {}", cumulative.output_tokens),
        Event::AssistantMessage(message) => format!("message {}", message.text("")),
        Event::ToolCall { id, .. } => format!("tool_call {id}"),
        Event::TurnEnd { stop, error } => end(stop.as_str(), error.as_deref()),
        Event::PermissionDecision(d) => format!("permission {} {}", d.call_id, d.decision),
        Event::ToolExecutionStarted { id, .. } => format!("execution {id}"),
        Event::ToolProgress { text, .. } => format!("progress {text}"),
        Event::ToolResult(r) => format!("result {} {}", r.id, r.status.as_str()),
        Event::Appended(_) => "appended".into(),
        Event::CompactionStarted {
            trigger,
            message_count,
            ..
        } => format!("compaction {trigger:?} {message_count}"),
        Event::Compacted(c) => format!("compacted {} kept {}", c.first_kept, c.kept),
        Event::CompactionEnded { status, error, .. } => {
            let error = error.as_deref().map_or(String::new(), |e| format!(": {e}"));
            format!("compaction_ended {}{error}", status.as_str())
        }
        Event::Cleared => "cleared".into(),
        Event::Adopted => "adopted".into(),
        Event::Warning {
            extension: Some(extension),
            message,
        } => format!("warning extension {extension}: {message}"),
        Event::Warning { message, .. } => format!("warning {message}"),
        Event::Error { message } => format!("error {message}"),
        Event::Done { outcome, .. } => format!("done {outcome:?}"),
    }
}

fn end(stop: &str, error: Option<&str>) -> String {
    match error {
        None => format!("turn_end {stop}"),
        Some(error) => format!("turn_end {stop}: {error}"),
    }
}

pub(super) fn observation(observation: &Observation) -> String {
    let args = |a: &Result<zeug_stdx::json::RawJson, String>| match a {
        Ok(json) => json.get().to_owned(),
        Err(raw) => format!("raw:{raw}"),
    };
    match observation {
        Observation::SessionStart => "session_start".into(),
        Observation::SessionEnd { reason } => format!("session_end {reason}"),
        Observation::UserPromptSubmit { text, queued, .. } => {
            let how = if *queued { "queued" } else { "now" };
            format!("user_prompt_submit {text} {how}")
        }
        Observation::TurnStart { step } => format!("turn_start {step}"),
        Observation::ToolCall {
            call_id, args: a, ..
        } => format!("tool_call {call_id} {}", args(a)),
        Observation::ToolConfirmationRequested {
            call_id, preview, ..
        } => format!("confirmation {call_id} {preview}"),
        Observation::PermissionDecision(d) => format!(
            "permission {} {} {} {}",
            d.call_id,
            d.decision,
            d.source.as_str(),
            d.stage.as_str()
        ),
        Observation::ToolResult {
            call_id,
            args: a,
            status,
            executed,
            ..
        } => {
            let entered = if *executed {
                "executed"
            } else {
                "not executed"
            };
            let status = Status::as_str(*status);
            format!("tool_result {call_id} {status} {entered} {}", args(a))
        }
        Observation::AssistantMessage { text } => {
            format!("assistant_message {}", text.as_deref().unwrap_or("-"))
        }
        Observation::TurnEnd { stop, error } => end(stop.as_str(), error.as_deref()),
        other => made(other),
    }
}

/// Of making room, and of sub-agents.
fn made(observation: &Observation) -> String {
    match observation {
        Observation::PreCompact { message_count, .. } => format!("pre_compact {message_count}"),
        Observation::PostCompact {
            message_count,
            status,
            error,
            ..
        } => {
            let error = error.as_deref().map_or(String::new(), |e| format!(": {e}"));
            format!("post_compact {message_count} {}{error}", status.as_str())
        }
        Observation::SubagentStart { name, .. } => format!("subagent_start {name}"),
        Observation::SubagentStop {
            name,
            status,
            error,
            ..
        } => {
            let error = error.as_deref().map_or(String::new(), |e| format!(": {e}"));
            format!("subagent_stop {name} {}{error}", status.as_str())
        }
        other => format!("{other:?}"),
    }
}
