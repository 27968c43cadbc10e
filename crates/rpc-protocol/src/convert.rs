//! Events out of the values of a conversation.

use zeug_stdx::json::RawJson;
use zeug_transcript::{
    AssistantMessage, Content, Message, Outcome, Part, Shown, ToolCall, ToolMessage, Usage,
    UserMessage,
};

use crate::{Block, Event, MessageBlock, MessageData, ResultBlock, Role, Tokens};

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
            origin_extension: call.origin_extension.clone(),
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
            cost_usd: usage.cost_usd,
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
            origin_extension: call.origin_extension.clone(),
        }
    }
}

impl Event {
    /// The event of a complete answer; `None` when an extension keeps it from the user.
    #[must_use]
    pub fn assistant_message(message: &AssistantMessage) -> Option<Self> {
        if message.shown == Some(Shown::Suppressed) {
            return None;
        }
        Some(Self::AssistantMessage {
            content: shown(message),
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
            origin_extension: None,
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

impl From<&Message> for MessageData {
    fn from(message: &Message) -> Self {
        let plain = |blocks: Vec<Block>| blocks.into_iter().map(MessageBlock::Plain).collect();
        match message {
            Message::User(said) => Self {
                role: Role::User,
                content: plain(blocks(&said.content)),
                time: said.time,
            },
            Message::Assistant(said) => Self {
                role: Role::Assistant,
                content: plain(shown(said)),
                time: said.time,
            },
            Message::Tool(result) => Self {
                role: Role::Tool,
                content: vec![MessageBlock::Result(result.into())],
                time: result.time,
            },
        }
    }
}

impl From<&ToolMessage> for ResultBlock {
    fn from(result: &ToolMessage) -> Self {
        Self {
            call_id: result.call_id.clone(),
            name: result.tool_name.clone(),
            is_error: result.status.is_error(),
            status: result.status,
            content: blocks(&result.content),
        }
    }
}

/// What the user sees of a message: of one that is kept from the user, its calls.
fn shown(message: &AssistantMessage) -> Vec<Block> {
    let mut content = Vec::new();
    let mut instead = match &message.shown {
        None => None,
        Some(Shown::Replaced(text)) => Some(Some(text)),
        Some(Shown::Suppressed) => Some(None),
    };
    for part in &message.parts {
        match (part, &mut instead) {
            (Part::Text(text), None) => content.push(Block::text(text)),
            // The replacement stands where the first of the model's texts stood.
            (Part::Text(_), Some(text)) => content.extend(text.take().map(Block::text)),
            (Part::ToolCall(call), _) => content.push(call.into()),
            (Part::Thinking { .. }, _) => {}
        }
    }
    content.extend(instead.flatten().map(Block::text));
    content
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
