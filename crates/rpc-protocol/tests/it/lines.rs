//! Each event writes exactly this line and reads it back.

use zeug_rpc_protocol::{
    Block, Decision, DecisionSource, DecisionStage, Event, NoteLevel, RetryScope, Tokens,
};
use zeug_stdx::json::RawJson;
use zeug_transcript::{Status, StopReason, Usd};

pub(crate) fn check(event: Event, line: &str) {
    assert_eq!(event.to_line(), line);
    let back: Event = serde_json::from_str(line).unwrap();
    assert_eq!(back, event, "{line}");
}

fn raw(text: &str) -> RawJson {
    RawJson::parse(text).unwrap()
}

#[test]
fn messages() {
    check(
        Event::UserMessage {
            content: vec![
                Block::text("hé\n\"x\""),
                Block::Image {
                    mime_type: "image/png".into(),
                    bytes: 3,
                },
            ],
            time: "2026-01-02T03:04:05Z".parse().unwrap(),
        },
        r#"{"type":"user_message","content":[{"type":"text","text":"hé\n\"x\""},{"type":"image","mime_type":"image/png","bytes":3}],"time":"2026-01-02T03:04:05Z"}"#,
    );
    check(
        Event::AssistantMessage {
            content: vec![
                Block::text("It is warm."),
                Block::ToolCall {
                    id: "c1".into(),
                    name: "read".into(),
                    args: raw(r#"{"path":"a"}"#),
                    args_raw: None,
                    origin_extension: None,
                },
            ],
            time: "2026-01-02T03:04:05.25Z".parse().unwrap(),
        },
        r#"{"type":"assistant_message","content":[{"type":"text","text":"It is warm."},{"type":"tool_call","id":"c1","name":"read","args":{"path":"a"}}],"time":"2026-01-02T03:04:05.25Z"}"#,
    );
}

#[test]
fn a_turn_and_its_requests() {
    check(
        Event::TurnStart { step: 1 },
        r#"{"type":"turn_start","step":1}"#,
    );
    check(
        Event::RequestStarted {
            provider: "puppet".into(),
            model: "strings".into(),
            scope: RetryScope::Provider,
            attempt: 1,
            max_attempts: 4,
        },
        r#"{"type":"request_started","provider":"puppet","model":"strings","scope":"provider","attempt":1,"max_attempts":4}"#,
    );
    check(
        Event::RetryScheduled {
            scope: RetryScope::Agent,
            attempt: 2,
            max_attempts: 4,
            delay_ms: 500,
        },
        r#"{"type":"retry_scheduled","scope":"agent","attempt":2,"max_attempts":4,"delay_ms":500}"#,
    );
    check(
        Event::TurnEnd {
            stop: StopReason::ToolUse,
            error: None,
        },
        r#"{"type":"turn_end","stop":"tool_use"}"#,
    );
    check(
        Event::TurnEnd {
            stop: StopReason::Error,
            error: Some("turn blocked by extension guard".into()),
        },
        r#"{"type":"turn_end","stop":"error","error":"turn blocked by extension guard"}"#,
    );
    check(Event::Done, r#"{"type":"done"}"#);
    check(
        Event::Error {
            message: "puppet/puppet: 529 overloaded".into(),
        },
        r#"{"type":"error","message":"puppet/puppet: 529 overloaded"}"#,
    );
}

#[test]
fn an_answer_as_it_arrives() {
    check(Event::AssistantStart, r#"{"type":"assistant_start"}"#);
    check(
        Event::TextDelta { delta: "he".into() },
        r#"{"type":"text_delta","delta":"he"}"#,
    );
    check(
        Event::ThinkingDelta { delta: "hm".into() },
        r#"{"type":"thinking_delta","delta":"hm"}"#,
    );
    check(
        Event::ToolUseStart {
            id: "c1".into(),
            name: "read".into(),
        },
        r#"{"type":"tool_use_start","id":"c1","name":"read"}"#,
    );
    check(
        Event::ToolUseArgs {
            id: "c1".into(),
            delta: r#"{"pa"#.into(),
        },
        r#"{"type":"tool_use_args","id":"c1","delta":"{\"pa"}"#,
    );
    check(
        Event::ToolUseEnd { id: "c1".into() },
        r#"{"type":"tool_use_end","id":"c1"}"#,
    );
    check(
        Event::Usage {
            request: Tokens {
                input_tokens: 1200,
                output_tokens: 80,
                ..Tokens::default()
            },
            cumulative: Tokens {
                input_tokens: 2400,
                output_tokens: 160,
                cache_read_tokens: 7,
                cache_write_tokens: 9,
                cost_usd: Some(Usd::of(0.0125)),
            },
        },
        r#"{"type":"usage","input":1200,"output":80,"cache_read":0,"cache_write":0,"cumulative":{"input":2400,"output":160,"cache_read":7,"cache_write":9,"cost_usd":0.0125}}"#,
    );
}

#[test]
fn a_tool_call() {
    check(
        Event::ToolCall {
            id: "c1".into(),
            name: "read".into(),
            args: raw(r#"{"path":"a","z":1,"b":[]}"#),
            args_raw: None,
            origin_extension: None,
        },
        r#"{"type":"tool_call","id":"c1","name":"read","args":{"path":"a","z":1,"b":[]}}"#,
    );
    check(
        Event::ToolExecutionStarted {
            id: "c1".into(),
            name: "read".into(),
        },
        r#"{"type":"tool_execution_started","id":"c1","name":"read"}"#,
    );
    check(
        Event::ToolProgress {
            id: "c1".into(),
            text: "half".into(),
        },
        r#"{"type":"tool_progress","id":"c1","text":"half"}"#,
    );
    check(
        Event::ToolResult {
            id: "c1".into(),
            is_error: true,
            content: vec![Block::text("boom")],
            status: Some(Status::TimedOut),
            structured_content: None,
            origin_extension: None,
        },
        r#"{"type":"tool_result","id":"c1","is_error":true,"content":[{"type":"text","text":"boom"}],"status":"timed_out"}"#,
    );
    check(
        Event::ToolResult {
            id: "c1".into(),
            is_error: false,
            content: vec![],
            status: None,
            structured_content: Some(RawJson::null()),
            origin_extension: None,
        },
        r#"{"type":"tool_result","id":"c1","is_error":false,"content":[],"structured_content":null}"#,
    );
    check(
        Event::PermissionDecision {
            tool_id: "c1".into(),
            tool_name: "bash".into(),
            decision: Decision::Denied,
            source: DecisionSource::Policy,
            stage: DecisionStage::PreExecution,
            reason: Some("nobody to ask".into()),
            origin_extension: None,
        },
        r#"{"type":"permission_decision","tool_id":"c1","tool_name":"bash","decision":"denied","source":"policy","stage":"pre_execution","reason":"nobody to ask"}"#,
    );
}

#[test]
fn what_only_rpc_has() {
    let mut asked = Event::ToolConfirmationRequested {
        tool_id: "c1".into(),
        tool_name: "bash".into(),
        tool_preview: "rm a".into(),
        preview: None,
        reason: None,
        origin_extension: None,
        agent_id: None,
        depth: None,
    };
    check(
        asked.clone(),
        r#"{"type":"tool_confirmation_requested","tool_id":"c1","tool_name":"bash","tool_preview":"rm a"}"#,
    );
    if let Event::ToolConfirmationRequested {
        preview,
        reason,
        origin_extension,
        agent_id,
        depth,
        ..
    } = &mut asked
    {
        *preview = Some("rm a\nrm b".into());
        *reason = Some("the guard was silent".into());
        *origin_extension = Some("todo".into());
        (*agent_id, *depth) = (Some("a1".into()), Some(1));
    }
    check(
        asked,
        r#"{"type":"tool_confirmation_requested","tool_id":"c1","tool_name":"bash","tool_preview":"rm a","preview":"rm a\nrm b","reason":"the guard was silent","origin_extension":"todo","agent_id":"a1","depth":1}"#,
    );
    check(
        Event::CompactDone {
            summary: "we talked".into(),
            error: None,
        },
        r#"{"type":"compact_done","summary":"we talked"}"#,
    );
}

#[test]
fn extensions() {
    check(
        Event::ExtSkipped {
            extension: "guard".into(),
            reason: "not trusted".into(),
        },
        r#"{"type":"ext_skipped","extension":"guard","reason":"not trusted"}"#,
    );
    check(
        Event::ExtFailed {
            extension: "guard".into(),
            message: "exited with 1".into(),
        },
        r#"{"type":"ext_failed","extension":"guard","message":"exited with 1"}"#,
    );
    check(
        Event::ExtGone {
            extension: "guard".into(),
            message: "killed by SIGKILL".into(),
        },
        r#"{"type":"ext_gone","extension":"guard","message":"killed by SIGKILL"}"#,
    );
    check(
        Event::ExtReloaded {
            extension: Some("guard".into()),
            summary: "reloaded".into(),
            stopped: 1,
            loaded: 1,
            ready: 1,
            errors: Vec::new(),
        },
        r#"{"type":"ext_reloaded","extension":"guard","summary":"reloaded","stopped":1,"loaded":1,"ready":1}"#,
    );
    check(
        Event::ExtNotify {
            extension: "guard".into(),
            level: NoteLevel::Warn,
            message: "a\nb".into(),
        },
        r#"{"type":"ext_notify","extension":"guard","level":"warn","message":"a\nb"}"#,
    );
    check(
        Event::ExtDisplay {
            extension: "guard".into(),
            text: "x".into(),
        },
        r#"{"type":"ext_display","extension":"guard","text":"x"}"#,
    );
    check(
        Event::ExtClearNotes {
            extension: "guard".into(),
        },
        r#"{"type":"ext_clear_notes","extension":"guard"}"#,
    );
}

#[test]
fn pretty_json_of_a_model_or_a_tool_stays_on_the_events_line() {
    let line = Event::ToolCall {
        id: "c1".into(),
        name: "x".into(),
        args: raw("{\n  \"a b\": 12345678901234567890123,\n  \"c\": \"\\n\"\n}"),
        args_raw: None,
        origin_extension: None,
    }
    .to_line();
    assert_eq!(
        line,
        r#"{"type":"tool_call","id":"c1","name":"x","args":{"a b":12345678901234567890123,"c":"\n"}}"#
    );
    let line = Event::ToolResult {
        id: "c1".into(),
        is_error: false,
        content: vec![],
        status: Some(Status::Completed),
        structured_content: Some(raw("[ 1,\r\n 2 ]")),
        origin_extension: None,
    }
    .to_line();
    assert_eq!(
        line,
        r#"{"type":"tool_result","id":"c1","is_error":false,"content":[],"status":"completed","structured_content":[1,2]}"#
    );
}

#[test]
fn fields_of_later_versions_are_ignored() {
    let event: Event =
        serde_json::from_str(r#"{"new":[1],"step":2,"type":"turn_start","more":{}}"#).unwrap();
    assert_eq!(event, Event::TurnStart { step: 2 });
}

#[test]
fn the_schema_names_every_event() {
    let schema = serde_json::to_value(schemars::schema_for!(Event)).unwrap();
    let names: Vec<&str> = schema["oneOf"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|variant| variant["properties"]["type"]["const"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "session",
            "user_message",
            "turn_start",
            "request_started",
            "retry_scheduled",
            "assistant_start",
            "text_delta",
            "thinking_delta",
            "tool_use_start",
            "tool_use_args",
            "tool_use_end",
            "usage",
            "assistant_message",
            "tool_call",
            "turn_end",
            "tool_execution_started",
            "tool_progress",
            "tool_result",
            "permission_decision",
            "tool_confirmation_requested",
            "compact_done",
            "done",
            "error",
            "ext_skipped",
            "ext_failed",
            "ext_gone",
            "ext_reloaded",
            "ext_notify",
            "ext_display",
            "ext_clear_notes",
            "ext_alert",
            "ext_status",
            "ext_widget",
            "ext_widget_clear",
            "ext_chrome_clear",
            "ext_panel_open",
            "ext_panel_render",
            "ext_panel_close",
        ]
    );
}
