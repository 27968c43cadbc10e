//! Values of a conversation become events.

use zeug_rpc_protocol::Event;
use zeug_stdx::json::RawJson;
use zeug_transcript::{
    AssistantMessage, Content, Image, Outcome, Part, Shown, Status, StopReason, ToolCall, Usage,
    UserMessage,
};

fn call(args: &str) -> ToolCall {
    ToolCall::new("c1", "read", args)
}

fn answer(shown: Option<Shown>) -> AssistantMessage {
    AssistantMessage {
        parts: vec![
            Part::Thinking {
                text: "hm".into(),
                signature: None,
            },
            Part::Text("first".into()),
            Part::ToolCall(call("")),
            Part::Text("second".into()),
        ],
        stop: StopReason::ToolUse,
        usage: None,
        provider: None,
        model: None,
        shown,
        time: "2026-01-02T03:04:05Z".parse().unwrap(),
    }
}

#[test]
fn an_image_travels_as_its_size() {
    let message = UserMessage {
        content: vec![
            Content::text("see"),
            Content::Image(Image::from_bytes("image/png", &[1, 2, 3, 4])),
        ],
        time: "2026-01-02T03:04:05Z".parse().unwrap(),
    };
    assert_eq!(
        Event::from(&message).to_line(),
        r#"{"type":"user_message","content":[{"type":"text","text":"see"},{"type":"image","mime_type":"image/png","bytes":4}],"time":"2026-01-02T03:04:05Z"}"#
    );
}

#[test]
fn an_answer_is_told_as_the_user_sees_it() {
    let check = |shown, content: &str| {
        let line = Event::assistant_message(&answer(shown)).unwrap().to_line();
        let expect = format!(
            r#"{{"type":"assistant_message","content":[{content}],"time":"2026-01-02T03:04:05Z"}}"#
        );
        assert_eq!(line, expect);
    };
    let tool_call = r#"{"type":"tool_call","id":"c1","name":"read","args":{}}"#;
    check(
        None,
        &format!(
            r#"{{"type":"text","text":"first"}},{tool_call},{{"type":"text","text":"second"}}"#
        ),
    );
    check(
        Some(Shown::Replaced("other".into())),
        &format!(r#"{{"type":"text","text":"other"}},{tool_call}"#),
    );
    assert_eq!(
        Event::assistant_message(&answer(Some(Shown::Suppressed))),
        None
    );
}

#[test]
fn a_replacement_of_no_text_is_still_told() {
    let mut message = answer(Some(Shown::Replaced("other".into())));
    message.parts.clear();
    assert_eq!(
        Event::assistant_message(&message).unwrap().to_line(),
        r#"{"type":"assistant_message","content":[{"type":"text","text":"other"}],"time":"2026-01-02T03:04:05Z"}"#
    );
}

#[test]
fn arguments_that_are_no_json_are_null_and_kept_beside() {
    let check = |args: &str, rest: &str| {
        assert_eq!(
            Event::from(&call(args)).to_line(),
            format!(r#"{{"type":"tool_call","id":"c1","name":"read",{rest}}}"#)
        );
    };
    check("", r#""args":{}"#);
    check(r#"{"path": "a"}"#, r#""args":{"path":"a"}"#);
    check("[1]", r#""args":[1]"#);
    check(r#"{"path":"#, r#""args":null,"args_raw":"{\"path\":""#);
}

#[test]
fn a_result_carries_its_status_and_its_structure() {
    let mut outcome = Outcome::ok("20 C");
    outcome.structured = Some(RawJson::parse(r#"{"t": 20}"#).unwrap());
    outcome.details = Some(RawJson::parse(r#"{"private":1}"#).unwrap());
    assert_eq!(
        Event::tool_result("c1", &outcome).to_line(),
        r#"{"type":"tool_result","id":"c1","is_error":false,"content":[{"type":"text","text":"20 C"}],"status":"completed","structured_content":{"t":20}}"#
    );
    assert_eq!(
        Event::tool_result("c1", &Outcome::text(Status::Blocked, "no")).to_line(),
        r#"{"type":"tool_result","id":"c1","is_error":true,"content":[{"type":"text","text":"no"}],"status":"blocked"}"#
    );
}

#[test]
fn counts_keep_the_clients_names() {
    let usage = Usage {
        input_tokens: 1,
        output_tokens: 2,
        cache_read_tokens: 3,
        cache_write_tokens: 4,
        ..Usage::default()
    };
    assert_eq!(
        Event::usage(usage, usage).to_line(),
        r#"{"type":"usage","input":1,"output":2,"cache_read":3,"cache_write":4,"cumulative":{"input":1,"output":2,"cache_read":3,"cache_write":4}}"#
    );
}
