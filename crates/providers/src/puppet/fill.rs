//! `{{name}}` in spoken text: what the puppet was sent, so that a test can see what a model sees.
//!
//! What is filled in is not read again; a name that means nothing stays as it is.

use std::fmt::Write as _;

use zeug_provider::Request;
use zeug_transcript::{Message, Part};

use super::scene::all_written;

/// `text` with every known `{{name}}` replaced.
pub(crate) fn fill(text: &str, request: &Request) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find("{{") {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let known = from[2..]
            .split_once("}}")
            .and_then(|(name, after)| Some((value(name, request)?, after)));
        match known {
            Some((value, after)) => {
                out.push_str(&value);
                rest = after;
            }
            // One brace only: `{{{system}}` still holds a name.
            None => {
                out.push('{');
                rest = &from[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn value(name: &str, request: &Request) -> Option<String> {
    Some(match name {
        "system" => request.system.as_deref().unwrap_or_default().to_owned(),
        "context" => request.context.clone().unwrap_or_default(),
        "tools" => {
            let names: Vec<&str> = request.tools.iter().map(|t| t.name.as_str()).collect();
            names.join(", ")
        }
        "last_result" => last_result(request),
        "messages" => dump(&request.messages),
        _ => return None,
    })
}

fn last_result(request: &Request) -> String {
    request
        .messages
        .iter()
        .rev()
        .find_map(|message| match message {
            Message::Tool(result) => Some(all_written(&result.content)),
            _ => None,
        })
        .unwrap_or_default()
}

/// The conversation, one paragraph a message or part.
fn dump(messages: &[Message]) -> String {
    let mut out = String::new();
    for message in messages {
        match message {
            Message::User(user) => paragraph(&mut out, "user", &all_written(&user.content)),
            Message::Assistant(answer) => {
                for part in &answer.parts {
                    match part {
                        Part::Text(text) => paragraph(&mut out, "assistant", text),
                        Part::Thinking { text, .. } => {
                            paragraph(&mut out, "assistant thinks", text);
                        }
                        Part::ToolCall(call) => paragraph(
                            &mut out,
                            &format!("assistant calls {} [{}]", call.name, call.id),
                            &call.args,
                        ),
                    }
                }
            }
            Message::Tool(result) => paragraph(
                &mut out,
                &format!(
                    "tool {} [{}] {}",
                    result.tool_name,
                    result.call_id,
                    result.status.as_str()
                ),
                &all_written(&result.content),
            ),
        }
    }
    out
}

fn paragraph(out: &mut String, who: &str, what: &str) {
    if !out.is_empty() {
        out.push('\n');
    }
    // Writing to a String does not fail.
    let _ = write!(out, "{who}: {what}");
}
