//! Notices with few words, and a face over memory.

use zeug_app::Notice;
use zeug_front_text::{Ended, Face, Mode, Progress};
use zeug_rpc_protocol::{Block, Event};
use zeug_stdx::json::RawJson;
use zeug_transcript::{Status, StopReason};

/// What a face wrote, and how it ended.
pub(crate) struct Shown {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) ended: Option<Ended>,
}

/// Shows the notices, all of them.
pub(crate) fn show(mode: Mode, terminal: bool, notices: &[Notice]) -> Shown {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut face = Face::new(mode, &mut out, &mut err).out_is_terminal(terminal);
    let mut ended = None;
    for notice in notices {
        if let Progress::Finished(how) = face.show(notice).unwrap() {
            ended = Some(how);
        }
    }
    Shown {
        out: String::from_utf8(out).unwrap(),
        err: String::from_utf8(err).unwrap(),
        ended,
    }
}

/// Checks a run whose stdout is a pipe.
pub(crate) fn check(mode: Mode, notices: &[Notice], out: &str, err: &str, ended: Ended) {
    let shown = show(mode, false, notices);
    assert_eq!(shown.out, out, "stdout");
    assert_eq!(shown.err, err, "stderr");
    assert_eq!(shown.ended, Some(ended));
}

pub(crate) fn event(event: Event) -> Notice {
    Notice::Event(event)
}

pub(crate) fn turn(step: u32) -> Notice {
    event(Event::TurnStart { step })
}

pub(crate) fn start() -> Notice {
    event(Event::AssistantStart)
}

pub(crate) fn delta(text: &str) -> Notice {
    event(Event::TextDelta { delta: text.into() })
}

pub(crate) fn message(text: &str) -> Notice {
    let content = if text.is_empty() {
        vec![]
    } else {
        vec![Block::text(text)]
    };
    event(Event::AssistantMessage {
        content,
        time: "2026-01-02T03:04:05Z".parse().unwrap(),
    })
}

pub(crate) fn call(id: &str, name: &str, args: &str) -> Notice {
    event(Event::ToolCall {
        id: id.into(),
        name: name.into(),
        args: RawJson::parse(args).unwrap(),
        args_raw: None,
        origin_extension: None,
    })
}

pub(crate) fn result(id: &str, status: Status, text: &str) -> Notice {
    event(Event::ToolResult {
        id: id.into(),
        is_error: status.is_error(),
        content: vec![Block::text(text)],
        status: Some(status),
        structured_content: None,
        origin_extension: None,
    })
}

pub(crate) fn turn_end(stop: StopReason) -> Notice {
    event(Event::TurnEnd { stop, error: None })
}

pub(crate) fn turn_failed(error: &str) -> Notice {
    event(Event::TurnEnd {
        stop: StopReason::Error,
        error: Some(error.into()),
    })
}

pub(crate) fn error(message: &str) -> Notice {
    event(Event::Error {
        message: message.into(),
    })
}

pub(crate) fn done() -> Notice {
    event(Event::Done)
}

/// A run with a call: words, a tool, words.
pub(crate) fn weather() -> Vec<Notice> {
    vec![
        turn(1),
        start(),
        delta("Let me "),
        delta("look."),
        message("Let me look."),
        call("c1", "weather", r#"{"city":"Berlin"}"#),
        turn_end(StopReason::ToolUse),
        event(Event::ToolExecutionStarted {
            id: "c1".into(),
            name: "weather".into(),
        }),
        result("c1", Status::Completed, "Berlin: 16°C"),
        turn(2),
        start(),
        delta("It is "),
        delta("warm."),
        message("It is warm."),
        turn_end(StopReason::EndTurn),
        done(),
    ]
}
