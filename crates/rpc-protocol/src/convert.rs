//! Events out of the values of a conversation.

use zeug_stdx::json::RawJson;
use zeug_transcript::{
    AssistantMessage, Content, Outcome, Part, Shown, ToolCall, Usage, UserMessage,
};

use crate::{Block, Event, Tokens};

impl From<&Content> for Block {
    fn from(content: &Content) -> Self {
        match content {
            Content::Text { text } => Self::text(text),
            Content::Image(image) => Self::Image {
                mime_type: image.mime_type.clone(),
                bytes: image.byte_len() as u64,
            },
        }
    }
}

impl From<&ToolCall> for Block {
    fn from(call: &ToolCall) -> Self {
        let (args, args_raw) = args_of(call);
        Self::ToolCall {
            id: call.id.clone(),
            name: call.name.clone(),
            args,
            args_raw,
        }
    }
}

impl From<Usage> for Tokens {
    fn from(usage: Usage) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cache_read_tokens: usage.cache_read_tokens,
            cache_write_tokens: usage.cache_write_tokens,
        }
    }
}

impl From<&UserMessage> for Event {
    fn from(message: &UserMessage) -> Self {
        Self::UserMessage {
            content: blocks(&message.content),
            time: message.time,
        }
    }
}

impl From<&ToolCall> for Event {
    fn from(call: &ToolCall) -> Self {
        let (args, args_raw) = args_of(call);
        Self::ToolCall {
            id: call.id.clone(),
            name: call.name.clone(),
            args,
            args_raw,
        }
    }
}

impl Event {
    /// The event of a complete answer; `None` when an extension keeps it from the user.
    #[must_use]
    pub fn assistant_message(message: &AssistantMessage) -> Option<Self> {
        let mut content = Vec::new();
        let mut replacement = match &message.shown {
            Some(Shown::Suppressed) => return None,
            Some(Shown::Replaced(text)) => Some(Some(text)),
            None => None,
        };
        for part in &message.parts {
            match (part, &mut replacement) {
                (Part::Text(text), None) => content.push(Block::text(text)),
                // The replacement stands where the first of the model's texts stood.
                (Part::Text(_), Some(text)) => content.extend(text.take().map(Block::text)),
                (Part::ToolCall(call), _) => content.push(call.into()),
                (Part::Thinking { .. }, _) => {}
            }
        }
        content.extend(replacement.flatten().map(Block::text));
        Some(Self::AssistantMessage {
            content,
            time: message.time,
        })
    }

    /// The event of a settled call.
    pub fn tool_result(id: impl Into<String>, outcome: &Outcome) -> Self {
        Self::ToolResult {
            id: id.into(),
            is_error: outcome.status.is_error(),
            content: blocks(&outcome.content),
            status: Some(outcome.status),
            structured_content: outcome.structured.clone(),
        }
    }

    /// The event of a provider's count.
    #[must_use]
    pub fn usage(request: Usage, cumulative: Usage) -> Self {
        Self::Usage {
            request: request.into(),
            cumulative: cumulative.into(),
        }
    }
}

fn blocks(content: &[Content]) -> Vec<Block> {
    content.iter().map(Block::from).collect()
}

fn args_of(call: &ToolCall) -> (RawJson, Option<String>) {
    match call.json_args() {
        Ok(args) => (args, None),
        Err(_) => (RawJson::null(), Some(call.args.clone())),
    }
}
