//! Slash commands, and prompts that come from extensions.

use serde_json::json;

use super::{command, events, heard, listener, prompt, python, said};
use crate::face::Face;
use crate::rpc::client::{Rpc, of};
use crate::support::{World, have};

/// Commands that show, fail, prompt, and call a tool before they answer.
const DESK: &str = r#"
say(type="hello", name="desk", protocol_version=2, capabilities=["commands", "call_tool"])
for name in ["ShowMe", "fail", "ask", "look"]:
    say(type="register_command", name=name)
say(type="ready")
for frame in frames():
    if frame["type"] == "command_invoked":
        reply = {"type": "command_response", "id": frame["id"]}
        args = frame.get("args", "")
        if frame["name"] == "ShowMe": say(**reply, action="display", display=json.dumps([frame["name"], args]))
        if frame["name"] == "fail": say(**reply, action="prompt", prompt="never", error="no such\ncity")
        if frame["name"] == "ask": say(**reply, action="prompt", prompt=args)
        if frame["name"] == "look": say(type="call_tool", id="r", name="glob", args={"pattern": "*"})
    elif frame["type"] == "tool_result":
        say(**reply, action="display", display=frame["content"][0]["text"])
    elif frame["type"] == "shutdown": break
"#;

#[test]
fn a_wrong_cased_command_arrives_in_its_own_spelling() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &python(&world, "desk", DESK)]);
    for name in ["showme", "SHOWME", "/ShowMe"] {
        let (response, lines) = command(&mut rpc, name, "  the  whole\tworld ");
        assert_eq!(response["success"], true, "{response}");
        assert_eq!(
            of(&lines, "ext_display")[0]["text"],
            r#"["ShowMe", "the  whole\tworld"]"#
        );
    }
    let (response, _) = command(&mut rpc, "showm", "");
    assert!(
        response["error"]
            .as_str()
            .unwrap()
            .contains("did you mean /showme?"),
        "{response}"
    );
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn what_a_command_displays_is_for_the_user_alone() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &python(&world, "desk", DESK)]);
    let (response, lines) = command(&mut rpc, "ShowMe", "between us");
    assert_eq!(response["data"]["action"], "display", "{response}");
    let shown = of(&lines, "ext_display")[0];
    assert_eq!(shown["extension"], "desk");
    assert!(of(&lines, "request_started").is_empty(), "{lines:#?}");
    assert!(!said(&mut rpc, "say {{messages}}").contains("between us"));
    drop(rpc.close_and_finish());
    let ran = world.run(["-c", "-p", "say {{messages}}"]).exits(0);
    assert!(!ran.stdout.contains("between us"), "{ran:?}");
}

#[test]
fn a_commands_own_error_is_the_users_to_read() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = python(&world, "desk", DESK);
    let ran = world.run(["ext", "command", "fail", "-e", &dir]).exits(1);
    assert!(ran.stderr.contains("no such\ncity"), "{ran:?}");
    assert_eq!(ran.stdout, "");
    let mut rpc = Rpc::start(&world, &["-e", &dir]);
    let (response, _) = command(&mut rpc, "fail", "");
    assert_eq!(response["success"], false);
    assert!(
        response["error"]
            .as_str()
            .unwrap()
            .contains("no such\ncity"),
        "{response}"
    );
    rpc.say(json!({"id": "m", "type": "get_messages"}));
    assert_eq!(
        rpc.response("m")["data"]["messages"],
        json!([]),
        "the prompt was not sent"
    );
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn a_command_may_call_a_tool_before_it_answers() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    std::fs::write(world.project().join("a.txt"), "x").unwrap();
    let mut rpc = Rpc::start(&world, &["-e", &python(&world, "desk", DESK)]);
    prompt(&mut rpc, "hi");
    let (response, lines) = command(&mut rpc, "look", "");
    assert_eq!(response["success"], true, "{response}");
    assert_eq!(of(&lines, "ext_display")[0]["text"], "a.txt");
    assert_eq!(rpc.close_and_finish().2, 0);
}

/// Submits what it is told to, as soon as a turn runs.
const CHATTERER: &str = r#"
say(type="hello", name="chatterer", protocol_version=2)
say(type="subscribe", events=["turn_start"])
say(type="register_command", name="submit")
say(type="ready")
once = ["!touch never", "/clear", "  \n"]
for frame in frames():
    if frame["type"] == "event":
        while once: say(type="submit", text=once.pop(0))
    elif frame["type"] == "command_invoked":
        say(type="submit", text=frame["args"])
        say(type="command_response", id=frame["id"])
    elif frame["type"] == "shutdown": break
"#;

