//! Slash commands: the user ran one, the extension says what should happen.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;

use crate::lenient::null_as_default;
use crate::panel::PanelSpec;

/// `{"type":"command_invoked","id":"cmd-3","name":"weather","args":"berlin"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandInvoked {
    /// Correlates the response.
    pub id: String,
    /// The command in the spelling of its registration.
    pub name: String,
    /// What the user typed after it; absent when nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub args: String,
}

/// `{"type":"command_response","id":"cmd-3","action":"prompt","prompt":"…"}`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct CommandResponse {
    /// The [`CommandInvoked::id`].
    pub id: String,
    /// `prompt`, `insert`, `display`, `open_panel`, `tool_prompt`, `noop`; empty means `noop`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub action: String,
    /// For `prompt` and `tool_prompt`: the user message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// For `insert`: goes into the editor at the cursor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub insert: Option<String>,
    /// For `display`: shown once, not part of the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// For `open_panel`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_panel: Option<PanelSpec>,
    /// For `tool_prompt`: the tool to run before the model goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// For `tool_prompt`: its arguments, an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_args: Option<RawJson>,
    /// Not empty: shown as an error, whatever the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
