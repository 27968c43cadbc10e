//! The model's words on their way to the user: the last answer, and what was already shown of it.
//!
//! An extension may replace an answer or keep it back. A replacement is the text of the event; an
//! answer that was kept back is a turn that ends without one.

use zeug_rpc_protocol::{Block, Event};
use zeug_transcript::StopReason;

/// The answers of a run.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// The turn has no answer to show yet.
    awaited: bool,
    streamed: String,
    last: Option<String>,
}

/// What is to be written of an answer that is complete.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Rest<'a> {
    /// This much is missing.
    Missing(&'a str),
    /// What was shown is not what should be shown: this, on a line of its own.
    Instead(&'a str),
}

impl Answers {
    /// Takes note of one event.
    pub(crate) fn observe(&mut self, event: &Event) {
        match event {
            Event::TurnStart { .. } | Event::AssistantStart => {
                self.awaited = true;
                self.streamed.clear();
            }
            Event::TextDelta { delta } => self.streamed.push_str(delta),
            Event::AssistantMessage { content, .. } => {
                self.awaited = false;
                let text = spoken(content);
                if !text.is_empty() {
                    self.last = Some(text);
                }
            }
            Event::TurnEnd { stop, .. } => {
                let complete = !matches!(stop, StopReason::Error | StopReason::Aborted);
                if std::mem::take(&mut self.awaited) && complete {
                    self.last = None;
                }
            }
            _ => {}
        }
    }

    /// The last answer as the user sees it.
    pub(crate) fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// What of a complete answer `text` was not streamed.
    pub(crate) fn rest<'a>(&self, text: &'a str) -> Rest<'a> {
        match text.strip_prefix(self.streamed.as_str()) {
            Some(missing) => Rest::Missing(missing),
            None => Rest::Instead(text),
        }
    }
}

/// The text among the blocks of an answer.
pub(crate) fn spoken(content: &[Block]) -> String {
    content.iter().filter_map(Block::as_text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_not_streamed_is_missing() {
        let check = |streamed: &str, text, expect| {
            let mut answers = Answers::default();
            answers.observe(&Event::AssistantStart);
            answers.observe(&Event::TextDelta {
                delta: streamed.into(),
            });
            assert_eq!(answers.rest(text), expect);
        };
        check("", "held back", Rest::Missing("held back"));
        check("all", "all", Rest::Missing(""));
        check("al", "all", Rest::Missing("l"));
        check("secret", "[redacted]", Rest::Instead("[redacted]"));
    }
}
