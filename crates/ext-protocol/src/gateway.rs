//! An extension runs a tool of the host: `call_tool` and its answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;

use crate::lenient::{arguments, is_false, null_as_default};
use crate::tool::Block;

/// `{"type":"call_tool","id":"r1","name":"read","args":{"path":"a"},"parent_id":"call-7","key":"k"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallTool {
    /// The extension's own; unique among its outstanding calls.
    pub id: String,
    /// The tool.
    pub name: String,
    /// An object; absent means `{}`.
    #[serde(default = "RawJson::empty_object", deserialize_with = "arguments")]
    pub args: RawJson,
    /// The host's call that this one serves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// Names the call across replays, where the host said `call_tool_durable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// `{"type":"tool_result","id":"r1","name":"read","content":[…],"is_error":false}`
///
/// The host's answer to [`CallTool`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct CallToolResult {
    /// The [`CallTool::id`].
    pub id: String,
    /// The tool.
    pub name: String,
    /// At most 256 KiB and 128 blocks.
    #[serde(default, deserialize_with = "null_as_default")]
    pub content: Vec<Block>,
    /// Whether it failed or was refused.
    pub is_error: bool,
    /// Whether the content was shortened.
    #[serde(default, skip_serializing_if = "is_false")]
    pub truncated: bool,
}
