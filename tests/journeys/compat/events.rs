//! What extensions are told, in which order, and what of it is theirs alone.

use serde_json::{Value, json};

use super::{events, heard, listener, prompt, python};
use crate::rpc::client::{Rpc, kinds, of};
use crate::support::{World, have};

const STEP: &str = "session_start,session_end,user_prompt_submit,turn_start,turn_end,\
    assistant_message,tool_call,tool_result,tool_confirmation_requested,permission_decision";
const MOMENTS: &str = "tool_call,turn_start,assistant_message,before_agent_start";

/// What was told and asked, in a word each.
fn story(frames: &[Value]) -> Vec<String> {
    let word = |frame: &Value| match frame["type"].as_str().unwrap() {
        "event" => frame["event"].as_str().unwrap().to_owned(),
        "event_intercept" => format!("{}?", frame["event"].as_str().unwrap()),
        other => other.to_owned(),
    };
    frames.iter().map(word).collect()
}

#[test]
fn one_step_in_the_order_of_the_page() {
    if !have("python3") {
        return;
    }
    let script =
        "say one\ncall glob {\"pattern\":\"*\"}\ncall read {\"path\":\"a.txt\"}\nthen\nsay two";
    for mode in ["-p", "--stream", "--json", "rpc"] {
        let world = World::new();
        std::fs::write(world.project().join("a.txt"), "x").unwrap();
        let dir = listener(&world, &["--events", STEP, "--intercept", MOMENTS]);
        if mode == "rpc" {
            let mut rpc = Rpc::start(&world, &["-e", &dir]);
            prompt(&mut rpc, script);
            assert_eq!(rpc.close_and_finish().2, 0);
        } else {
            world.run([mode, "-e", &dir, script]).exits(0);
        }
        let frames = heard(&world);
        let mut told = story(&frames);
        // Tools that only look may run beside each other: their ends have no order among them.
        let settle = |word: &String| {
            word == "tool_result" || word == "permission_decision" || word == "tool_call?"
        };
        let first = told.iter().position(settle).unwrap();
        told[first..first + 6].sort();
        let expect = [
            "hello_ack",
            "session_start",
            "user_prompt_submit",
            "before_agent_start?",
            "turn_start",
            "turn_start?",
            "assistant_message?",
            "assistant_message",
            "tool_call",
            "tool_call",
            "turn_end",
            "permission_decision",
            "permission_decision",
            "tool_call?",
            "tool_call?",
            "tool_result",
            "tool_result",
            "turn_start",
            "turn_start?",
            "assistant_message?",
            "assistant_message",
            "turn_end",
            "session_end",
            "shutdown",
        ];
        assert_eq!(told, expect, "{mode}");
        let numbers: Vec<_> = frames
            .iter()
            .filter_map(|f| f["sequence"].as_u64())
            .collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{mode}: {numbers:?}");
        for frame in frames.iter().filter(|f| f["type"] == "event") {
            assert!(
                frame["session_id"].is_string() && frame["cwd"].is_string(),
                "{frame}"
            );
        }
        let end = events(&frames, "turn_end");
        assert_eq!(
            (&end[0]["stop"], &end[1]["stop"]),
            (&json!("tool_use"), &json!("end_turn"))
        );
    }
}

#[test]
fn a_session_starts_before_the_first_prompt() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let program = r#"
say(type="hello", name="early")
say(type="subscribe", events=["session_start"])
say(type="ready")
for frame in frames():
    if frame["type"] == "event": say(type="notify", message=f"{frame['event']} of {frame['session_id']}")
    elif frame["type"] == "shutdown": break
"#;
    let mut rpc = Rpc::start(&world, &["-e", &python(&world, "early", program)]);
    rpc.say(json!({"id": "h", "type": "hello"}));
    let mut lines = rpc.until_id("h");
    if of(&lines, "ext_notify").is_empty() {
        lines.extend(rpc.until("ext_notify"));
    }
    let id = of(&lines, "response")[0]["data"]["session_id"]
        .as_str()
        .unwrap();
    assert_eq!(
        of(&lines, "ext_notify")[0]["message"],
        format!("session_start of {id}")
    );
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn neither_a_clear_nor_another_model_nor_a_reload_ends_the_conversation() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let ears = listener(
        &world,
        &["--events", "session_start,session_end,user_prompt_submit"],
    );
    let mut rpc = Rpc::start(&world, &["-e", &ears]);
    prompt(&mut rpc, "say one");
    for request in [
        json!({"id": "1", "type": "clear"}),
        json!({"id": "2", "type": "set_model", "model": "puppet"}),
        json!({"id": "3", "type": "reload_ext"}),
    ] {
        rpc.say(request.clone());
        let response = rpc.response(request["id"].as_str().unwrap());
        assert_eq!(response["success"], true, "{response}");
    }
    prompt(&mut rpc, "say two");
    rpc.say(json!({"id": "4", "type": "new_session"}));
    assert_eq!(rpc.response("4")["success"], true);
    assert_eq!(rpc.close_and_finish().2, 0);
    // Both instances of the listener write into the same file.
    let frames = heard(&world);
    let told: Vec<_> = frames
        .iter()
        .filter(|frame| frame["type"] == "event")
        .map(|frame| match frame["reason"].as_str() {
            Some(reason) => format!("{} {reason}", frame["event"].as_str().unwrap()),
            None => frame["event"].as_str().unwrap().to_owned(),
        })
        .collect();
    let expect = [
        "session_start",
        "user_prompt_submit",
        "user_prompt_submit",
        "session_end session_switch",
        "session_start",
        "session_end shutdown",
    ];
    assert_eq!(told, expect);
}

