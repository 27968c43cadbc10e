//! Rows there and back, and rows of other hands.

use zeug_transcript::{Content, UserMessage};

use super::*;
use crate::entry::{
    ActivatedTools, BranchMark, Compaction, ExtensionState, Meta, Rename, UsageRecord,
};

fn id(number: u64) -> EntryId {
    EntryId::new(number, 1)
}

fn user(text: &str) -> Body {
    Body::Message(Message::User(UserMessage {
        content: vec![Content::text(text)],
        time: Timestamp::UNIX_EPOCH,
    }))
}

fn state(json: &str) -> Body {
    Body::ExtensionState(ExtensionState {
        extension: "clock".into(),
        state: RawJson::parse(json).unwrap(),
    })
}

fn encoded(body: &Body) -> Vec<u8> {
    let mut line = Vec::new();
    encode(&mut line, id(2), Some(id(1)), Timestamp::UNIX_EPOCH, body).unwrap();
    line
}

fn every_body() -> Vec<Body> {
    vec![
        Body::Meta(Meta {
            title: Some("a \"title\"\n".into()),
            ..Meta::default()
        }),
        Body::Meta(Meta::default()),
        user("hello\nworld"),
        Body::Usage(UsageRecord::default()),
        state(r#"{"a":[1,2]}"#),
        state("null"),
        Body::ActivatedTools(ActivatedTools {
            tools: vec!["x".into()],
        }),
        Body::Compaction(Compaction {
            summary: "s".into(),
            first_kept: Some(id(1)),
            covers_messages: 3,
            tokens_before: 9,
        }),
        Body::Rename(Rename { title: "t".into() }),
        Body::Clear,
        Body::Branch(BranchMark::default()),
        Body::Branch(BranchMark {
            name: Some("n".into()),
        }),
        Body::Switch,
        Body::Other(Other {
            kind: "of \"tomorrow\"".into(),
            fields: RawJson::parse(r#"{"x":{"y":1.50}}"#).unwrap(),
        }),
        Body::Other(Other {
            kind: "empty".into(),
            fields: RawJson::empty_object(),
        }),
    ]
}

#[test]
fn every_body_comes_back_as_it_went_in_one_line() {
    for body in every_body() {
        let line = encoded(&body);
        assert_eq!(line.iter().filter(|b| **b == b'\n').count(), 1);
        let back = decode(line.trim_ascii_end()).unwrap();
        assert_eq!(back.body, body);
        assert_eq!((back.id, back.parent), (id(2), Some(id(1))));
        assert_eq!(head(&line).unwrap().kind, body.kind());
    }
}

#[test]
fn both_ways_of_reading_a_head_agree() {
    for body in every_body() {
        let line = encoded(&body);
        let slow = slow_head(&line[..]).unwrap();
        if let Some(fast) = fast_head(&line) {
            assert_eq!(fast, slow);
        } else {
            assert_eq!(slow.kind, Kind::Other, "only odd kinds may be slow");
        }
    }
}

#[test]
fn line_breaks_in_foreign_json_do_not_break_the_row() {
    let body = state("{\n \"a\":\r\n 1}");
    let line = encoded(&body);
    assert_eq!(line.iter().filter(|b| **b == b'\n').count(), 1);
    let Body::ExtensionState(back) = decode(&line).unwrap().body else {
        panic!("another kind");
    };
    assert_eq!(back.state.to_value(), serde_json::json!({"a": 1}));
}

#[test]
fn an_object_is_wanted_of_an_unknown_kind() {
    let body = Body::Other(Other {
        kind: "x".into(),
        fields: RawJson::parse("[1]").unwrap(),
    });
    let mut line = Vec::new();
    assert!(encode(&mut line, id(1), None, Timestamp::UNIX_EPOCH, &body).is_err());
}

#[test]
fn a_row_in_another_order_is_read_and_one_with_rubble_behind_it_too() {
    let line =
        br#"{ "kind":"message", "message":{"User":{"content":[],"time":"1970-01-01T00:00:00Z"}},
        "role":"user", "id":"2abcdef" } x"#;
    assert!(fast_head(line).is_none());
    let entry = decode(line).unwrap();
    assert_eq!(entry.parent, None);
    assert_eq!(entry.body.kind(), Kind::Message(Role::User));
}

#[test]
fn rewriting_keeps_what_nobody_knows() {
    let line = br#"{"id":"2abcdef","parent":null,"time":"1970-01-01T00:00:00Z","kind":"message","role":"user","message":{"User":{"content":[],"time":"1970-01-01T00:00:00Z","mood":1}},"extra":[1.0]}"#;
    let mut out = Vec::new();
    rewrite(&mut out, first_value(line).unwrap(), id(7), Some(id(6))).unwrap();
    let head = fast_head(&out).expect("in the quick order again");
    assert_eq!((head.id, head.parent), (id(7), Some(id(6))));
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains(r#""mood":1"#) && text.contains(r#""extra":[1.0]"#));
}

#[test]
fn a_damaged_row_may_still_name_its_parent() {
    let line = encoded(&user("x"));
    assert_eq!(seeming_parent(&line[4..]), Some(id(1)));
    assert_eq!(seeming_parent(br#""parent":null"#), None);
}
