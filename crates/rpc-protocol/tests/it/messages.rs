//! Messages as `get_messages` gives them.

use zeug_rpc_protocol::MessageData;
use zeug_transcript::{
    AssistantMessage, Content, Image, Message, Part, Shown, Status, StopReason, ToolCall,
    ToolMessage, UserMessage,
};

#[track_caller]
fn check(message: &Message, line: &str) {
    let data = MessageData::from(message);
    assert_eq!(serde_json::to_string(&data).unwrap(), line);
    assert_eq!(serde_json::from_str::<MessageData>(line).unwrap(), data);
}

fn answer(shown: Option<Shown>) -> Message {
    let call = ToolCall::new("c1", "read", r#"{"path": "a"}"#);
    let thought = Part::Thinking {
        text: "hm".into(),
        signature: Some("s".into()),
    };
    Message::Assistant(AssistantMessage {
        parts: vec![thought, Part::Text("first".into()), Part::ToolCall(call)],
        stop: StopReason::ToolUse,
        usage: None,
        provider: None,
        model: None,
        shown,
        time: "2026-01-02T03:04:05Z".parse().unwrap(),
    })
}

#[test]
fn a_message_says_who_speaks() {
    let time = "2026-01-02T03:04:05Z".parse().unwrap();
    check(
        &Message::User(UserMessage {
            content: vec![
                Content::text("see"),
                Content::Image(Image::from_bytes("image/png", &[1, 2, 3])),
            ],
            time,
        }),
        r#"{"role":"user","content":[{"type":"text","text":"see"},{"type":"image","mime_type":"image/png","bytes":3}],"time":"2026-01-02T03:04:05Z"}"#,
    );
    check(
        &Message::Tool(ToolMessage {
            call_id: "c1".into(),
            tool_name: "read".into(),
            content: vec![Content::text("no")],
            status: Status::Blocked,
            time,
        }),
        r#"{"role":"tool","content":[{"type":"tool_result","call_id":"c1","name":"read","is_error":true,"status":"blocked","content":[{"type":"text","text":"no"}]}],"time":"2026-01-02T03:04:05Z"}"#,
    );
}

#[test]
fn an_answer_is_as_the_user_sees_it() {
    let call = r#"{"type":"tool_call","id":"c1","name":"read","args":{"path":"a"}}"#;
    for (shown, text) in [
        (None, r#"{"type":"text","text":"first"},"#),
        (
            Some(Shown::Replaced("other".into())),
            r#"{"type":"text","text":"other"},"#,
        ),
        (Some(Shown::Suppressed), ""),
    ] {
        let line = format!(
            r#"{{"role":"assistant","content":[{text}{call}],"time":"2026-01-02T03:04:05Z"}}"#
        );
        check(&answer(shown), &line);
    }
}
