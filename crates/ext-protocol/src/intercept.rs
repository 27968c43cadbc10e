//! What the host asks before it goes on, and the answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;

use crate::lenient::{is_false, null_as_default};

/// Every moment that `subscribe.intercept` may name.
pub const NAMES: [&str; 4] = [
    "assistant_message",
    "before_agent_start",
    "tool_call",
    "turn_start",
];

/// `{"type":"event_intercept","id":"ask-9","event":"tool_call","tool_id":"…","tool_name":"bash","tool_args":{…}}`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct EventIntercept {
    /// Correlates the answer.
    pub id: String,
    /// Which moment.
    pub event: String,
    /// `tool_call`: the transcript's id of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_id: Option<String>,
    /// `tool_call`: the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// `tool_call`: the arguments as earlier listeners left them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_args: Option<RawJson>,
    /// `tool_call`: the extension that started the call, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin_extension: Option<String>,
    /// `turn_start`: counts the model calls of one prompt, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// `assistant_message`: the text as earlier listeners left it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// In a sub-agent: which, as in events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// In a sub-agent: how many agents are above it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// `before_agent_start`: the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// `before_agent_start`: this preparation. Otherwise, in a sub-agent: this run of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_run_id: Option<String>,
    /// `before_agent_start`: the project directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// `before_agent_start`: the provider's key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// `before_agent_start`: the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// `before_agent_start`: the whole prompt as earlier listeners left it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
}

/// `{"type":"event_intercept_response","id":"ask-9","block":true,"reason":"refused: …"}`
///
/// Everything absent means: no objection, no change.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct EventInterceptResponse {
    /// The [`EventIntercept::id`].
    pub id: String,
    /// Refuses. `before_agent_start` cannot be refused.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "is_false"
    )]
    pub block: bool,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// `tool_call`: the whole new arguments, an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_args: Option<RawJson>,
    /// `assistant_message`: shown instead; empty changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replace_text: Option<String>,
    /// `turn_start`: hidden context for the coming request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// `before_agent_start`: the whole new prompt, at most 1 MiB encoded; empty removes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<String>,
}
