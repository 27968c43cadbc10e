//! Where Anthropic's prompt cache is told to write.
//!
//! A mark caches all that stands before it: tools, then the system prompt, then the messages. The
//! last message is marked for the next request, and the user message before it so that this
//! request surely finds what the one before wrote: a lookup goes back 20 blocks from a mark, and
//! many calls in one turn can be more. Hidden context stands behind the last mark: it will be gone
//! in the next request.

use serde_json::{Value, json};

/// The places that are marked: the tools, the system prompt, two user messages. The API takes four
/// marks.
const USER_MARKS: usize = 2;

/// Marks a request's body.
pub(crate) fn place(body: &mut Value, hidden: bool) {
    for list in ["tools", "system"] {
        if let Some(last) = body.get_mut(list).and_then(last_block) {
            mark(last);
        }
    }
    let messages = body.get_mut("messages").and_then(Value::as_array_mut);
    let role = |message: &Value| {
        message
            .get("role")
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    // Where models hear instructions late, hidden context is a message of its own.
    let own = messages
        .as_ref()
        .and_then(|messages| messages.last())
        .is_some_and(|last| role(last).as_deref() == Some("system"));
    let mut skip = usize::from(hidden && !own);
    let users = messages
        .into_iter()
        .flatten()
        .rev()
        .filter(|message| role(message).as_deref() == Some("user"))
        .take(USER_MARKS);
    for user in users {
        let blocks = user.get_mut("content").and_then(Value::as_array_mut);
        let last = blocks.and_then(|blocks| {
            let at = blocks.len().checked_sub(1 + std::mem::take(&mut skip))?;
            blocks.get_mut(at)
        });
        if let Some(last) = last {
            mark(last);
        }
    }
}

fn last_block(list: &mut Value) -> Option<&mut Value> {
    list.as_array_mut()?.last_mut()
}

fn mark(block: &mut Value) {
    if let Some(fields) = block.as_object_mut() {
        fields.insert("cache_control".to_owned(), json!({"type": "ephemeral"}));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(hidden: bool, mut body: Value) -> Vec<String> {
        place(&mut body, hidden);
        let mut found = Vec::new();
        search("", &body, &mut found);
        found
    }

    fn search(path: &str, value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    if key == "cache_control" {
                        found.push(path.to_owned());
                    }
                    search(&format!("{path}/{key}"), value, found);
                }
            }
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    search(&format!("{path}/{at}"), item, found);
                }
            }
            _ => {}
        }
    }

    fn body() -> Value {
        json!({
            "tools": [{"name": "a"}, {"name": "b"}],
            "system": [{"type": "text", "text": "s"}],
            "messages": [
                {"role": "user", "content": [{"text": "0"}]},
                {"role": "assistant", "content": [{"text": "1"}]},
                {"role": "user", "content": [{"text": "2"}]},
                {"role": "assistant", "content": [{"text": "3"}]},
                {"role": "user", "content": [{"text": "4"}, {"text": "hidden"}]},
            ],
        })
    }

    #[test]
    fn four_places_are_marked_and_hidden_context_is_behind_them() {
        let fixed = ["/tools/1", "/system/0", "/messages/2/content/0"];
        let with = |last: &str| {
            let mut all: Vec<String> = fixed.iter().map(|s| (*s).to_owned()).collect();
            all.push(last.to_owned());
            all
        };
        assert_eq!(marked(false, body()), with("/messages/4/content/1"));
        assert_eq!(marked(true, body()), with("/messages/4/content/0"));
        let mut late = body();
        let system = json!({"role": "system", "content": [{"text": "hidden"}]});
        late["messages"].as_array_mut().unwrap().push(system);
        assert_eq!(marked(true, late), with("/messages/4/content/1"));
    }

    #[test]
    fn a_request_of_hidden_context_alone_has_no_mark_in_its_messages() {
        let body = json!({"messages": [{"role": "user", "content": [{"text": "hidden"}]}]});
        assert!(marked(true, body).is_empty());
    }
}
