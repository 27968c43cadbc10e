//! Every call has its result: exactly one, right behind the message with the call. Providers refuse
//! a request in which that is not so. Pure.
//!
//! Does not know why a result is missing.

use std::collections::HashSet;

use zeug_transcript::{Content, Message, Status, Timestamp, ToolCall, ToolMessage};

/// What the model is told about a call whose result was lost.
const NO_RESULT: &str = "this call was interrupted and has no result";

/// Whether a provider would accept the conversation.
pub(crate) fn is_sound(messages: &[Message]) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        if let Message::Tool(result) = message {
            let Some(at) = open.iter().position(|id| *id == result.call_id) else {
                return false;
            };
            open.remove(at);
            continue;
        }
        if !open.is_empty() {
            return false;
        }
        if let Message::Assistant(said) = message {
            let mut seen = HashSet::new();
            open.extend(
                said.tool_calls()
                    .map(|c| c.id.as_str())
                    .filter(|id| seen.insert(*id)),
            );
        }
    }
    open.is_empty()
}

/// A conversation that is sound again.
#[derive(Debug, Default)]
pub(crate) struct Mended {
    pub(crate) messages: Vec<Message>,
    /// The results that were put in.
    pub(crate) added: Vec<Message>,
}

/// The same conversation with the results that are missing, and without those that are too many.
pub(crate) fn mended(messages: Vec<Message>, now: Timestamp) -> Mended {
    let mut out = Mended {
        messages: Vec::with_capacity(messages.len()),
        added: Vec::new(),
    };
    let mut open: Vec<ToolCall> = Vec::new();
    for message in messages {
        if let Message::Tool(result) = &message {
            // A result without a call, or a second one, makes providers refuse the request.
            if let Some(at) = open.iter().position(|c| c.id == result.call_id) {
                open.remove(at);
                out.messages.push(message);
            }
            continue;
        }
        out.give_up(&mut open, now);
        if let Message::Assistant(said) = &message {
            let mut seen = HashSet::new();
            open.extend(said.tool_calls().filter(|c| seen.insert(&c.id)).cloned());
        }
        out.messages.push(message);
    }
    out.give_up(&mut open, now);
    out
}

impl Mended {
    fn give_up(&mut self, open: &mut Vec<ToolCall>, now: Timestamp) {
        for call in open.drain(..) {
            let lost = lost(&call, now);
            self.added.push(lost.clone());
            self.messages.push(lost);
        }
    }
}

fn lost(call: &ToolCall, now: Timestamp) -> Message {
    Message::Tool(ToolMessage {
        call_id: call.id.clone(),
        tool_name: call.name.clone(),
        content: vec![Content::text(NO_RESULT)],
        status: Status::Cancelled,
        time: now,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeug_transcript::{AssistantMessage, Part, StopReason, UserMessage};

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn user(text: &str) -> Message {
        Message::User(UserMessage {
            content: vec![Content::text(text)],
            time: NOW,
        })
    }

    fn calls(ids: &[&str]) -> Message {
        let call = |id: &&str| {
            Part::ToolCall(ToolCall {
                id: (*id).to_owned(),
                name: "t".into(),
                args: String::new(),
            })
        };
        Message::Assistant(AssistantMessage {
            parts: ids.iter().map(call).collect(),
            stop: StopReason::ToolUse,
            usage: None,
            provider: None,
            model: None,
            shown: None,
            time: NOW,
        })
    }

    fn result(id: &str, text: &str) -> Message {
        Message::Tool(ToolMessage {
            call_id: id.to_owned(),
            tool_name: "t".into(),
            content: vec![Content::text(text)],
            status: Status::Completed,
            time: NOW,
        })
    }

    fn shape(messages: &[Message]) -> Vec<String> {
        let one = |m: &Message| match m {
            Message::User(_) => "user".to_owned(),
            Message::Assistant(_) => "assistant".to_owned(),
            Message::Tool(t) => format!("{} {:?}", t.call_id, t.status),
        };
        messages.iter().map(one).collect()
    }

    #[test]
    fn a_call_without_a_result_gets_one_in_its_place() {
        let torn = vec![calls(&["a", "b"]), result("b", ""), user("go on")];
        assert!(!is_sound(&torn));
        let mended = mended(torn, NOW);
        assert_eq!(
            shape(&mended.messages),
            ["assistant", "b Completed", "a Cancelled", "user"]
        );
        assert_eq!(shape(&mended.added), ["a Cancelled"]);
        assert!(is_sound(&mended.messages));
    }

    #[test]
    fn a_result_without_a_call_and_a_second_one_are_left_out() {
        let torn = vec![
            result("x", ""),
            calls(&["a"]),
            result("a", "first"),
            result("a", "second"),
        ];
        assert!(!is_sound(&torn));
        let mended = mended(torn, NOW);
        assert_eq!(shape(&mended.messages), ["assistant", "a Completed"]);
        assert!(mended.added.is_empty());
    }
}
