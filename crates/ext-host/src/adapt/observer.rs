//! What the turn machine lets observers see, as the payloads of events.
//!
//! Does not know who subscribes; `sessions` sends them.

use std::sync::Weak;

use async_trait::async_trait;
use zeug_ext_protocol::event::{EventResult, Payload};
use zeug_ext_protocol::tool::Block;
use zeug_hook::{Agent, Observation, Observer, PermissionDecision};
use zeug_stdx::json::RawJson;
use zeug_transcript::{Content, Observed, Status};

use crate::shared::Shared;

/// The one observer that stands for all extensions.
pub(crate) struct FanOut {
    /// Weak, since the board that holds this observer is itself part of what is shared.
    pub(crate) shared: Weak<Shared>,
}

#[async_trait]
impl Observer for FanOut {
    fn observe(&self, observation: &Observation) {
        self.fan_out(None, observation);
    }

    fn observe_in(&self, agent: &Agent, observation: &Observation) {
        self.fan_out(Some(agent), observation);
    }

    async fn room(&self) {
        let links = match self.shared.upgrade() {
            Some(shared) => shared.all_links(),
            None => return,
        };
        for link in links {
            link.room().await;
        }
    }
}

impl FanOut {
    fn fan_out(&self, agent: Option<&Agent>, observation: &Observation) {
        let Some(shared) = self.shared.upgrade() else {
            return;
        };
        let mut stage = shared.stage();
        if matches!(observation, Observation::SessionStart) {
            stage.start(&shared);
            return;
        }
        stage.tell_all(&shared, name(observation), || {
            within(agent, payload(observation))
        });
    }
}

fn name(observation: &Observation) -> &'static str {
    match observation {
        Observation::SessionStart => "session_start",
        Observation::SessionEnd { .. } => "session_end",
        Observation::UserPromptSubmit { .. } => "user_prompt_submit",
        Observation::TurnStart { .. } => "turn_start",
        Observation::ToolCall { .. } => "tool_call",
        Observation::ToolConfirmationRequested { .. } => "tool_confirmation_requested",
        Observation::PermissionDecision(_) => "permission_decision",
        Observation::ToolResult { .. } => "tool_result",
        Observation::AssistantMessage { .. } => "assistant_message",
        Observation::TurnEnd { .. } => "turn_end",
        Observation::PreCompact { .. } => "pre_compact",
        Observation::PostCompact { .. } => "post_compact",
        Observation::SubagentStart { .. } => "subagent_start",
        Observation::SubagentStop { .. } => "subagent_stop",
    }
}

/// What happens in a sub-agent says in which one.
fn within(agent: Option<&Agent>, payload: Payload) -> Payload {
    match agent {
        None => payload,
        Some(agent) => Payload {
            agent_id: Some(agent.agent_id.clone()),
            agent_run_id: Some(agent.agent_run_id.clone()),
            depth: Some(agent.depth),
            ..payload
        },
    }
}

fn payload(observation: &Observation) -> Payload {
    match observation {
        Observation::SessionStart => Payload::default(),
        Observation::SessionEnd { reason } => Payload {
            reason: Some((*reason).to_owned()),
            ..Payload::default()
        },
        Observation::UserPromptSubmit {
            text,
            queued,
            image_count,
        } => Payload {
            text: Some(text.clone()),
            queued: *queued,
            image_count: (*image_count > 0).then_some(*image_count),
            ..Payload::default()
        },
        Observation::TurnStart { step } => Payload {
            step: Some(*step),
            ..Payload::default()
        },
        Observation::AssistantMessage { text } => Payload {
            text: text.clone(),
            ..Payload::default()
        },
        Observation::TurnEnd { stop, error } => Payload {
            stop: Some(stop.as_str().to_owned()),
            error: error.clone(),
            ..Payload::default()
        },
        Observation::PermissionDecision(decision) => permission(decision),
        Observation::PreCompact { .. } | Observation::PostCompact { .. } => compaction(observation),
        Observation::SubagentStart { .. } | Observation::SubagentStop { .. } => {
            subagent(observation)
        }
        tool => tool_payload(tool),
    }
}

