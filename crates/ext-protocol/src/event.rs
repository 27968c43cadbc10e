//! What the host tells subscribers. Nobody answers an event.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;

use crate::greeting::Session;
use crate::lenient::is_false;
use crate::tool::Block;

/// Every event name: the fourteen of zot and the five session names of zut, `session_start` being in both.
pub const NAMES: [&str; 18] = [
    "assistant_message",
    "permission_decision",
    "post_compact",
    "pre_compact",
    "session_compacted",
    "session_end",
    "session_forked",
    "session_opened",
    "session_start",
    "session_switched",
    "subagent_start",
    "subagent_stop",
    "tool_call",
    "tool_confirmation_requested",
    "tool_result",
    "turn_end",
    "turn_start",
    "user_prompt_submit",
];

/// `{"type":"event","event":"turn_start","session_id":"…","cwd":"…","sequence":4,"step":1}`
///
/// One frame for all events: which fields are there depends on `event`, see `protocol/SPEC.md`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// Which.
    pub event: String,
    /// The conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The project directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Counts all notifications of this host process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
    /// The session branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
    /// The receiving extension's own state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<RawJson>,
    /// The payload.
    #[serde(flatten)]
    pub payload: Payload,
}

/// The fields that belong to some events only.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Payload {
    /// `turn_start`: counts the model calls of one prompt, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// `tool_*` and `permission_decision`: the transcript's id of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_id: Option<String>,
    /// Likewise: the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// `tool_call`: as the model wrote them. `tool_result`: as they took effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_args: Option<serde_json::Value>,
    /// Instead of `tool_args`, when the model's text is no JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_args_raw: Option<String>,
    /// `tool_confirmation_requested`: what the dialog shows, at most 120 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_preview: Option<String>,
    /// `assistant_message`, `user_prompt_submit`: the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// `user_prompt_submit`: it waits behind a running turn.
    #[serde(default, skip_serializing_if = "is_false")]
    pub queued: bool,
    /// `user_prompt_submit`: attached images.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_count: Option<usize>,
    /// `turn_end`: `end_turn`, `tool_use`, `length`, `error` or `aborted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<String>,
    /// `turn_end`, `post_compact`, `subagent_stop`: what went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// `tool_result`, `post_compact`, `subagent_stop`: how it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// `tool_result`: whether the tool itself was entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executed: Option<bool>,
    /// `tool_result`: a bounded copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<EventResult>,
    /// `permission_decision`: `approved`, `denied` or `cancelled`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// `permission_decision`: `user`, `remembered`, `policy` or `yolo`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// `permission_decision`: `pre_execution` or `tool_execution`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    /// `permission_decision`, `session_end`: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Calls that an extension started: which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin_extension: Option<String>,
    /// `pre_compact`, `post_compact`: pairs them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compaction_id: Option<String>,
    /// `pre_compact`, `post_compact`: messages in the transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_count: Option<u64>,
    /// `pre_compact`, `post_compact`: text bytes divided by four.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_estimate: Option<u64>,
    /// Sub-agents: survives a resume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// Sub-agents: pairs a start with its stop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_run_id: Option<String>,
    /// Sub-agents: what it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Events of a sub-agent: how deep it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

/// The result of a call as observers get it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct EventResult {
    /// At most 256 KiB and 128 blocks.
    pub content: Vec<Block>,
    /// Whether the model is told that the call went wrong.
    pub is_error: bool,
    /// Whether the content was shortened.
    #[serde(default, skip_serializing_if = "is_false")]
    pub truncated: bool,
}
