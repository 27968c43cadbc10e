//! Whatever arrives, decoding answers; and what it accepts, it writes on one line.

use proptest::prelude::*;
use serde_json::{Map, Value};
use zeug_ext_protocol::limits::{self, FRAME_BYTES};
use zeug_ext_protocol::{FromExtension, ToExtension};

use crate::vector::all;

fn decode_both(line: &str) {
    let _ = FromExtension::decode(line);
    if let Ok(frame) = ToExtension::decode(line)
        && !matches!(frame, ToExtension::Unknown(_))
    {
        let written = frame.encode().unwrap();
        assert!(!written.contains(&b'\n') && !written.contains(&b'\r'));
        let again = ToExtension::decode(std::str::from_utf8(&written).unwrap()).unwrap();
        assert_eq!(again.encode().unwrap(), written);
    }
}

/// Any JSON, some levels deep.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        // Eighths are exact: the parser is allowed to miss other doubles by one bit.
        any::<i32>().prop_map(|n| Value::from(f64::from(n) / 8.0)),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// A frame of a known type whose known fields hold anything.
fn nearly_a_frame() -> impl Strategy<Value = Value> {
    let kinds: Vec<&str> = [FromExtension::KINDS, ToExtension::KINDS].concat();
    let fields = prop::sample::select(vec![
        "id",
        "name",
        "args",
        "content",
        "details",
        "events",
        "intercept",
        "on",
        "lines",
        "panel",
        "state",
        "session",
        "tool_args",
        "step",
        "schema",
        "annotations",
        "text",
        "protocol_version",
        "event",
        "result",
        "block",
        "modified_args",
        "width",
        "panel_id",
        "key",
    ]);
    let fields = prop::collection::vec((fields, json()), 0..6);
    (prop::sample::select(kinds), fields).prop_map(|(kind, fields)| {
        let mut frame = Map::new();
        frame.insert("type".into(), kind.into());
        frame.extend(
            fields
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value)),
        );
        Value::Object(frame)
    })
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        decode_both(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn arbitrary_json_never_panics(value in json()) {
        decode_both(&value.to_string());
    }

    #[test]
    fn arbitrary_fields_never_panic(value in nearly_a_frame()) {
        decode_both(&value.to_string());
        decode_both(&serde_json::to_string_pretty(&value).unwrap());
    }

    #[test]
    fn a_damaged_frame_never_panics(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut vectors = all();
        let mut line = vectors.swap_remove(which.index(vectors.len())).line;
        if !line.is_empty() {
            let at = at.index(line.len());
            line[at] = byte;
        }
        decode_both(&String::from_utf8_lossy(&line));
    }
}

#[test]
fn depth_does_not_overflow_the_stack() {
    let depth = 100_000;
    let (open, close) = ("[".repeat(depth), "]".repeat(depth));
    for start in [
        r#"{"type":"tool_result","id":"call-1","details":"#,
        r#"{"type":"register_tool","name":"x","schema":"#,
        r#"{"type":"subscribe","on":"#,
        r#"{"type":"subscribe","intercept":"#,
        r#"{"type":"ready","x":"#,
        r#"{"type":"event","event":"tool_call","tool_args":"#,
        r#"{"type":"event","event":"session_opened","state":"#,
        r#"{"type":"tool_call","id":"call-1","name":"x","args":"#,
        r#"{"type":"shutdown","x":"#,
        r#"{"type":"#,
        r#"{"x":"#,
        "",
    ] {
        let end = if start.is_empty() { "" } else { "}" };
        decode_both(&format!("{start}{open}{close}{end}"));
        decode_both(&format!("{start}{open}"));
    }
}

#[test]
fn deep_raw_values_are_kept() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let line = format!(r#"{{"type":"tool_result","id":"call-1","details":{deep}}}"#);
    let Ok(FromExtension::ToolResult(result)) = FromExtension::decode(&line) else {
        panic!("no tool_result");
    };
    assert_eq!(result.details.unwrap().get(), deep);
}

#[test]
fn the_longest_frame_decodes() {
    let empty = r#"{"type":"notify","level":"info","message":""}"#;
    let text = "x".repeat(FRAME_BYTES - empty.len());
    let line = empty.replace(r#""""#, &format!("\"{text}\""));
    assert_eq!(line.len(), FRAME_BYTES);
    assert!(FromExtension::decode(&line).is_ok());
}

#[test]
fn limits_have_one_name_each() {
    let mut names: Vec<&str> = limits::TABLE.iter().map(|limit| limit.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
