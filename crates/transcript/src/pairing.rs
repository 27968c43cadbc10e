//! Every call has its result: exactly one, behind the message with the call and before anything
//! else. Providers refuse a request in which that is not so. Pure.
//!
//! Does not know why a result is missing, nor what a message is part of.

use std::collections::HashSet;

use crate::{Content, Message, Status, Timestamp, ToolCall, ToolMessage};

/// What the model is told about a call whose result was lost.
const NO_RESULT: &str = "this call was interrupted and has no result";

/// Whether a provider would accept the conversation.
#[must_use]
pub fn is_paired(messages: &[Message]) -> bool {
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
        open.extend(calls(message).map(|call| call.id.as_str()));
    }
    open.is_empty()
}

/// The same conversation with exactly one result for each call, in the order of the calls. Results
/// that are too many go; `lost` makes an item of one that is missing.
///
/// `message` looks at an item. A missing result carries the time of its call, so that the same
/// conversation is always mended in the same way and a provider's cache can be used.
pub fn pair<T>(
    items: Vec<T>,
    message: impl Fn(&T) -> &Message,
    mut lost: impl FnMut(ToolMessage) -> T,
) -> Vec<T> {
    let mut out = Vec::with_capacity(items.len());
    let mut open: Vec<Owed<T>> = Vec::new();
    for item in items {
        if let Message::Tool(result) = message(&item) {
            let owed = open.iter_mut().find(|owed| owed.call.id == result.call_id);
            if let Some(owed) = owed.filter(|owed| owed.result.is_none()) {
                owed.result = Some(item);
            }
            continue;
        }
        out.extend(open.drain(..).map(|owed| owed.settle(&mut lost)));
        let said = message(&item);
        let owed: Vec<Owed<T>> = calls(said).map(|call| Owed::by(call, said)).collect();
        out.push(item);
        open = owed;
    }
    out.extend(open.drain(..).map(|owed| owed.settle(&mut lost)));
    out
}

/// The calls of a message; of those with the same id, the first.
fn calls(message: &Message) -> impl Iterator<Item = &ToolCall> {
    let mut seen = HashSet::new();
    let said = match message {
        Message::Assistant(said) => Some(said),
        Message::User(_) | Message::Tool(_) => None,
    };
    said.into_iter()
        .flat_map(|said| said.tool_calls())
        .filter(move |call| seen.insert(call.id.as_str()))
}

/// A call that owes a result.
struct Owed<T> {
    call: ToolCall,
    time: Timestamp,
    result: Option<T>,
}

impl<T> Owed<T> {
    fn by(call: &ToolCall, message: &Message) -> Self {
        Self {
            call: call.clone(),
            time: message.time(),
            result: None,
        }
    }

    /// The result, or what stands for it.
    fn settle(self, lost: &mut impl FnMut(ToolMessage) -> T) -> T {
        let Self { call, time, result } = self;
        result.unwrap_or_else(|| {
            lost(ToolMessage {
                call_id: call.id,
                tool_name: call.name,
                content: vec![Content::text(NO_RESULT)],
                status: Status::Cancelled,
                time,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AssistantMessage, Part, StopReason, UserMessage};

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn user(text: &str) -> Message {
        Message::User(UserMessage {
            content: vec![Content::text(text)],
            time: NOW,
        })
    }

    fn asks(ids: &[&str]) -> Message {
        let call = |id: &&str| Part::ToolCall(ToolCall::new((*id).to_owned(), "t", String::new()));
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

    #[track_caller]
    fn check(torn: Vec<Message>, expect: &[&str], added: usize) {
        assert!(!is_paired(&torn), "there is something to mend");
        let mut lost = 0;
        let paired = pair(
            torn,
            |message| message,
            |result| {
                lost += 1;
                Message::Tool(result)
            },
        );
        let one = |m: &Message| match m {
            Message::User(_) => "user".to_owned(),
            Message::Assistant(_) => "assistant".to_owned(),
            Message::Tool(t) => format!("{} {:?}", t.call_id, t.status),
        };
        let shape: Vec<String> = paired.iter().map(one).collect();
        assert_eq!(shape, expect);
        assert_eq!(lost, added);
        assert!(is_paired(&paired));
    }

    #[test]
    fn a_call_without_a_result_gets_one_in_its_place() {
        check(
            vec![asks(&["a", "b"]), result("b", ""), user("go on")],
            &["assistant", "a Cancelled", "b Completed", "user"],
            1,
        );
    }

    #[test]
    fn a_result_without_a_call_and_a_second_one_are_left_out() {
        check(
            vec![
                result("x", ""),
                asks(&["a", "a"]),
                result("a", "first"),
                result("a", "second"),
            ],
            &["assistant", "a Completed"],
            0,
        );
    }

    #[test]
    fn results_take_the_order_of_their_calls() {
        let settled = vec![asks(&["a", "b"]), result("b", ""), result("a", "")];
        assert!(is_paired(&settled), "any order is accepted");
        let ordered = pair(settled, |message| message, Message::Tool);
        assert_eq!(ordered[1..], [result("a", ""), result("b", "")]);
    }
}
