//! Messages in the three roles a model knows.

use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;

use crate::{Content, Status, Timestamp, Usage};

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Message {
    /// What the user said.
    User(UserMessage),
    /// What the model said.
    Assistant(AssistantMessage),
    /// What a tool answered to one call.
    Tool(ToolMessage),
}

impl Message {
    /// When it was complete.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        match self {
            Self::User(said) => said.time,
            Self::Assistant(said) => said.time,
            Self::Tool(result) => result.time,
        }
    }
}

/// What the user said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UserMessage {
    /// Text and images, in order.
    pub content: Vec<Content>,
    /// When it was accepted.
    pub time: Timestamp,
}

/// What the model said, with everything needed to say it again to the same model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssistantMessage {
    /// Text, reasoning and tool calls, in order.
    pub parts: Vec<Part>,
    /// How the message ended.
    pub stop: StopReason,
    /// Tokens as the provider counted them.
    pub usage: Option<Usage>,
    /// The key of the provider that said it; `None` when nobody knows. Signatures go back only to
    /// the provider and model that made them.
    #[serde(default)]
    pub provider: Option<String>,
    /// The model that said it, by its name at the provider.
    #[serde(default)]
    pub model: Option<String>,
    /// What the user sees instead of the text, when an extension decided so. The model always sees
    /// its own words.
    pub shown: Option<Shown>,
    /// When it was complete.
    pub time: Timestamp,
}

/// What an extension made of a message for the eyes of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shown {
    /// This text instead.
    Replaced(String),
    /// Nothing.
    Suppressed,
}

/// A piece of an assistant message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Part {
    /// Text for the user.
    Text(String),
    /// Reasoning, with the provider's signature when it gave one.
    Thinking {
        /// The reasoning text, possibly empty when it is only signed.
        text: String,
        /// An opaque proof that must go back unchanged. It may vouch for the whole message, its
        /// tool calls included, so a copy of the message keeps it.
        signature: Option<String>,
    },
    /// A request to run a tool.
    ToolCall(ToolCall),
}

/// A request of the model to run a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id for the call; results refer to it.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as the model wrote them; not necessarily valid JSON.
    pub args: String,
    /// The extension whose slash command wanted the call in place of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin_extension: Option<String>,
}

impl ToolCall {
    /// A call that the model wants.
    pub fn new(id: impl Into<String>, name: impl Into<String>, args: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            args: args.into(),
            origin_extension: None,
        }
    }

    /// The arguments as JSON: what the model wrote, or `{}` when it wrote nothing.
    ///
    /// # Errors
    /// The parse error when the text is no JSON value.
    pub fn json_args(&self) -> Result<RawJson, serde_json::Error> {
        if self.args.trim().is_empty() {
            Ok(RawJson::empty_object())
        } else {
            RawJson::parse(self.args.clone())
        }
    }
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolMessage {
    /// The [`ToolCall::id`] this answers.
    pub call_id: String,
    /// The tool's name.
    pub tool_name: String,
    /// Text and images, in order.
    pub content: Vec<Content>,
    /// How the call ended.
    pub status: Status,
    /// When it settled.
    pub time: Timestamp,
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It was finished.
    EndTurn,
    /// It wants tools to be run.
    ToolUse,
    /// It ran into its output limit.
    Length,
    /// The provider failed, or the turn was refused.
    Error,
    /// The user cancelled.
    Aborted,
}

impl StopReason {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EndTurn => "end_turn",
            Self::ToolUse => "tool_use",
            Self::Length => "length",
            Self::Error => "error",
            Self::Aborted => "aborted",
        }
    }
}

impl AssistantMessage {
    /// The model's text blocks, joined by `separator`.
    #[must_use]
    pub fn text(&self, separator: &str) -> String {
        self.parts
            .iter()
            .filter_map(|p| match p {
                Part::Text(text) => Some(text.as_str()),
                _ => None,
            })
            .collect::<Vec<_>>()
            .join(separator)
    }

    /// What the user sees of the text: the model's, a replacement, or nothing.
    #[must_use]
    pub fn shown_text(&self) -> String {
        match &self.shown {
            None => self.text(""),
            Some(Shown::Replaced(text)) => text.clone(),
            Some(Shown::Suppressed) => String::new(),
        }
    }

    /// The tool calls, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|p| match p {
            Part::ToolCall(call) => Some(call),
            _ => None,
        })
    }
}
