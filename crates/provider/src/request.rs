//! What a model is asked.

use std::sync::Arc;

use zeug_stdx::json::RawJson;
use zeug_transcript::Message;

/// One request to a model.
#[derive(Debug, Clone)]
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