#[test]
fn what_an_extension_submits_waits_behind_what_runs() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut face = Face::start(&world, &python(&world, "chatterer", CHATTERER));
    face.prompt("say one\ncall bash {\"command\":\"sleep 0.2\"}\nthen\nsay two");
    let mut lines = Vec::new();
    for _ in 0..3 {
        lines.extend(face.0.until("done"));
    }
    let told: Vec<String> = lines
        .iter()
        .filter(|line| {
            ["user_message", "assistant_message", "done"].contains(&line["type"].as_str().unwrap())
        })
        .filter(|line| line["type"] == "done" || line["content"][0]["text"].is_string())
        .map(|line| match line["type"].as_str() {
            Some("done") => "done".to_owned(),
            _ => line["content"][0]["text"]
                .as_str()
                .unwrap()
                .lines()
                .next()
                .unwrap()
                .to_owned(),
        })
        .collect();
    let expect = [
        "say one",
        "one",
        "two",
        "done",
        "!touch never",
        "you said: !touch never",
        "done",
        "/clear",
        "you said: /clear",
        "done",
    ];
    assert_eq!(told, expect, "{lines:#?}");
    assert!(!world.project().join("never").exists(), "no shell ran it");
    // Nothing runs: it starts at once.
    let (response, mut lines) = command(&mut face.0, "submit", "say at once");
    assert_eq!(response["data"]["action"], "noop", "{response}");
    if of(&lines, "done").is_empty() {
        lines.extend(face.0.until("done"));
    }
    assert_eq!(
        of(&lines, "assistant_message")[0]["content"][0]["text"],
        "at once"
    );
    assert_eq!(face.0.close_and_finish().2, 0);
}

#[test]
fn a_prompt_of_a_command_waits_behind_what_runs() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &python(&world, "desk", DESK)]);
    rpc.say(json!({"type": "prompt", "message": "say one\nwait 60s"}));
    rpc.until("text_delta");
    let (response, mut lines) = command(&mut rpc, "ask", "say two");
    assert_eq!(response["data"]["action"], "prompt", "{response}");
    assert!(of(&lines, "user_message").is_empty(), "{lines:#?}");
    rpc.say(json!({"type": "abort"}));
    lines = rpc.until("done");
    assert_eq!(of(&lines, "turn_end")[0]["stop"], "aborted");
    assert!(of(&lines, "user_message").is_empty(), "{lines:#?}");
    let lines = rpc.until("done");
    assert_eq!(of(&lines, "user_message").len(), 1, "{lines:#?}");
    let said = of(&lines, "assistant_message")[0];
    assert_eq!(said["content"][0]["text"], "two");
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn nothing_is_submitted_where_nobody_would_see_the_answer() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = python(&world, "chatterer", CHATTERER);
    let ran = world.run(["--json", "-e", &dir, "say one"]).exits(0);
    let events = ran.events();
    assert_eq!(of(&events, "user_message").len(), 1, "{ran:?}");
    assert_eq!(of(&events, "done").len(), 1, "{ran:?}");
    let ran = world.run(["-p", "-e", &dir, "say one"]).exits(0);
    assert_eq!(ran.stdout, "one\n");
    let mut rpc = Rpc::start(&world, &["-e", &dir]);
    let mut lines = prompt(&mut rpc, "say one");
    lines.extend(prompt(&mut rpc, "say two"));
    assert_eq!(of(&lines, "user_message").len(), 2, "{lines:#?}");
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn a_prompt_of_an_extension_is_told_like_any_other() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let (desk, ears) = (
        python(&world, "desk", DESK),
        listener(&world, &["--events", "user_prompt_submit,turn_start"]),
    );
    let mut rpc = Rpc::start(&world, &["-e", &desk, "-e", &ears]);
    command(&mut rpc, "ask", "what is it");
    rpc.until("done");
    assert_eq!(rpc.close_and_finish().2, 0);
    let frames = heard(&world);
    let told = events(&frames, "user_prompt_submit");
    assert_eq!(told.len(), 1, "{frames:#?}");
    assert_eq!(told[0]["text"], "what is it");
}

#[test]
fn only_what_is_said_to_the_model_is_told_as_a_prompt() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    world.run(["-p", "an earlier word"]).exits(0);
    let (desk, ears) = (
        python(&world, "desk", DESK),
        listener(&world, &["--events", "user_prompt_submit,post_compact"]),
    );
    let mut rpc = Rpc::start(&world, &["-c", "-e", &desk, "-e", &ears]);
    command(&mut rpc, "ShowMe", "x");
    for n in 0..4 {
        prompt(&mut rpc, &format!("say {n} {}", "word ".repeat(50)));
    }
    rpc.say(json!({"type": "compact"}));
    rpc.until("compact_done");
    assert_eq!(rpc.close_and_finish().2, 0);
    let frames = heard(&world);
    assert_eq!(
        events(&frames, "user_prompt_submit").len(),
        4,
        "{frames:#?}"
    );
    assert_eq!(events(&frames, "post_compact").len(), 1, "{frames:#?}");
}
