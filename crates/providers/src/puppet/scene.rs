//! Where the conversation stands: which block of which script is next, and what the tools said.
//!
//! Everything is read from the request, so a puppet that was restarted goes on where it was.

use std::collections::HashSet;

use zeug_provider::Request;
use zeug_transcript::{Content, Message, ToolMessage, UserMessage};

use super::script::{self, Block};

/// A request, and what the puppet makes of it.
pub(crate) struct Scene<'a> {
    /// The request.
    pub(crate) request: &'a Request,
    /// The message with the script.
    pub(crate) user: Option<&'a UserMessage>,
    /// The number of answers since then, which is the number of the block to play.
    pub(crate) turn: usize,
    /// That block; `None` when the script is over.
    pub(crate) block: Option<Block>,
    /// The results that no answer has seen yet.
    pub(crate) results: Vec<&'a ToolMessage>,
}

impl<'a> Scene<'a> {
    /// Reads a request.
    pub(crate) fn of(request: &'a Request) -> Self {
        let messages = request.messages.as_slice();
        let (user, since) = messages
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, message)| match message {
                Message::User(user) => Some((Some(user), &messages[at + 1..])),
                _ => None,
            })
            .unwrap_or((None, messages));
        let turn = since
            .iter()
            .filter(|m| matches!(m, Message::Assistant(_)))
            .count();
        let text = user.map_or_else(String::new, |u| Content::joined(&u.content));
        let mut results: Vec<&ToolMessage> = since
            .iter()
            .rev()
            .take_while(|m| !matches!(m, Message::Assistant(_)))
            .filter_map(|m| match m {
                Message::Tool(result) => Some(result),
                _ => None,
            })
            .collect();
        results.reverse();
        Self {
            request,
            user,
            turn,
            block: script::parse(&text).into_iter().nth(turn),
            results,
        }
    }

    /// `count` ids for tool calls, the same for the same request and new to the conversation, also
    /// when compaction has made it shorter.
    pub(crate) fn call_ids(&self) -> impl Iterator<Item = String> {
        let used: HashSet<&str> = self
            .request
            .messages
            .iter()
            .filter_map(|m| match m {
                Message::Assistant(answer) => Some(answer.tool_calls().map(|c| c.id.as_str())),
                _ => None,
            })
            .flatten()
            .collect();
        let at = self.request.messages.len();
        (1_u64..)
            .map(move |n| format!("puppet-{at}-{n}"))
            .filter(move |id| !used.contains(id.as_str()))
    }

    /// The images that came with the script.
    pub(crate) fn images(&self) -> impl Iterator<Item = String> {
        self.user
            .into_iter()
            .flat_map(|user| &user.content)
            .filter(|block| matches!(block, Content::Image(_)))
            .map(written)
    }
}

/// A block as text; an image as its kind and size.
pub(crate) fn written(block: &Content) -> String {
    match block {
        Content::Text { text } => text.clone(),
        Content::Image(image) => format!("[{}, {} bytes]", image.mime_type, image.byte_len()),
    }
}

/// The blocks as text, one below the other.
pub(crate) fn all_written(content: &[Content]) -> String {
    content.iter().map(written).collect::<Vec<_>>().join("\n")
}
