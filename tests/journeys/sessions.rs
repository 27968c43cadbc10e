//! Conversations that are kept, gone on with, forked, and survive what happens to a process.

mod changes;
mod commands;
mod extensions;
mod figures;
mod flags;
mod kill;
mod subagents;

use serde_json::Value;

use crate::support::{Ran, World};

/// The open session as the first line of `--json` tells of it.
#[track_caller]
pub(crate) fn session_of(ran: &Ran) -> Value {
    let first = ran.events().into_iter().next().expect("a line");
    assert_eq!(first["type"], "session", "{first}");
    first
}

/// The messages that `zeug sessions show` prints.
#[track_caller]
pub(crate) fn shown(world: &World, args: &[&str]) -> Vec<Value> {
    let args = [&["sessions", "show", "--json"], args].concat();
    world.run(args).exits(0).events()
}

/// `user: text`, `assistant: text`, `call: id`, `result: id text`, for each piece of each message.
pub(crate) fn short(messages: &[Value]) -> Vec<String> {
    let mut said = Vec::new();
    for message in messages {
        let role = message["role"].as_str().unwrap_or_default();
        for block in message["content"].as_array().into_iter().flatten() {
            said.push(piece(role, block));
        }
    }
    said
}

fn piece(role: &str, block: &Value) -> String {
    let text = |of: &Value| of["text"].as_str().unwrap_or_default().to_owned();
    let id = |of: &Value| of.as_str().unwrap_or_default().to_owned();
    match block["type"].as_str() {
        Some("tool_call") => format!("call: {}", id(&block["id"])),
        Some("tool_result") => {
            let content = text(&block["content"][0]);
            format!("result: {} {content}", id(&block["call_id"]))
        }
        _ => format!("{role}: {}", text(block)),
    }
}

/// What the events acknowledge, in the words of [`short`].
pub(crate) fn acknowledged(events: &[Value]) -> Vec<String> {
    let mut said = Vec::new();
    for event in events {
        let role = match event["type"].as_str() {
            Some("user_message") => "user",
            Some("assistant_message") => "assistant",
            Some("tool_result") => {
                let text = event["content"][0]["text"].as_str().unwrap_or_default();
                let id = event["id"].as_str().unwrap_or_default();
                said.push(format!("result: {id} {text}"));
                continue;
            }
            _ => continue,
        };
        for block in event["content"].as_array().into_iter().flatten() {
            said.push(piece(role, block));
        }
    }
    said
}

/// Every call has exactly one result, behind its message and before anything else.
#[track_caller]
pub(crate) fn assert_paired(messages: &[Value]) {
    let mut open: Vec<String> = Vec::new();
    for piece in short(messages) {
        if let Some(call) = piece.strip_prefix("call: ") {
            open.push(call.to_owned());
        } else if let Some(result) = piece.strip_prefix("result: ") {
            let id = result.split(' ').next().unwrap_or_default();
            let at = open.iter().position(|call| call == id);
            let at = at.unwrap_or_else(|| panic!("{id} has a result and no call, or two"));
            open.remove(at);
        } else if piece.starts_with("user: ") {
            assert!(open.is_empty(), "{open:?} have no result before {piece}");
        }
    }
    assert!(open.is_empty(), "{open:?} have no result");
}
