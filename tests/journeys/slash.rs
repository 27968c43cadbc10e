//! Lines that are typed, and lines that extensions submit: one dispatcher for both.

use serde_json::{Value, json};

use crate::face::{Face, written};
use crate::rpc::client::{Rpc, of};
use crate::support::{World, have};

/// `/go LINE` submits LINE as a slash command; `/echo TEXT` shows what it was given.
const REMOTE: &str = r#"
import json, sys
def say(**frame): print(json.dumps(frame), flush=True)
say(type="hello", name="remote", protocol_version=2)
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "hello_ack":
        for name in ("Go", "echo"): say(type="register_command", name=name)
        say(type="ready")
    if frame["type"] == "command_invoked":
        args = frame.get("args", "")
        if frame["name"] == "Go":
            say(type="submit_slash", text=args)
            say(type="command_response", id=frame["id"], action="noop")
        else:
            say(type="command_response", id=frame["id"], action="display", display=f"<{args}>")
"#;

fn typed(face: &mut Face, line: &str) -> Value {
    face.0
        .say(json!({"id": line, "type": "slash", "line": line}));
    face.0.response(line)
}

fn said(face: &mut Face, line: &str) -> String {
    let answer = typed(face, line);
    assert_eq!(answer["data"]["did"], "said", "{line}: {answer}");
    answer["data"]["text"].as_str().unwrap().to_owned()
}

#[test]
fn a_typed_line_is_a_command_of_zeug_or_of_an_extension_or_a_prompt() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let remote = written(&world, "remote", REMOTE);
    let mut face = Face::start(&world, &remote);
    for (line, part) in [
        ("/help", "/reload-ext [NAME]"),
        ("/HELP", "extensions\n/echo"),
        ("/tools", "bash (built in)"),
        ("/ext", "commands: "),
        ("/trace", "no calls yet"),
        ("/title The parser", "title"),
        ("/approve writes", "asked about"),
        ("/model puppet", "puppet answers"),
        ("/reload-ext remote", "1 loaded (1 ready)"),
        ("/clear", "forgotten"),
    ] {
        let text = said(&mut face, line);
        assert!(text.contains(part), "{line}: {text}");
    }
    for (line, part) in [
        ("/hepl", "did you mean /help?"),
        ("/approve sometimes", "usage: /approve"),
        ("/export", "usage: /export PATH"),
        ("/cd /tmp", "--cwd"),
        ("/theme", "terminal"),
    ] {
        let answer = typed(&mut face, line);
        assert_eq!(answer["success"], false, "{line}: {answer}");
        let error = answer["error"].as_str().unwrap();
        assert!(error.contains(part), "{line}: {error}");
    }
    // An extension's, in any spelling; its argument as it was typed.
    let answer = typed(&mut face, "/ECHO  a  b ");
    assert_eq!(answer["data"]["action"], "display", "{answer}");
    face.0
        .say(json!({"id": "x", "type": "slash", "line": "/echo  a  b\n c"}));
    let lines = face.0.until_id("x");
    assert_eq!(of(&lines, "ext_display")[0]["text"], "<a  b\n c>");
    // What is no command is said to the model as it is.
    let answer = typed(&mut face, "/usr/bin/env: where?");
    assert_eq!(answer["data"]["did"], "prompt", "{answer}");
    let lines = face.0.until("done");
    assert_eq!(
        of(&lines, "assistant_message")[0]["content"][0]["text"],
        "you said: /usr/bin/env: where?"
    );
}

#[test]
fn a_typed_shell_command_passes_the_gate_and_the_next_prompt_brings_its_output() {
    let world = World::new();
    let mut face = Face(Rpc::start(&world, &["--approve", "always"]));
    face.0
        .say(json!({"id": "h", "type": "hello", "interactive": true}));
    face.0.response("h");
    let answer = typed(&mut face, "!echo one  two");
    assert_eq!(answer["data"]["did"], "prompt", "{answer}");
    let lines = face.0.until("done");
    // Typing it was the permission, and nobody asked the model.
    assert_eq!(of(&lines, "permission_decision")[0]["source"], "user");
    assert!(of(&lines, "tool_confirmation_requested").is_empty());
    assert!(of(&lines, "turn_start").is_empty());
    let text = of(&lines, "tool_result")[0]["content"][0]["text"].clone();
    assert!(text.as_str().unwrap().contains("one two"), "{text}");
    face.prompt("say {{messages}}");
    let lines = face.0.until("done");
    let heard = of(&lines, "assistant_message").pop().unwrap().to_string();
    for part in ["user: !echo one  two", "assistant calls bash", "one two"] {
        assert!(heard.contains(part), "{part}: {heard}");
    }
    let text = said(&mut face, "/trace bash");
    for part in [
        "bash  completed",
        "wanted by  user",
        "ruling     approved by user",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn an_extension_submits_a_command_as_if_it_had_been_typed() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let remote = written(&world, "remote", REMOTE);
    let mut face = Face::start(&world, &remote);
    // What is asked for may happen before the command has answered.
    let go = |face: &mut Face, line: &str, awaited: &str| {
        face.0
            .say(json!({"id": "go", "type": "ext_command", "name": "go", "args": line}));
        let mut lines = face.0.until_id("go");
        if of(&lines, awaited).is_empty() {
            lines.extend(face.0.until(awaited));
        }
        lines
    };
    // One of zeug, in the middle of a turn that it gives up.
    face.prompt("say before\nwait 60s");
    face.0.until("text_delta");
    let lines = go(&mut face, "/new", "session");
    assert_eq!(of(&lines, "turn_end").last().unwrap()["stop"], "aborted");
    // One of its own.
    let lines = go(&mut face, "/echo hi", "ext_display");
    assert_eq!(of(&lines, "ext_display")[0]["text"], "<hi>");
    // The conversation goes on.
    face.prompt("say after");
    let lines = face.0.until("done");
    assert_eq!(
        of(&lines, "assistant_message")[0]["content"][0]["text"],
        "after"
    );
}

#[test]
fn a_side_question_knows_the_conversation_and_leaves_no_trace_in_it() {
    let world = World::new();
    let mut face = Face(Rpc::start(&world, &[]));
    face.prompt("say the answer is 42");
    face.0.until("done");
    let text = said(&mut face, "/btw say {{system}} and {{tools}}");
    for part in ["the answer is 42", "have no tools here"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // It is asked while a turn runs, too, and guards see whose it is.
    face.prompt("wait 60s");
    face.0.until("turn_start");
    assert_eq!(said(&mut face, "/btw say hi"), "hi");
    let answer = typed(&mut face, "/btw fail! 400 no");
    assert!(answer["error"].as_str().unwrap().contains("no"), "{answer}");
    face.0.say(json!({"id": "a", "type": "abort"}));
    face.0.until("done");
    face.0.say(json!({"id": "m", "type": "get_messages"}));
    let messages = face.0.response("m")["data"]["messages"].to_string();
    assert!(
        !messages.contains("btw") && !messages.contains("\"hi\""),
        "{messages}"
    );
}
