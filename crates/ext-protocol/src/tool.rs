//! Calls of an extension's tools, and their results.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;

use crate::lenient::{arguments, is_false, null_as_default, present};

/// `{"type":"tool_call","id":"call-7","name":"weather","args":{"city":"Berlin"}}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// Correlates the result; unique in the host process.
    pub id: String,
    /// The tool, as registered.
    pub name: String,
    /// An object, `{}` when the model gave none.
    #[serde(default = "RawJson::empty_object", deserialize_with = "arguments")]
    pub args: RawJson,
}

/// `{"type":"tool_cancel","id":"call-7"}` and `{"type":"call_tool_cancel","id":"r1"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cancel {
    /// The call.
    pub id: String,
}

/// `{"type":"tool_result","id":"call-7","content":[{"type":"text","text":"Berlin: 16°C"}]}`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ToolResult {
    /// The [`ToolCall::id`].
    pub id: String,
    /// What the model gets.
    #[serde(default, deserialize_with = "null_as_default")]
    pub content: Vec<Block>,
    /// Whether the call failed.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "is_false"
    )]
    pub is_error: bool,
    /// Deferred tools that are offered from now on.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub activate_tools: Vec<String>,
    /// The extension's state snapshot; `null` clears it, absent leaves it.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub details: Option<RawJson>,
    /// The result as a JSON value, for scripts and JSON clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<RawJson>,
}

/// `{"type":"tool_progress","id":"call-7","text":"12 of 20"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolProgress {
    /// The running call.
    pub id: String,
    /// Shown to the user, never to the model.
    #[serde(default, deserialize_with = "null_as_default")]
    pub text: String,
}

/// `{"type":"text","text":"…"}` or `{"type":"image","mime_type":"image/png","data":"…"}`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Block {
    /// `text` or `image`; any other is passed on as a note about it.
    #[serde(rename = "type")]
    pub kind: String,
    /// Of a text block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Of an image block, for example `image/png`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Of an image block: standard base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
}

impl Block {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            kind: "text".to_owned(),
            text: Some(text.into()),
            ..Self::default()
        }
    }

    /// An image block.
    pub fn image(mime_type: impl Into<String>, data: impl Into<String>) -> Self {
        Self {
            kind: "image".to_owned(),
            mime_type: Some(mime_type.into()),
            data: Some(data.into()),
            ..Self::default()
        }
    }
}
