//! What extensions know of the session they are in, and what it keeps for them.

use serde_json::{Value, json};

use super::{events, fixture, heard, listener, prompt, python};
use crate::rpc::client::Rpc;
use crate::support::{World, example, have};

const BOUNDARIES: &str =
    "session_start,session_opened,session_switched,session_forked,session_compacted,session_end";

#[test]
fn the_ack_and_every_event_of_a_session_name_the_branch() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = listener(&world, &["--v2", "--events", BOUNDARIES]);
    let mut rpc = Rpc::start(&world, &["-e", &dir]);
    prompt(&mut rpc, "say one");
    prompt(&mut rpc, "say two");
    rpc.say(json!({"id": "f", "type": "fork", "name": "side"}));
    let forked = rpc.response("f")["data"].clone();
    rpc.say(json!({"id": "r", "type": "reload_ext"}));
    assert_eq!(rpc.response("r")["data"]["ready"], 1);
    assert_eq!(rpc.close_and_finish().2, 0);
    let frames = heard(&world);
    let branch = &forked["branch"];
    let project = world.project().canonicalize().unwrap();
    let session = events(&frames, "session_forked")[0]["session"].clone();
    // Unique among all sessions, not only within this one; the trunk is the session itself.
    let trunk = forked["session_id"].as_str().unwrap();
    let side = format!("{trunk}-{}", branch["id"].as_str().unwrap());
    assert_eq!(session["id"], side, "{forked}");
    assert_eq!(session["parent_id"], trunk);
    assert_eq!(session["fork_point"], 4, "two prompts and two answers");
    assert_eq!(session["cwd"], project.to_str().unwrap());
    let file = std::path::PathBuf::from(session["path"].as_str().unwrap());
    assert!(file.starts_with(world.home()), "{}", file.display());
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("say two"), "it is the session's own file");
    // One that comes now is told in its ack, and then like everybody.
    let acks: Vec<_> = frames.iter().filter(|f| f["type"] == "hello_ack").collect();
    assert_eq!(acks.len(), 2);
    assert_eq!(acks[1]["session"], session);
    let opened = events(&frames, "session_opened");
    assert_eq!(opened.last().unwrap()["session"], session);
    // The first branch has no parent, and says so by silence.
    let first = &opened[0]["session"];
    assert_eq!(first["id"], trunk);
    assert_eq!(
        (first.get("parent_id"), first.get("fork_point")),
        (None, None)
    );
    for frame in frames.iter().filter(|frame| frame["type"] == "event") {
        assert_eq!(frame["session_id"], forked["session_id"], "{frame}");
    }
}

#[test]
fn without_a_file_a_session_has_an_id_all_the_same() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = listener(&world, &["--events", BOUNDARIES]);
    for _ in 0..2 {
        let args = ["--no-session", "-p", "-e", &dir, "hi"];
        world.run(args).exits(0);
    }
    let frames = heard(&world);
    let ids = |name: &str| -> Vec<String> {
        let ids = events(&frames, name);
        let ids = ids.iter().map(|frame| frame["session_id"].as_str());
        ids.map(|id| id.unwrap().to_owned()).collect()
    };
    let started = ids("session_start");
    assert_eq!(started.len(), 2, "{frames:#?}");
    assert!(!started[0].is_empty() && started[0] != started[1]);
    assert_eq!(ids("session_end"), started);
}

#[test]
fn what_is_kept_for_an_extension_is_not_for_the_model() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let program = r#"
say(type="hello", name="keeper", protocol_version=2)
say(type="register_tool", name="keep")
say(type="subscribe", events=["session_opened"])
say(type="ready")
state = None
for frame in frames():
    if frame["type"] == "event": state = frame.get("state")
    elif frame["type"] == "tool_call":
        answer(frame, "known" if state else "new", details={"private": "sesame"})
    elif frame["type"] == "shutdown": break
"#;
    let dir = python(&world, "keeper", program);
    let ask = "call keep {}\nthen\nsay {{messages}} {{context}} {{system}}";
    for (flags, told) in [(&["--json"][..], "new"), (&["-c", "--json"], "known")] {
        let ran = world.run([flags, &["-e", &dir, ask]].concat()).exits(0);
        assert!(
            ran.stdout.contains(&format!("completed: {told}")),
            "{ran:?}"
        );
        assert!(!ran.stdout.contains("sesame"), "{ran:?}");
    }
    let mut rpc = Rpc::start(&world, &["-c", "-e", &dir]);
    let mut lines = prompt(&mut rpc, ask);
    rpc.say(json!({"id": "m", "type": "get_messages"}));
    lines.extend(rpc.until_id("m"));
    assert!(!Value::from(lines).to_string().contains("sesame"));
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn a_prompt_is_told_as_the_model_gets_it() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let ears = listener(&world, &["--events", "user_prompt_submit"]);
    let mut rpc = Rpc::start(&world, &["-e", &example("phases"), "-e", &ears]);
    prompt(&mut rpc, "/skill:plan-in-phases build it");
    assert_eq!(rpc.close_and_finish().2, 0);
    let frames = heard(&world);
    let told = events(&frames, "user_prompt_submit")[0]["text"].as_str();
    let told = told.unwrap();
    assert!(
        told.contains("set_plan") && told.contains("build it"),
        "the skill's own text: {told}"
    );
}

#[test]
fn state_that_comes_with_an_error_counts() {
    if !have("node") {
        return;
    }
    let world = World::new();
    let dir = fixture(&world, "keeper");
    for (flags, expect) in [
        (&["-p"][..], "null"),
        (&["-c", "-p"], r#"{"tries":1}"#),
        (&["-c", "-p"], r#"{"tries":2}"#),
    ] {
        let ran = world
            .run([flags, &["-e", &dir, "call keep {}"]].concat())
            .exits(0);
        assert!(ran.stdout.contains(&format!("before: {expect}")), "{ran:?}");
    }
}

#[test]
fn a_state_that_is_too_large_is_dropped_aloud_and_the_result_stands() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let program = r#"
say(type="hello", name="hoarder", protocol_version=2)
say(type="register_tool", name="keep")
say(type="subscribe", events=["session_opened"])
say(type="ready")
state = ""
for frame in frames():
    if frame["type"] == "event": state = frame.get("state", "")
    elif frame["type"] == "tool_call":
        answer(frame, f"had {len(state)}", details="x" * frame["args"]["chars"])
    elif frame["type"] == "shutdown": break
"#;
    let dir = python(&world, "hoarder", program);
    // The quotes count.
    let most = 256 * 1024 - 2;
    for (chars, had, warned) in [(most, 0, false), (most + 1, most, true), (1, most, false)] {
        let call = format!("call keep {{\"chars\":{chars}}}");
        let ran = world.run(["-c", "-p", "-e", &dir, &call]).exits(0);
        assert_eq!(ran.stdout, format!("keep → had {had}\n"));
        let told = ran.stderr.contains("[hoarder] warn: ") && ran.stderr.contains("262144");
        assert_eq!(told, warned, "{ran:?}");
    }
}
