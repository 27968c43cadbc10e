//! How lines are read.

use super::*;

#[track_caller]
fn reads(line: &str, id: Option<&str>, command: &Command) {
    let request = Request::parse(line.as_bytes()).unwrap();
    assert_eq!(request.id.as_deref(), id, "{line}");
    assert_eq!(&request.command, command, "{line}");
    let again = serde_json::to_vec(&request).unwrap();
    assert_eq!(Request::parse(&again).unwrap(), request);
}

#[track_caller]
fn refuses(line: &[u8], id: Option<&str>, command: &str, error: &str) {
    let bad = Request::parse(line).unwrap_err();
    assert_eq!((bad.id.as_deref(), bad.command.as_str()), (id, command));
    assert!(bad.error.contains(error), "{bad:?}");
}

#[test]
fn every_command_is_read() {
    let hello = |token: Option<&str>, interactive| Command::Hello {
        token: token.map(str::to_owned),
        interactive,
    };
    reads(r#"{"type":"hello"}"#, None, &hello(None, None));
    reads(
        r#"{"id":"0","type":"hello","token":"t","interactive":true}"#,
        Some("0"),
        &hello(Some("t"), Some(true)),
    );
    let image = PromptImage {
        mime_type: "image/png".into(),
        data: "eA==".into(),
    };
    reads(
        r#"{"type":"prompt","message":"x","images":[{"mime_type":"image/png","data":"eA=="}]}"#,
        None,
        &Command::Prompt {
            message: "x".into(),
            images: Some(vec![image]),
        },
    );
    reads(
        r#"{"type":"ext_command","name":"hi","args":null}"#,
        None,
        &Command::ExtCommand {
            name: "hi".into(),
            args: None,
        },
    );
    reads(
        r#"{"type":"fork","entry":"18e1ca4","name":"try"}"#,
        None,
        &Command::Fork {
            entry: Some("18e1ca4".into()),
            after: None,
            name: Some("try".into()),
        },
    );
    reads(
        r#"{"type":"open_session","session":"0a","read_only":true}"#,
        None,
        &Command::OpenSession {
            session: "0a".into(),
            branch: None,
            read_only: Some(true),
            fork: None,
        },
    );
    for (word, decision) in [
        ("once", Consent::Once),
        ("tool", Consent::Tool),
        ("session", Consent::Session),
        ("no", Consent::No),
    ] {
        let line = format!(r#"{{"type":"approve","tool_id":"c","decision":"{word}"}}"#);
        let tool_id = "c".into();
        reads(&line, None, &Command::Approve { tool_id, decision });
    }
    for (field, command) in [
        ("model", Command::SetModel { model: "m".into() }),
        (
            "reasoning",
            Command::SetReasoning {
                reasoning: "m".into(),
            },
        ),
    ] {
        let line = format!(r#"{{"type":"{}","{field}":"m"}}"#, command.name());
        reads(&line, None, &command);
    }
    for command in [
        Command::Abort,
        Command::Compact,
        Command::GetState,
        Command::GetMessages,
        Command::Clear,
        Command::GetModels,
        Command::GetCommands,
        Command::GetTrace,
        Command::Ping,
        Command::NewSession,
        Command::Branches,
        Command::Tree,
    ] {
        let line = format!(r#"{{"id":"é\n","new":[{{}}],"type":"{}"}}"#, command.name());
        reads(&line, Some("é\n"), &command);
    }
}

#[test]
fn every_name_belongs_to_a_command() {
    for name in Command::NAMES {
        let line = format!(
            r#"{{"type":"{name}","message":"","model":"","reasoning":"","name":"","tool_id":"","decision":"no","session":"","branch":"","title":"","path":"","extension":"","panel_id":"","key":"up","width":1,"height":1,"line":""}}"#
        );
        let request = Request::parse(line.as_bytes()).unwrap();
        assert_eq!(request.command.name(), name);
    }
}

#[test]
fn what_cannot_be_read_has_no_command() {
    for line in [
        &b"{"[..],
        b"nonsense",
        b"\xff\xfe",
        br#"{"type":"ping","x":"\ud800"}"#,
        b"[]",
        b"7",
        b"{} {}",
    ] {
        refuses(line, None, "", "");
    }
    refuses(br#"{"id":"a"}"#, Some("a"), "", "\"type\"");
    refuses(br#"{"id":"a","type":7}"#, Some("a"), "", "\"type\"");
}

#[test]
fn an_unknown_command_is_named() {
    let error = "did you mean \"prompt\"?";
    refuses(br#"{"id":"a","type":"promt"}"#, Some("a"), "promt", error);
    let long = format!(r#"{{"type":"{}"}}"#, "x".repeat(1000));
    let bad = Request::parse(long.as_bytes()).unwrap_err();
    assert!(bad.command.len() < 100 && bad.error.len() < 500, "{bad:?}");
}

#[test]
fn a_known_command_with_wrong_fields_says_which() {
    refuses(
        br#"{"id":"a","type":"prompt"}"#,
        Some("a"),
        "prompt",
        "message",
    );
    refuses(
        br#"{"type":"prompt","message":7}"#,
        None,
        "prompt",
        "string",
    );
    let approve = br#"{"type":"approve","tool_id":"c","decision":"maybe"}"#;
    refuses(approve, None, "approve", "maybe");
}

#[test]
fn an_id_is_a_short_string() {
    refuses(br#"{"id":7,"type":"ping"}"#, None, "ping", "string");
    let long = format!(r#"{{"id":"{}","type":"ping"}}"#, "x".repeat(ID_BYTES + 1));
    refuses(long.as_bytes(), None, "ping", "1024");
    reads(r#"{"id":null,"type":"ping"}"#, None, &Command::Ping);
}
