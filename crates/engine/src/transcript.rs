//! The conversation of one machine, in memory, always in a form a provider accepts.
//!
//! Does not know who stores it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use zeug_transcript::{Message, Usage, pairing};

/// Written by the running turn, and between turns by its owner; everybody else takes snapshots.
#[derive(Debug, Default)]
pub(crate) struct Transcript(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    messages: Vec<Message>,
    measured: Option<Measured>,
}

/// What a provider counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Measured {
    /// So many messages, from the first on, with everything around them.
    pub(crate) messages: usize,
    /// Are so many tokens.
    pub(crate) tokens: u64,
}

impl Transcript {
    pub(crate) fn new(history: Vec<Message>) -> Self {
        Self(Mutex::new(State {
            messages: paired(history).0,
            measured: None,
        }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, message: Message) {
        self.lock().messages.push(message);
    }

    pub(crate) fn snapshot(&self) -> Vec<Message> {
        self.lock().messages.clone()
    }

    /// Looks at the messages where they are.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&[Message]) -> T) -> T {
        look(&self.lock().messages)
    }

    /// Another conversation takes the place of this one; calls without a result are given one.
    pub(crate) fn adopt(&self, history: Vec<Message>) {
        self.replace(paired(history).0);
    }

    /// Other messages take the place of all.
    pub(crate) fn replace(&self, messages: Vec<Message>) {
        *self.lock() = State {
            messages,
            measured: None,
        };
    }

    /// Gives every call a result when one is missing; the messages this took.
    pub(crate) fn mend(&self) -> Vec<Message> {
        let mut state = self.lock();
        if pairing::is_paired(&state.messages) {
            return Vec::new();
        }
        let (messages, added) = paired(std::mem::take(&mut state.messages));
        *state = State {
            messages,
            measured: None,
        };
        added
    }

    /// Takes note of what the provider counted for everything up to its last answer.
    pub(crate) fn measure(&self, usage: &Usage) {
        let sent = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
        // Some providers report only what they like.
        if sent > 0 {
            let mut state = self.lock();
            state.measured = Some(Measured {
                messages: state.messages.len(),
                tokens: sent + usage.output_tokens,
            });
        }
    }

    /// What the provider counted last, while it still holds.
    pub(crate) fn measured(&self) -> Option<Measured> {
        self.lock().measured
    }
}

/// The conversation as a provider accepts it, and the results that this took.
fn paired(messages: Vec<Message>) -> (Vec<Message>, Vec<Message>) {
    let mut added = Vec::new();
    let lost = |result| {
        added.push(Message::Tool(result));
        added[added.len() - 1].clone()
    };
    let messages = pairing::pair(messages, |message| message, lost);
    (messages, added)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeug_transcript::{
        AssistantMessage, Content, Part, StopReason, Timestamp, ToolCall, UserMessage,
    };

    fn user(text: &str) -> Message {
        Message::User(UserMessage {
            content: vec![Content::text(text)],
            time: Timestamp::UNIX_EPOCH,
        })
    }

    #[test]
    fn mending_says_what_it_added_and_is_done_once() {
        let call = |id: &str| Part::ToolCall(ToolCall::new(id.to_owned(), "t", String::new()));
        let transcript = Transcript::new(vec![user("hi")]);
        transcript.push(Message::Assistant(AssistantMessage {
            parts: vec![call("a"), call("b")],
            stop: StopReason::ToolUse,
            usage: None,
            provider: None,
            model: None,
            shown: None,
            time: Timestamp::UNIX_EPOCH,
        }));
        let added = transcript.mend();
        assert_eq!(added.len(), 2);
        assert_eq!(transcript.snapshot()[2..], added);
        assert!(transcript.mend().is_empty());
    }

    #[test]
    fn what_was_counted_holds_until_the_messages_are_replaced() {
        let transcript = Transcript::new(vec![user("hi")]);
        transcript.measure(&Usage::default());
        assert_eq!(transcript.measured(), None, "nothing was counted");
        transcript.measure(&Usage {
            input_tokens: 10,
            output_tokens: 5,
            cache_read_tokens: 100,
            cache_write_tokens: 1,
            ..Usage::default()
        });
        transcript.push(user("more"));
        let measured = Measured {
            messages: 1,
            tokens: 116,
        };
        assert_eq!(transcript.measured(), Some(measured));
        transcript.replace(vec![user("other")]);
        assert_eq!(transcript.measured(), None);
        assert_eq!(transcript.snapshot().len(), 1);
    }
}
