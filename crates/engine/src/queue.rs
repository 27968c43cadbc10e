//! Prompts that wait for their turn, first in, first out.
//!
//! Does not know what running a prompt means.

use std::collections::VecDeque;
use std::fmt;

use zeug_stdx::json::RawJson;
use zeug_tool::Origin;
use zeug_transcript::{Content, Image, Timestamp, UserMessage};

/// Prompts that may wait behind a running one.
pub(crate) const MAX_QUEUED: usize = 64;

/// What the user says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompt {
    /// The text.
    pub text: String,
    /// Attached images.
    pub images: Vec<Image>,
    /// A call that runs before the model is asked.
    pub first: Option<FirstCall>,
    /// Whether the model is not asked: what was said and called waits for the next prompt.
    pub ends_there: bool,
}

/// A call that an extension's slash command wants before the model goes on, or that the user typed.
/// It stands in the conversation as if the model had wanted it, with its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstCall {
    /// Who wants it: one whose calls are part of the conversation
    /// ([`Origin::is_in_transcript`]).
    pub origin: Origin,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub args: RawJson,
}

impl Prompt {
    /// A prompt without images.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    fn into_content(self) -> Vec<Content> {
        let images = self.images.into_iter().map(Content::Image);
        let mut content: Vec<Content> = images.collect();
        if !self.text.is_empty() || content.is_empty() {
            content.insert(0, Content::Text { text: self.text });
        }
        content
    }
}

/// Names an accepted prompt; never reused by one machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PromptId(u64);

impl fmt::Display for PromptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "prompt-{}", self.0)
    }
}

/// An accepted prompt.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Accepted {
    pub(crate) id: PromptId,
    pub(crate) message: UserMessage,
    pub(crate) first: Option<FirstCall>,
    pub(crate) ends_there: bool,
}

/// The waiting prompts.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: VecDeque<Accepted>,
    last: u64,
}

impl Queue {
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.waiting.len() >= MAX_QUEUED
    }

    pub(crate) fn accept(&mut self, prompt: Prompt, now: Timestamp) -> PromptId {
        self.last += 1;
        let id = PromptId(self.last);
        self.waiting.push_back(Accepted {
            id,
            first: prompt.first.clone(),
            ends_there: prompt.ends_there,
            message: UserMessage {
                content: prompt.into_content(),
                time: now,
            },
        });
        id
    }

    pub(crate) fn next(&mut self) -> Option<Accepted> {
        self.waiting.pop_front()
    }

    /// Takes one back; false when it is not waiting (any more).
    pub(crate) fn withdraw(&mut self, id: PromptId) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|p| p.id != id);
        self.waiting.len() < before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        Timestamp::UNIX_EPOCH
    }

    #[test]
    fn first_in_first_out_and_what_was_withdrawn_is_gone() {
        let mut queue = Queue::default();
        let [a, b, c] = ["a", "b", "c"].map(|t| queue.accept(Prompt::text(t), now()));
        assert!(queue.withdraw(b));
        assert!(!queue.withdraw(b));
        assert_eq!(queue.next().map(|p| p.id), Some(a));
        assert!(!queue.withdraw(a), "it is no longer waiting");
        assert_eq!(queue.next().map(|p| p.id), Some(c));
        assert!(queue.is_empty());
        assert!(queue.accept(Prompt::text("d"), now()) > c);
    }

    #[test]
    fn text_comes_before_images_and_nothing_is_still_a_text() {
        let image = Image::from_bytes("image/png", b"x");
        let content = |text: &str, images: Vec<Image>| {
            let text = text.to_owned();
            Prompt {
                text,
                images,
                ..Prompt::default()
            }
            .into_content()
        };
        let picture = Content::Image(image.clone());
        assert_eq!(
            content("look", vec![image.clone()]),
            [Content::text("look"), picture.clone()]
        );
        assert_eq!(content("", vec![image]), [picture]);
        assert_eq!(content("", Vec::new()), [Content::text("")]);
    }
}
