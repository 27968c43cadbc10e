//! How large a conversation is, roughly: bytes of text divided by four. Pure.
//!
//! Does not know a tokenizer, and does not count images.

use zeug_transcript::{Content, Message, Part};

/// Bytes of text that make one token, by the rule of the protocol.
const BYTES_PER_TOKEN: u64 = 4;

/// The estimated tokens of so many bytes.
pub(crate) fn of_bytes(bytes: usize) -> u64 {
    bytes as u64 / BYTES_PER_TOKEN
}

/// The estimated tokens of these messages.
pub(crate) fn of(messages: &[Message]) -> u64 {
    of_bytes(messages.iter().map(bytes).sum())
}

/// The bytes of text in a message.
pub(super) fn bytes(message: &Message) -> usize {
    let text = |content: &[Content]| -> usize {
        let texts = content.iter().filter_map(Content::as_text);
        texts.map(str::len).sum()
    };
    match message {
        Message::User(said) => text(&said.content),
        Message::Tool(result) => text(&result.content) + result.tool_name.len(),
        Message::Assistant(said) => said.parts.iter().map(part_bytes).sum(),
    }
}

fn part_bytes(part: &Part) -> usize {
    match part {
        Part::Text(text) => text.len(),
        Part::Thinking { text, signature } => text.len() + signature.as_deref().map_or(0, str::len),
        Part::ToolCall(call) => call.name.len() + call.args.len(),
    }
}
