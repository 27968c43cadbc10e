//! The conversation of one machine, in memory, always in a form a provider accepts.
//!
//! Does not know who stores it.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use zeug_transcript::{Content, Message, Status, Timestamp, ToolCall, ToolMessage};

/// What the model is told about a call whose result was lost.
const NO_RESULT: &str = "this call was interrupted and has no result";

/// Written by the running turn only; everybody else takes snapshots.
#[derive(Debug, Default)]
pub(crate) struct Transcript(Mutex<Vec<Message>>);

impl Transcript {
    pub(crate) fn new(history: Vec<Message>) -> Self {
        Self(Mutex::new(mended(history, Timestamp::now())))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Message>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, message: Message) {
        self.lock().push(message);
    }

    pub(crate) fn snapshot(&self) -> Vec<Message> {
        self.lock().clone()
    }

    /// Gives every call a result after a turn broke off; the messages this took.
    pub(crate) fn mend(&self) -> Vec<Message> {
        let mut messages = self.lock();
        let before = messages.len();
        *messages = mended(std::mem::take(&mut *messages), Timestamp::now());
        // Only the last message with calls can lack results, so what is new is at the end.
        messages.get(before..).unwrap_or_default().to_vec()
    }
}

/// The same conversation with exactly one result for each call, right behind its message.
fn mended(messages: Vec<Message>, now: Timestamp) -> Vec<Message> {
    let mut out = Vec::with_capacity(messages.len());
    let mut open: Vec<ToolCall> = Vec::new();
    for message in messages {
        if let Message::Tool(result) = &message {
            // A result without a call, or a second one, makes providers refuse the request.
            if let Some(at) = open.iter().position(|c| c.id == result.call_id) {
                open.remove(at);
                out.push(message);
            }
            continue;
        }
        out.extend(open.drain(..).map(|call| lost(&call, now)));
        if let Message::Assistant(said) = &message {
            let mut seen = HashSet::new();
            open.extend(said.tool_calls().filter(|c| seen.insert(&c.id)).cloned());
        }
        out.push(message);
    }
    out.extend(open.drain(..).map(|call| lost(&call, now)));
    out
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
        assert_eq!(
            shape(&mended(torn, NOW)),
            ["assistant", "b Completed", "a Cancelled", "user"]
        );
    }

    #[test]
    fn a_result_without_a_call_and_a_second_one_are_left_out() {
        let torn = vec![
            result("x", ""),
            calls(&["a"]),
            result("a", "first"),
            result("a", "second"),
        ];
        assert_eq!(shape(&mended(torn, NOW)), ["assistant", "a Completed"]);
    }

    #[test]
    fn mending_says_what_it_added_and_is_done_once() {
        let transcript = Transcript::new(vec![user("hi")]);
        transcript.push(calls(&["a", "b"]));
        transcript.push(result("a", ""));
        assert_eq!(shape(&transcript.mend()), ["b Cancelled"]);
        assert!(transcript.mend().is_empty());
    }
}