fn permission(decision: &PermissionDecision) -> Payload {
    Payload {
        tool_id: Some(decision.call_id.clone()),
        tool_name: Some(decision.tool.clone()),
        decision: Some(decision.decision.to_owned()),
        source: Some(decision.source.as_str().to_owned()),
        stage: Some(decision.stage.as_str().to_owned()),
        reason: decision.reason.clone(),
        origin_extension: decision.origin_extension.clone(),
        ..Payload::default()
    }
}

fn compaction(observation: &Observation) -> Payload {
    let (id, messages, tokens, end) = match observation {
        Observation::PreCompact {
            compaction_id,
            message_count,
            token_estimate,
        } => (compaction_id, message_count, token_estimate, None),
        Observation::PostCompact {
            compaction_id,
            message_count,
            token_estimate,
            status,
            error,
        } => {
            let end = Some((*status, error));
            (compaction_id, message_count, token_estimate, end)
        }
        _ => return Payload::default(),
    };
    Payload {
        compaction_id: Some(id.clone()),
        message_count: Some(*messages),
        token_estimate: Some(*tokens),
        ..ended(end)
    }
}

fn subagent(observation: &Observation) -> Payload {
    let (id, run, name, end) = match observation {
        Observation::SubagentStart {
            agent_id,
            agent_run_id,
            name,
        } => (agent_id, agent_run_id, name, None),
        Observation::SubagentStop {
            agent_id,
            agent_run_id,
            name,
            status,
            error,
        } => (agent_id, agent_run_id, name, Some((*status, error))),
        _ => return Payload::default(),
    };
    Payload {
        agent_id: Some(id.clone()),
        agent_run_id: Some(run.clone()),
        name: Some(name.clone()),
        ..ended(end)
    }
}

fn ended(end: Option<(Status, &Option<String>)>) -> Payload {
    Payload {
        status: end.map(|(status, _)| status.as_str().to_owned()),
        error: end.and_then(|(_, error)| error.clone()),
        ..Payload::default()
    }
}

fn tool_payload(observation: &Observation) -> Payload {
    match observation {
        Observation::ToolCall {
            call_id,
            tool,
            args,
            origin_extension,
        } => Payload {
            origin_extension: origin_extension.clone(),
            ..with_args(call_id, tool, args)
        },
        Observation::ToolConfirmationRequested {
            call_id,
            tool,
            preview,
            origin_extension,
        } => Payload {
            tool_id: Some(call_id.clone()),
            tool_name: Some(tool.clone()),
            tool_preview: Some(preview.clone()),
            origin_extension: origin_extension.clone(),
            ..Payload::default()
        },
        Observation::ToolResult {
            call_id,
            tool,
            args,
            status,
            executed,
            content,
            origin_extension,
        } => {
            let seen = Observed::of(content);
            Payload {
                status: Some(status.as_str().to_owned()),
                executed: Some(*executed),
                result: Some(EventResult {
                    content: seen.content.iter().map(block).collect(),
                    is_error: status.is_error(),
                    truncated: seen.truncated,
                }),
                origin_extension: origin_extension.clone(),
                ..with_args(call_id, tool, args)
            }
        }
        _ => Payload::default(),
    }
}

fn with_args(call_id: &str, tool: &str, args: &Result<RawJson, String>) -> Payload {
    // What is nested too deeply for a tree travels as text, like what is no JSON at all.
    let (tree, raw) = match args {
        Ok(args) => match args.view::<serde_json::Value>() {
            Ok(tree) => (Some(tree), None),
            Err(_) => (None, Some(args.get().to_owned())),
        },
        Err(raw) => (None, Some(raw.clone())),
    };
    Payload {
        tool_id: Some(call_id.to_owned()),
        tool_name: Some(tool.to_owned()),
        tool_args: tree,
        tool_args_raw: raw,
        ..Payload::default()
    }
}

/// A block of a result as extensions get it.
pub(crate) fn block(content: &Content) -> Block {
    match content {
        Content::Text { text } => Block::text(text),
        Content::Image(image) => Block::image(&image.mime_type, &*image.data),
    }
}
