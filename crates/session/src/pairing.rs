//! Every call has its result, and every result its call: providers refuse anything else.
//!
//! Mends what the model is told. The rows stay as they are.

use std::collections::HashSet;

use zeug_transcript::{Content, Message, Status, Timestamp, ToolCall, ToolMessage};

use crate::context::{Item, Source};

/// What the model is told about a call whose result was lost.
const NO_RESULT: &str = "this call was interrupted and has no result";

/// The same messages with exactly one result for each call, right behind its message.
///
/// Missing results carry the time of their call, so that the same file always gives the same
/// context and the provider's cache can be used.
pub(crate) fn mended(items: Vec<Item>) -> Vec<Item> {
    let mut out = Vec::with_capacity(items.len());
    let mut open: Vec<(ToolCall, Timestamp)> = Vec::new();
    for item in items {
        match &item.message {
            Message::Tool(result) => {
                if let Some(at) = open.iter().position(|(c, _)| c.id == result.call_id) {
                    open.remove(at);
                    out.push(item);
                }
                continue;
            }
            Message::User(_) => out.extend(open.drain(..).map(lost)),
            Message::Assistant(said) => {
                out.extend(open.drain(..).map(lost));
                let mut seen = HashSet::new();
                let calls = said.tool_calls().filter(|call| seen.insert(&call.id));
                open.extend(calls.map(|call| (call.clone(), said.time)));
            }
        }
        out.push(item);
    }
    out.extend(open.drain(..).map(lost));
    out
}

fn lost((call, time): (ToolCall, Timestamp)) -> Item {
    Item {
        entry: None,
        source: Source::Mended,
        message: Message::Tool(ToolMessage {
            call_id: call.id,
            tool_name: call.name,
            content: vec![Content::text(NO_RESULT)],
            status: Status::Cancelled,
            time,
        }),
    }
}