#[test]
fn a_call_without_arguments_has_an_empty_object() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let log = world.path().join("heard").display().to_string();
    let dir = world.guest("echo", &["--events", "tool_result", "--log-events", &log]);
    let ran = world
        .run(["-p", "-e", dir.to_str().unwrap(), "call echo"])
        .exits(0);
    assert_eq!(ran.stdout, "echo → {}\n");
    let frames = heard(&world);
    let call = frames.iter().find(|f| f["type"] == "tool_call").unwrap();
    assert_eq!(call["args"], json!({}));
    assert_eq!(events(&frames, "tool_result")[0]["tool_args"], json!({}));
}

#[test]
fn arguments_that_are_no_json_are_told_as_text() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = listener(
        &world,
        &[
            "--events",
            "tool_call,tool_result",
            "--intercept",
            "tool_call",
        ],
    );
    world
        .run(["-p", "-e", &dir, r#"call bash {"command":"#])
        .exits(0);
    let frames = heard(&world);
    for name in ["tool_call", "tool_result"] {
        let told = events(&frames, name)[0];
        assert_eq!(told["tool_args_raw"], r#"{"command":"#, "{told}");
        assert_eq!(told.get("tool_args"), None, "{told}");
    }
    let result = events(&frames, "tool_result")[0];
    assert_eq!(
        (&result["status"], &result["executed"]),
        (&json!("failed"), &json!(false))
    );
    assert!(
        !story(&frames).contains(&"tool_call?".to_owned()),
        "nobody is asked"
    );
}

#[test]
fn an_answer_to_an_event_counts_for_nothing() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let program = r#"
say(type="hello", name="meddler")
say(type="subscribe", events=["turn_start", "tool_call", "assistant_message", "tool_result", "permission_decision"])
say(type="ready")
for frame in frames():
    if frame["type"] == "event":
        for key in ("tool_id", "sequence", "session_id"):
            say(type="event_intercept_response", id=str(frame.get(key)), block=True, reason="no",
                modified_args={"pattern": "none"}, replace_text="other words", context="more")
    elif frame["type"] == "shutdown": break
"#;
    std::fs::write(world.project().join("a.txt"), "x").unwrap();
    let dir = python(&world, "meddler", program);
    let script = "say one\ncall glob {\"pattern\":\"*\"}\nthen\nsay <{{context}}>";
    let ran = world.run(["--stream", "-e", &dir, script]).exits(0);
    assert_eq!(ran.stdout, "one\n<>\n");
    assert!(ran.stderr.contains("glob → a.txt"), "{ran:?}");
}

#[test]
fn clients_are_told_the_same_whether_an_extension_listens_or_not() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let all = format!("{STEP},pre_compact,post_compact,subagent_start,subagent_stop");
    let ears = listener(&world, &["--events", &all]);
    let script = "say one\ncall glob {\"pattern\":\"*\"}\nthen\nsay two";
    let told = |args: &[&str]| -> Vec<String> {
        let mut rpc = Rpc::start(&world, args);
        let lines = prompt(&mut rpc, script);
        assert_eq!(rpc.close_and_finish().2, 0);
        kinds(&lines).into_iter().map(str::to_owned).collect()
    };
    assert_eq!(told(&["-e", &ears]), told(&[]));
}

#[test]
fn the_model_reads_what_observers_do_not() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let program = r#"
say(type="hello", name="long")
say(type="register_tool", name="long")
say(type="ready")
for frame in frames():
    if frame["type"] == "tool_call": answer(frame, "é" * 200 * 1024)
    elif frame["type"] == "shutdown": break
"#;
    let (long, ears) = (
        python(&world, "long", program),
        listener(&world, &["--events", "tool_result"]),
    );
    let script = "call long {}\nthen\nsay {{last_result}}";
    let ran = world.run(["-p", "-e", &long, "-e", &ears, script]).exits(0);
    assert_eq!(ran.stdout.matches('é').count(), 200 * 1024);
    let frames = heard(&world);
    let result = &events(&frames, "tool_result")[0]["result"];
    assert_eq!(result["truncated"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(
        text.len() <= 256 * 1024 && text.starts_with('é'),
        "{}",
        text.len()
    );
}

#[test]
fn an_event_tells_nothing_of_the_owners_state() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let program = r#"
say(type="hello", name="keeper")
say(type="register_tool", name="keep")
say(type="register_tool", name="more", deferred=True)
say(type="ready")
for frame in frames():
    if frame["type"] == "tool_call": answer(frame, "kept", details={"private": "sesame"}, activate_tools=["more"])
    elif frame["type"] == "shutdown": break
"#;
    let (keeper, ears) = (
        python(&world, "keeper", program),
        listener(
            &world,
            &["--events", "tool_result,session_opened,session_compacted"],
        ),
    );
    let args = ["-p", "-e", &keeper, "-e", &ears, "call keep {}"];
    world.run(args).exits(0);
    world
        .run(["-c", "-p", "-e", &keeper, "-e", &ears, "hi"])
        .exits(0);
    let frames = heard(&world);
    let result = events(&frames, "tool_result")[0];
    assert_eq!(
        result["result"],
        json!({"content": [{"type": "text", "text": "kept"}], "is_error": false})
    );
    assert_eq!(events(&frames, "session_opened").len(), 2);
    let all = format!("{frames:?}");
    assert!(
        !all.contains("sesame") && !all.contains("activate"),
        "{all}"
    );
}
