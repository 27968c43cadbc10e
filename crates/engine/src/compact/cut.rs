//! Where a conversation is cut: what is before goes into a summary, what is behind stays as it is.
//! Pure.
//!
//! Does not know why it is cut.

use zeug_transcript::{Content, Message, Timestamp, UserMessage};

use super::estimate;

/// Messages that always stay (compatibility: the last 4). More stay when the cut would otherwise
/// part a call from its result.
pub(super) const KEPT: usize = 4;
/// How a summary in the conversation begins, so that it is known for what it is.
const MARK: &str = "<conversation-summary>";
/// An automatic compaction must cover at least one part in so many; else it would be repeated step
/// after step for next to nothing.
const WORTH: u64 = 8;

/// The first message that stays; `None` when nothing can go.
pub(crate) fn first_kept(messages: &[Message]) -> Option<usize> {
    let mut first = messages.len().saturating_sub(KEPT);
    // Results stand right behind the message with their calls.
    while first > 0 && matches!(messages[first], Message::Tool(_)) {
        first -= 1;
    }
    (first > usize::from(messages.first().is_some_and(is_summary))).then_some(first)
}

/// Whether a cut would free enough to be worth a summary.
pub(super) fn is_worthwhile(messages: &[Message]) -> bool {
    first_kept(messages).is_some_and(|first| {
        let old = usize::from(is_summary(&messages[0]));
        let covered = estimate::of(&messages[old..first]);
        covered.saturating_mul(WORTH) >= estimate::of(messages)
    })
}

/// Whether the message stands for older ones.
pub(super) fn is_summary(message: &Message) -> bool {
    match message {
        Message::User(said) => {
            let text = said.content.first().and_then(Content::as_text);
            text.is_some_and(|text| text.starts_with(MARK))
        }
        Message::Assistant(_) | Message::Tool(_) => false,
    }
}

/// The message that stands for older ones, as the model is told it.
#[must_use]
pub fn summary_message(summary: &str, time: Timestamp) -> UserMessage {
    let text = format!(
        "{MARK}\n{}\n</conversation-summary>\n\nEarlier messages of this conversation were \
         replaced by this summary to make room. What follows is the conversation as it was. Go on \
         from there.",
        summary.trim()
    );
    UserMessage {
        content: vec![Content::text(text)],
        time,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeug_transcript::{AssistantMessage, Part, Status, StopReason, ToolCall, ToolMessage};

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    /// `u` a user's message, `a` a text of the model, a digit so many calls with their results,
    /// `s` a summary.
    fn conversation(shape: &str) -> Vec<Message> {
        let mut all = Vec::new();
        for c in shape.chars() {
            match c {
                'u' => all.push(Message::User(UserMessage {
                    content: vec![Content::text("user")],
                    time: NOW,
                })),
                's' => all.push(Message::User(summary_message("so far", NOW))),
                'a' => all.push(said(vec![Part::Text("text".into())])),
                n => calls(n.to_digit(10).unwrap(), &mut all),
            }
        }
        all
    }

    fn said(parts: Vec<Part>) -> Message {
        Message::Assistant(AssistantMessage {
            parts,
            stop: StopReason::EndTurn,
            usage: None,
            provider: None,
            model: None,
            shown: None,
            time: NOW,
        })
    }

    fn calls(n: u32, all: &mut Vec<Message>) {
        let call = |i: u32| Part::ToolCall(ToolCall::new(i.to_string(), "t", String::new()));
        all.push(said((0..n).map(call).collect()));
        all.extend((0..n).map(|i| {
            Message::Tool(ToolMessage {
                call_id: i.to_string(),
                tool_name: "t".into(),
                content: vec![Content::text("result")],
                status: Status::Completed,
                time: NOW,
            })
        }));
    }

    #[test]
    fn at_least_four_messages_stay_and_a_result_stays_with_its_call() {
        for (shape, expect) in [
            ("", None),
            ("uaua", None),
            ("uauau", Some(1)),
            ("uauauaua", Some(4)),
            ("ua3", Some(2)),
            ("u4", Some(1)),
            ("uau3", Some(3)),
            ("uau1a", Some(2)),
            ("u1111", Some(5)),
            ("u9", Some(1)),
            ("9", None),
        ] {
            assert_eq!(first_kept(&conversation(shape)), expect, "{shape}");
        }
    }

    #[test]
    fn a_summary_alone_is_nothing_to_summarise() {
        assert_eq!(first_kept(&conversation("suaua")), None);
        assert_eq!(first_kept(&conversation("suauau")), Some(2));
    }

    #[test]
    fn little_before_much_is_not_worth_a_summary() {
        assert!(is_worthwhile(&conversation("uauauaua")));
        let mut messages = conversation("uauauaua");
        messages[6] = said(vec![Part::Text("x".repeat(10_000))]);
        assert!(!is_worthwhile(&messages));
        assert!(!is_worthwhile(&conversation("uaua")));
    }
}
