//! How large a context is, and where it may be cut for a compaction.
//!
//! Estimates; what a provider counts is in its usage. Does not know a model's window.

use zeug_transcript::{Content, Message, Part};

use crate::EntryId;
use crate::context::{Context, Source};
use crate::entry::Compaction;

/// Bytes of text in a token: about right for English and for code with the vendors' tokenisers.
const BYTES_PER_TOKEN: u64 = 4;

/// What vendors charge for an image of about one megapixel, larger ones being scaled down. The
/// length of its base64 says nothing about that.
const IMAGE_TOKENS: u64 = 1600;

/// The framing of a message or a block, in tokens.
const FRAME_TOKENS: u64 = 4;

/// The estimated size of one message, in tokens.
#[must_use]
pub fn estimate_tokens(message: &Message) -> u64 {
    let blocks = |content: &[Content]| content.iter().map(content_tokens).sum::<u64>();
    FRAME_TOKENS
        + match message {
            Message::User(said) => blocks(&said.content),
            Message::Tool(result) => blocks(&result.content),
            Message::Assistant(said) => said.parts.iter().map(part_tokens).sum(),
        }
}

fn text_tokens(text: &str) -> u64 {
    (text.len() as u64).div_ceil(BYTES_PER_TOKEN)
}

fn content_tokens(content: &Content) -> u64 {
    match content {
        Content::Text { text } => text_tokens(text),
        Content::Image(_) => IMAGE_TOKENS,
    }
}

fn part_tokens(part: &Part) -> u64 {
    match part {
        Part::Text(text) => text_tokens(text),
        Part::Thinking { text, signature } => {
            text_tokens(text) + signature.as_deref().map_or(0, text_tokens)
        }
        Part::ToolCall(call) => FRAME_TOKENS + text_tokens(&call.name) + text_tokens(&call.args),
    }
}

/// Where a compaction divides a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// So many items from the beginning are to be summarised: `items[..covered]`.
    pub covered: usize,
    /// The first message that stays as it is; `None` when none does.
    pub first_kept: Option<EntryId>,
    /// The estimated size of the whole context, in tokens.
    pub tokens_before: u64,
}

impl Cut {
    /// The entry that puts this cut into effect.
    #[must_use]
    pub fn compaction(&self, summary: impl Into<String>) -> Compaction {
        Compaction {
            summary: summary.into(),
            first_kept: self.first_kept,
            covers_messages: self.covered as u64,
            tokens_before: self.tokens_before,
        }
    }
}

impl Context {
    /// The estimated size of the messages, in tokens. System prompt and tools come on top.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.items.iter().map(|i| estimate_tokens(&i.message)).sum()
    }

    /// Where to cut so that at least the last `keep_last` messages stay as they are. Calls and
    /// their results stay together, and so does a call that still waits for its result with the
    /// place where that will be written. `None` when nothing would be gained.
    #[must_use]
    pub fn cut_for_compaction(&self, keep_last: usize) -> Option<Cut> {
        let items = &self.items;
        let mut at = items.len().saturating_sub(keep_last).min(self.unanswered());
        while at > 0 && matches!(items.get(at).map(|i| &i.message), Some(Message::Tool(_))) {
            at -= 1;
        }
        // A summary of a summary alone is no gain.
        let gains = items[..at].iter().any(|i| i.source != Source::Summary);
        let first_kept = match items.get(at) {
            None => None,
            Some(item) => Some(item.entry?),
        };
        gains.then(|| Cut {
            covered: at,
            first_kept,
            tokens_before: self.tokens(),
        })
    }

    /// Where the last message with calls stands, when one of them has no result yet.
    fn unanswered(&self) -> usize {
        let end = self.items.len();
        let results = self
            .items
            .iter()
            .rev()
            .take_while(|i| matches!(i.message, Message::Tool(_)))
            .filter(|i| i.source == Source::Mended)
            .count();
        if results == 0 { end } else { end - results }
    }
}
