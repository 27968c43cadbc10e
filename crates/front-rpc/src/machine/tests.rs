//! What the machine says and wants, line by line. The two promises under any order of things are
//! in `promises`.

mod ends;
mod kit;
mod panels;
mod promises;
mod sessions;
mod slash;

use kit::World;
use zeug_app::{Action, Level, Notice};
use zeug_rpc_protocol::Event;

use super::jobs::WAITING;
use super::{DONE, FAILED};

#[test]
fn a_prompt_is_answered_when_it_starts_and_done_once() {
    let mut world = World::ready();
    world.send(r#"{"id":"1","type":"prompt","message":"a"}"#);
    world.send(r#"{"id":"2","type":"prompt","message":"b"}"#);
    assert_eq!(world.said(), [""; 0], "nothing has started");
    assert_eq!(world.handed.len(), 1, "one at a time");
    world.start();
    assert_eq!(world.said(), ["prompt 1 ok"]);
    world.send(r#"{"id":"3","type":"get_state"}"#);
    world.answer_all();
    world.end();
    world.start();
    world.end();
    assert_eq!(
        world.said(),
        ["get_state 3 ok", "done", "prompt 2 ok", "done"]
    );
}

#[test]
fn prompts_wait_until_the_extensions_are_ready() {
    let mut world = World::new(None);
    world.send(r#"{"id":"1","type":"prompt","message":"a"}"#);
    world.send(r#"{"id":"2","type":"ext_command","name":"/hi","args":"x"}"#);
    world.send(r#"{"id":"3","type":"ping"}"#);
    assert!(world.handed.is_empty() && world.commands.is_empty());
    assert_eq!(world.said(), ["ping 3 ok"]);
    world.machine.set_ready();
    world.look();
    assert_eq!(world.handed.len(), 1);
    assert_eq!(world.commands[0].1, "hi x");
}

#[test]
fn an_abort_gives_up_what_runs_and_leaves_what_waits() {
    let mut world = World::ready();
    world.send(r#"{"id":"0","type":"abort"}"#);
    world.send(r#"{"type":"prompt","message":"a"}"#);
    world.send(r#"{"type":"prompt","message":"b"}"#);
    world.start();
    world.send(r#"{"id":"1","type":"abort"}"#);
    assert_eq!(world.aborts, 2);
    assert_eq!(world.said(), ["abort 0 ok", "prompt ok", "abort 1 ok"]);
    world.end();
    world.start();
    assert_eq!(world.said(), ["done", "prompt ok"]);
}

#[test]
fn a_prompt_that_cannot_be_taken_is_refused_and_has_no_done() {
    let mut world = World::ready();
    for (line, error) in [
        (r#"{"id":"1","type":"prompt","message":" "}"#, "empty"),
        (
            r#"{"id":"1","type":"prompt","message":"x","images":[{"mime_type":"text/plain","data":""}]}"#,
            "images[0]",
        ),
        (
            r#"{"id":"1","type":"prompt","message":"x","images":[{"mime_type":"image/png","data":"ä"}]}"#,
            "base64",
        ),
    ] {
        world.send(line);
        let said = world.said();
        assert!(
            said[0].starts_with("prompt 1 failed") && said[0].contains(error),
            "{said:?}"
        );
    }
    world.send(r#"{"id":"2","type":"prompt","message":"x"}"#);
    world.refuse();
    assert!(world.said()[0].starts_with("prompt 2 failed"));
    world.send(r#"{"id":"3","type":"prompt","message":"x"}"#);
    world.end_unstarted();
    assert!(world.said()[0].starts_with("prompt 3 failed"));
    for n in 0..=WAITING {
        world.send(&format!(r#"{{"id":"{n}","type":"prompt","message":"x"}}"#));
    }
    assert_eq!(
        world.said(),
        [""; 0],
        "one was handed over, the others wait"
    );
    world.send(r#"{"id":"full","type":"prompt","message":"x"}"#);
    assert!(world.said()[0].starts_with("prompt full failed"));
}

#[test]
fn the_token_comes_first() {
    let mut world = World::new(Some("secret"));
    world.note("early");
    world.send(r#"{"id":"1","type":"ping"}"#);
    world.send("nonsense");
    world.send(r#"{"id":"2","type":"hello","token":"secret"}"#);
    world.answer_all();
    world.send(r#"{"id":"3","type":"ping"}"#);
    let said = world.said();
    assert!(
        said[0].starts_with("ping 1 failed: auth required"),
        "{said:?}"
    );
    assert!(said[1].starts_with(" failed: malformed"), "{said:?}");
    assert_eq!(said[2..], ["ext_notify early", "hello 2 ok", "ping 3 ok"]);
}

#[test]
fn a_wrong_token_ends_it() {
    for hello in [
        r#"{"id":"1","type":"hello","token":"guess"}"#,
        r#"{"id":"1","type":"hello"}"#,
    ] {
        let mut world = World::new(Some("secret"));
        world.note("early");
        world.send(hello);
        world.send(r#"{"id":"2","type":"hello","token":"secret"}"#);
        assert_eq!(world.machine.over(), Some(FAILED));
        assert_eq!(world.said(), ["hello 1 failed: invalid token: zeug ends"]);
    }
}

#[test]
fn what_extensions_said_before_comes_before_the_first_answer() {
    let mut world = World::ready();
    world.note("early");
    assert_eq!(world.said(), [""; 0]);
    world.send(r#"{"type":"ping"}"#);
    world.note("late");
    assert_eq!(
        world.said(),
        ["ext_notify early", "ping ok", "ext_notify late"]
    );
}

#[test]
fn garbage_is_answered_and_passed_over() {
    let mut world = World::ready();
    world.send("{");
    world.machine.line_too_long();
    world.send(r#"{"id":"1","type":"dance"}"#);
    world.send(r#"{"type":"ping"}"#);
    let said = world.said();
    assert!(said[0].starts_with(" failed: malformed"), "{said:?}");
    assert!(
        said[1].starts_with(" failed") && said[1].contains("16 MiB"),
        "{said:?}"
    );
    assert!(
        said[2].starts_with("dance 1 failed: unknown command"),
        "{said:?}"
    );
    assert_eq!(said[3], "ping ok");
}

#[test]
fn what_changes_the_conversation_needs_an_idle_agent() {
    let lines = [
        r#"{"type":"clear"}"#,
        r#"{"type":"set_model","model":"m"}"#,
        r#"{"type":"set_reasoning","reasoning":"low"}"#,
    ];
    let mut world = World::ready();
    for line in lines {
        world.send(line);
    }
    assert_eq!((world.errands.len(), world.wishes.len()), (2, 1));
    world.grant_all();
    assert_eq!(world.said().len(), 3);
    world.send(r#"{"type":"prompt","message":"a"}"#);
    for line in lines {
        world.send(line);
        assert!(world.said()[0].contains("busy"));
    }
    assert!(world.errands.is_empty());
}

#[test]
fn making_room_is_a_job_with_an_end_of_its_own() {
    let mut world = World::ready();
    world.send(r#"{"id":"1","type":"compact"}"#);
    world.send(r#"{"id":"2","type":"prompt","message":"a"}"#);
    assert_eq!(world.said(), ["compact 1 ok"]);
    assert!(world.handed.is_empty() && world.compactions == 1);
    world.machine.compacted(Err("too short".into()));
    world.look();
    assert_eq!(world.said(), ["compact_done failed: too short"]);
    world.start();
    world.end();
    world.send(r#"{"id":"3","type":"compact"}"#);
    world.machine.compacted(Ok("we talked".into()));
    world.look();
    assert_eq!(
        world.said(),
        [
            "prompt 2 ok",
            "done",
            "compact 3 ok",
            "compact_done we talked"
        ]
    );
}

#[test]
fn only_an_interactive_client_is_asked() {
    let mut world = World::ready();
    let approve = r#"{"id":"1","type":"approve","tool_id":"c","decision":"once"}"#;
    world.send(approve);
    assert!(world.said()[0].contains("hello"));
    world.send(r#"{"type":"hello","interactive":true}"#);
    world.send(r#"{"type":"hello"}"#);
    world.send(approve);
    assert_eq!(
        (world.listens.as_slice(), world.errands.len()),
        (&[false, true][..], 3)
    );
    world.answer_all();
    world.machine.end_of_requests(DONE);
    world.look();
    assert_eq!(
        world.listens,
        [false, true, false],
        "nobody is there to answer"
    );
}

#[test]
fn a_slash_command_does_what_it_wants() {
    let mut world = World::ready();
    for action in [
        Action::Noop,
        Action::Display("\u{1b}[1mx".into()),
        Action::Insert("text".into()),
        Action::Prompt("go".into()),
    ] {
        world.send(r#"{"type":"ext_command","name":"hi"}"#);
        world.reply(Ok(action));
    }
    assert_eq!(
        world.said(),
        [
            "ext_command ok",
            "ext_display x",
            "ext_command ok",
            "ext_command ok",
            "ext_command ok",
        ]
    );
    world.start();
    world.end();
    assert_eq!(world.said(), ["done"], "its prompt is like every prompt");
    world.send(r#"{"type":"ext_command","name":"hi"}"#);
    world.reply(Err("late".into()));
    assert_eq!(world.said(), ["ext_command failed: late"]);
}

#[test]
fn slash_commands_without_an_answer_are_bounded() {
    let mut world = World::ready();
    for _ in 0..65 {
        world.send(r#"{"type":"ext_command","name":"hi"}"#);
    }
    assert_eq!(world.commands.len(), 64);
    assert!(world.said()[0].contains("64 slash commands"));
}

#[test]
fn what_happens_to_extensions_is_an_event_and_a_line_on_stderr() {
    let mut world = World::ready();
    world.send(r#"{"type":"ping"}"#);
    world.said();
    let extension = || "guard".to_owned();
    for notice in [
        Notice::ExtensionFailed {
            extension: extension(),
            message: "no\npython".into(),
        },
        Notice::ExtensionGone {
            extension: extension(),
            message: "killed".into(),
        },
        Notice::ExtensionSkipped {
            extension: extension(),
            reason: "not trusted".into(),
        },
        Notice::ClearNotes {
            extension: extension(),
        },
        Notice::Display {
            extension: extension(),
            text: "x".into(),
        },
        Notice::Remark("look".into()),
        Notice::Event(Event::Done),
    ] {
        world.machine.notice(notice);
    }
    world.look();
    assert_eq!(
        world.said(),
        [
            "ext_failed",
            "ext_gone",
            "ext_skipped",
            "ext_clear_notes",
            "ext_display x"
        ]
    );
    assert_eq!(
        world.asides,
        [
            "extension load: guard: no\nextension load: guard: python\n",
            "extension: guard: went away: killed\n",
            "extension load: guard skipped: not trusted\n",
            "zeug: look\n",
        ]
    );
}

#[test]
fn a_prompt_of_somebody_else_has_its_done_too() {
    let mut world = World::ready();
    world.send(r#"{"type":"ping"}"#);
    let foreign = world.foreign();
    world.send(r#"{"type":"prompt","message":"a"}"#);
    assert!(world.handed.is_empty(), "it waits");
    world
        .machine
        .notice(Notice::Ended(foreign, zeug_app::DoneOutcome::Finished));
    world.look();
    world.start();
    world.end();
    assert_eq!(world.said(), ["ping ok", "done", "prompt ok", "done"]);
}

#[test]
fn levels_keep_their_words() {
    for (level, word) in [
        (Level::Info, "info"),
        (Level::Success, "success"),
        (Level::Warn, "warn"),
        (Level::Error, "error"),
    ] {
        let word = format!("\"{word}\"");
        assert_eq!(
            serde_json::to_string(&super::notices::note_level(level)).unwrap(),
            word
        );
    }
}
