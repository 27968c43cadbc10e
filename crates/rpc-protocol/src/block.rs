//! A piece of a message or a result as an outside program sees it.
//!
//! Reasoning is not among them: it is told as it comes (`thinking_delta`) and not repeated.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;

use crate::raw;

/// One block of content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// `{"type":"text","text":"hi"}`
    Text {
        /// The text.
        text: String,
    },
    /// `{"type":"image","mime_type":"image/png","bytes":3}`; the image itself does not travel.
    Image {
        /// For example `image/png`.
        mime_type: String,
        /// The size of the decoded image.
        bytes: u64,
    },
    /// `{"type":"tool_call","id":"c1","name":"read","args":{"path":"a"}}`
    ToolCall {
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
        /// The arguments; `null` when what the model wrote is no JSON.
        #[serde(deserialize_with = "raw::deserialize")]
        #[schemars(with = "RawJson")]
        args: RawJson,
        /// What the model wrote, when it is no JSON. An addition of zeug.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        args_raw: Option<String>,
        /// The extension that wanted the call, when it was one. An addition of zeug.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin_extension: Option<String>,
    },
}

impl Block {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// The text of a text block.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            Self::Image { .. } | Self::ToolCall { .. } => None,
        }
    }
}
