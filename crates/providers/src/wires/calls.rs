//! The ids of tool calls, as early as the provider says them.
//!
//! The library tells a call's id when the call is complete; extensions and faces want it when it
//! begins. So the frames are looked at on their way. What is found is a guess that saves a note:
//! where it was wrong, [`replay`](super::replay) remembers the provider's own id.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

/// Calls that were announced and have not begun yet, for one answer. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallIds(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    announced: VecDeque<(String, String)>,
    seen: HashSet<String>,
}

/// Where a frame may hold calls. What a call's arguments hold is none of them.
const PATHS: [&str; 11] = [
    "content_block",
    "item",
    "choices",
    "delta",
    "message",
    "tool_calls",
    "candidates",
    "content",
    "parts",
    "functionCall",
    "output",
];

impl CallIds {
    /// Looks at a frame.
    pub(crate) fn look(&self, frame: &str) {
        // Most frames are a few words of text.
        if !frame.contains("\"name\"") {
            return;
        }
        if let Ok(frame) = serde_json::from_str::<Value>(frame) {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.search(&frame);
        }
    }

    /// The id of the next call of this tool, when it is known.
    pub(crate) fn take(&self, name: &str) -> Option<String> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = state
            .announced
            .iter()
            .position(|(known, _)| known == name)?;
        state.announced.remove(at).map(|(_, id)| id)
    }
}

impl State {
    fn search(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.search(item)),
            Value::Object(fields) => {
                let text = |value: Option<&Value>| {
                    let text = value.and_then(Value::as_str);
                    text.filter(|text| !text.is_empty()).map(str::to_owned)
                };
                let name = text(fields.get("name"))
                    .or_else(|| text(fields.get("function").and_then(|call| call.get("name"))));
                let id = text(fields.get("call_id")).or_else(|| text(fields.get("id")));
                if let (Some(name), Some(id)) = (name, id)
                    && self.seen.insert(id.clone())
                {
                    self.announced.push_back((name, id));
                }
                for path in PATHS {
                    if let Some(inner) = fields.get(path) {
                        self.search(inner);
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(frames: &[&str]) -> Vec<String> {
        let ids = CallIds::default();
        frames.iter().for_each(|frame| ids.look(frame));
        std::iter::from_fn(|| ids.take("read")).collect()
    }

    #[test]
    fn every_grammar_announces_its_calls() {
        for frame in [
            r#"{"type":"content_block_start","content_block":{"type":"tool_use","id":"c","name":"read","input":{}}}"#,
            r#"{"type":"response.output_item.added","item":{"type":"function_call","id":"fc_1","call_id":"c","name":"read"}}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"read"}}]}}]}"#,
            r#"{"candidates":[{"content":{"parts":[{"functionCall":{"id":"c","name":"read"}}]}}]}"#,
            r#"{"message":{"tool_calls":[{"id":"c","function":{"name":"read"}}]}}"#,
        ] {
            assert_eq!(found(&[frame]), ["c"], "{frame}");
            assert_eq!(found(&[frame, frame]), ["c"], "said twice: {frame}");
        }
    }

    #[test]
    fn arguments_announce_nothing() {
        let frame = r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"write",
            "args":{"name":"read","id":"x"}}}]}}]}"#;
        assert!(found(&[frame]).is_empty());
        assert!(found(&[r#"{"name":"read","id":"#, "\"name\""]).is_empty());
    }
}
