//! What a model is asked.

use std::sync::Arc;

use zeug_stdx::json::RawJson;
use zeug_transcript::Message;

/// One request to a model.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The model's name at its provider.
    pub model: String,
    /// The system prompt; `None` sends none.
    pub system: Option<Arc<str>>,
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// Hidden context of this request only: it is not part of the conversation and shifts no
    /// message. Providers put it where their models read instructions.
    pub context: Option<String>,
    /// The tools on offer.
    pub tools: Vec<ToolDeclaration>,
    /// How much to reason before answering; `None` leaves it to the provider. A level that the
    /// model does not have becomes the nearest one it has.
    pub reasoning: Option<Effort>,
    /// The most tokens of an answer; `None` leaves it to the provider.
    pub max_output_tokens: Option<u64>,
}

/// How much a model reasons before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effort {
    /// Not at all.
    Off,
    /// As little as it can.
    Minimum,
    /// A little.
    Low,
    /// In between.
    Medium,
    /// Much.
    High,
    /// Very much.
    Xhigh,
    /// As much as it can.
    Max,
}

impl Effort {
    /// All levels, from the lowest up.
    pub const ALL: [Self; 7] = [
        Self::Off,
        Self::Minimum,
        Self::Low,
        Self::Medium,
        Self::High,
        Self::Xhigh,
        Self::Max,
    ];

    /// The word of the level.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Minimum => "minimum",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Xhigh => "xhigh",
            Self::Max => "max",
        }
    }

    /// The level that a word names; `minimal` and `none` are understood, too.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "minimal" => Some(Self::Minimum),
            "none" => Some(Self::Off),
            word => Self::ALL.into_iter().find(|level| level.as_str() == word),
        }
    }
}

/// A tool as a model sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolDeclaration {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// JSON Schema of its arguments.
    pub schema: RawJson,
}
