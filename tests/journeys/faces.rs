//! What goes to stdout, what to stderr, and the exit codes.

use std::io::Write;
use std::process::Stdio;

use crate::support::{Ran, World, example};

#[test]
fn print_prints_only_the_answer() {
    let ran = World::new().run(["-p", "hello there"]).exits(0);
    assert_eq!(ran.stdout, "you said: hello there\n");
    assert!(
        ran.stderr.contains("puppet"),
        "the banner says who answers: {ran:?}"
    );
    let named = World::new()
        .run(["-p", "--provider", "puppet", "hi"])
        .exits(0);
    assert_eq!(named.stderr, "");
}

#[test]
fn piped_input_is_appended_to_the_prompt() {
    let world = World::new();
    let mut child = world
        .command(["say this"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"say and that")
        .unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap()).exits(0);
    assert_eq!(ran.stdout, "this\nand that\n");
}

#[test]
fn json_is_one_event_a_line_and_one_done() {
    let ran = World::new()
        .run([
            "--json",
            "-e",
            &example("weather"),
            r#"call weather {"city":"Berlin"}"#,
        ])
        .exits(0);
    let types: Vec<String> = ran
        .events()
        .iter()
        .map(|e| e["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(types.iter().filter(|t| *t == "done").count(), 1);
    assert_eq!(types.last().unwrap(), "done");
    for expected in [
        "user_message",
        "turn_start",
        "request_started",
        "assistant_start",
        "tool_use_start",
        "tool_call",
        "turn_end",
        "tool_execution_started",
        "tool_result",
        "assistant_message",
    ] {
        assert!(
            types.iter().any(|t| t == expected),
            "{expected} in {types:?}"
        );
    }
}

#[test]
fn a_provider_failure_exits_1_and_json_still_ends_with_done() {
    let world = World::new();
    let print = world.run(["-p", "fail! 400 no such thing"]).exits(1);
    assert_eq!(print.stdout, "");
    assert!(print.stderr.contains("400 no such thing"), "{print:?}");
    let json = world.run(["--json", "fail! 401 who are you"]).exits(1);
    let events = json.events();
    assert_eq!(events.last().unwrap()["type"], "done");
    assert_eq!(events[events.len() - 2]["type"], "error");
}

#[test]
fn a_retryable_failure_is_retried() {
    let ran = World::new()
        .run(["--json", "fail 529 overloaded\nsay made it"])
        .exits(0);
    let events = ran.events();
    assert!(
        events.iter().any(|e| e["type"] == "retry_scheduled"),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("made it"));
}

#[test]
fn wrong_usage_exits_2_with_a_sentence() {
    let world = World::new();
    for args in [
        &["--nonsense"][..],
        &["-p", ""][..],
        &["-p", "--provider", "nobody", "hi"][..],
        &["-p", "--cwd", "/does/not/exist", "hi"][..],
        &["ext", "dance"][..],
    ] {
        let ran = world.run(args).exits(2);
        assert!(
            !ran.stderr.trim().is_empty() && ran.stdout.is_empty(),
            "{args:?}: {ran:?}"
        );
    }
}

#[test]
fn a_broken_configuration_exits_2_and_names_file_and_line() {
    let world = World::new();
    world.config("max_steps = 3\nmodel = 7\n");
    let ran = world.run(["-p", "hi"]).exits(2);
    assert!(
        ran.stderr.contains("config.toml") && ran.stderr.contains('2'),
        "{ran:?}"
    );
}

#[test]
fn no_tools_covers_extensions_too() {
    let world = World::new();
    let weather = example("weather");
    let none = world
        .run(["-p", "--no-tools", "-e", &weather, "say [{{tools}}]"])
        .exits(0);
    assert_eq!(none.stdout, "[]\n");
    let some = world
        .run([
            "-p",
            "--tools",
            "read,weather",
            "-e",
            &weather,
            "say [{{tools}}]",
        ])
        .exits(0);
    assert_eq!(some.stdout, "[read, weather]\n");
}

#[test]
fn approve_writes_refuses_headless_and_says_how_to_allow() {
    let world = World::new();
    let ran = world
        .run([
            "-p",
            "--approve",
            "writes",
            r#"call write {"path":"x","content":"y"}"#,
        ])
        .exits(0);
    assert!(!world.project().join("x").exists());
    assert!(ran.stdout.contains("--approve"), "{ran:?}");
    let read = world
        .run(["-p", "--approve", "writes", r#"call glob {"pattern":"*"}"#])
        .exits(0);
    assert!(read.stdout.starts_with("glob → "), "{read:?}");
}

#[test]
fn the_step_cap_ends_a_prompt() {
    let script = "call glob {\"pattern\":\"*\"}\nthen\ncall glob {\"pattern\":\"*\"}\nthen\nsay no";
    let ran = World::new()
        .run(["-p", "--max-steps", "2", script])
        .exits(1);
    assert!(ran.stderr.contains('2'), "{ran:?}");
}
