//! Frames of a wanted size, filled with what tools really return: source text and small objects.

use serde_json::{Map, Value, json};

/// Sizes of frames: an everyday answer, a file, the most that a frame may have.
pub(crate) const SIZES: [(usize, &str); 3] = [
    (200, "200 B"),
    (64 * 1024, "64 KiB"),
    (4 * 1024 * 1024, "4 MiB"),
];

/// A line as in a program: indented, with quotes to escape and a character beyond ASCII.
const SOURCE_LINE: &str = "    let total = prices.iter().sum::<f64>(); // \"net\", in \u{20ac}\n";

/// Bytes of `text` in a JSON string.
fn encoded_bytes(text: &str) -> usize {
    Value::from(text).to_string().len() - 2
}

/// Text that has `bytes` bytes in a JSON string.
pub(crate) fn text(bytes: usize) -> String {
    let line_bytes = encoded_bytes(SOURCE_LINE);
    let mut text = SOURCE_LINE.repeat(bytes / line_bytes);
    text += &"x".repeat(bytes % line_bytes);
    text
}

/// An object of `bytes` bytes: paths, numbers, flags and a text, as tools take them.
pub(crate) fn args(bytes: usize) -> Value {
    let mut args = Map::new();
    let mut left = bytes.saturating_sub(json!({ "rest": "" }).to_string().len());
    for at in 0.. {
        let edit = json!({
            "path": format!("src/part_{at}/main.rs"), "line": at, "old": "let a = 1;\n",
            "new": "let a = 2; // \"two\"\n", "all": at % 2 == 0
        });
        let key = format!("edit_{at}");
        let cost = edit.to_string().len() + key.len() + "\"\":,".len();
        if cost > left {
            break;
        }
        left -= cost;
        args.insert(key, edit);
    }
    args.insert("rest".to_owned(), text(left).into());
    Value::Object(args)
}

/// `tool_result` with one block of text, `bytes` long in all.
pub(crate) fn tool_result(bytes: usize) -> Value {
    let frame = |text: String| json!({"type": "tool_result", "id": "call-17", "content": [{"type": "text", "text": text}]});
    let empty = frame(String::new()).to_string().len();
    frame(text(bytes - empty))
}

/// `call_tool` with arguments, `bytes` long in all.
pub(crate) fn call_tool(bytes: usize) -> Value {
    let frame =
        |args: Value| json!({"type": "call_tool", "id": "r17", "name": "edit", "args": args});
    let empty = frame(json!({})).to_string().len();
    frame(args(bytes + "{}".len() - empty))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_have_the_size_they_are_asked_for() {
        for (bytes, _) in SIZES {
            assert_eq!(tool_result(bytes).to_string().len(), bytes);
            assert_eq!(call_tool(bytes).to_string().len(), bytes);
        }
    }
}
