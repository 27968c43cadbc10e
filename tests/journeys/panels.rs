//! What extensions show, over `zeug rpc` with a client that is a full face.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::face::{Face, copied, written};
use crate::rpc::client::{Rpc, of};
use crate::support::{World, example, have, repository};

#[test]
fn todo_is_a_list_for_the_user_and_the_model() {
    if !have("node") {
        return;
    }
    let world = World::new();
    let mut face = Face::start(&world, &copied(&world, "todo"));
    face.0
        .say(json!({"id": "c", "type": "ext_command", "name": "Todo"}));
    let opened = face.until_shown("Nothing to do.");
    assert_eq!(opened["title"], "Todos (0/0 done)");
    let reply = face.0.response("c");
    assert_eq!(reply["data"]["action"], "open_panel", "{reply}");
    face.text("todo", "todos", "a");
    face.text("todo", "todos", "wäter the 植物");
    face.key("todo", "todos", "enter");
    face.until_shown("▸ [ ] wäter the 植物");
    face.prompt(r#"call todo_manage {"action":"add","text":"by the model"}"#);
    face.until_shown("[ ] by the model");
    assert!(face.result().contains("2. [ ] by the model"));
    face.0.until("done");
    face.key("todo", "todos", "esc");
    face.key("todo", "todos", "up");
    let refused = face
        .0
        .read_until("a refusal", |line| line["success"] == false);
    let error = refused.last().unwrap()["error"].as_str().unwrap();
    assert!(error.contains("no panel \"todos\" open"), "{error}");
    let (_, stderr, code) = face.0.close_and_finish();
    assert_eq!(code, 0, "{stderr}");
    let file = world.path().join("extensions/todo/todos.json");
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(kept[0]["text"], "wäter the 植物");
    let dir = world.path().join("extensions/todo");
    let list = r#"call todo_manage {"action":"list"}"#;
    let ran = world
        .run(["-p", "-e", dir.to_str().unwrap(), list])
        .exits(0);
    assert!(ran.stdout.contains("2. [ ] by the model"), "{ran:?}");
}

#[test]
fn approve_asks_in_the_middle_of_a_call() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut face = Face::start(&world, &example("approve"));
    let call = r#"call approve_action {"action":"push to main"}"#;
    face.prompt(call);
    face.until_shown("push to main");
    face.text("approve", "ask", "q");
    face.until_shown("Press y or n.");
    face.text("approve", "ask", "y");
    assert_eq!(face.result(), "approved");
    face.0.until("done");
    face.prompt(call);
    face.until_shown("push to main");
    face.panel("ext_panel_close", "approve", "ask", json!({}));
    assert_eq!(face.result(), "denied: the user closed the question");
    face.0.until("done");
    // What a call opened goes with it.
    face.prompt(call);
    face.until_shown("push to main");
    face.0.say(json!({"type": "abort"}));
    let lines = face.0.until("done");
    assert_eq!(of(&lines, "ext_panel_close").len(), 1, "{lines:#?}");
}

#[test]
fn without_a_face_for_it_a_question_is_refused_at_once() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let call = r#"call approve_action {"action":"x"}"#;
    let ran = world.run(["-p", "-e", &example("approve"), call]).exits(0);
    assert!(ran.stdout.contains("waits for a person"), "{ran:?}");
    let mut rpc = Rpc::start(&world, &["-e", &example("approve")]);
    rpc.say(json!({"type": "prompt", "message": call}));
    let lines = rpc.until("done");
    let results = of(&lines, "tool_result");
    assert_eq!(results[0]["is_error"], true, "{results:?}");
}

#[test]
fn a_secret_is_in_no_event_no_file_and_no_log() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut command = Rpc::command(&world, &["--approve", "never", "-e", &example("secret")]);
    command.env("ZEUG_LOG", "debug");
    let mut face = Face(Rpc::spawn(&mut command));
    face.0
        .say(json!({"id": "h", "type": "hello", "interactive": true}));
    face.0.response("h");
    face.prompt(r#"call fetch_private {"url":"https://example.org"}"#);
    let mut told = face.0.until("ext_panel_open");
    // Typed fast, and pasted.
    for c in "héllo".chars() {
        face.text("secret", "password", &c.to_string());
    }
    face.text("secret", "password", " wörld");
    face.key("secret", "password", "enter");
    told.extend(face.0.until("done"));
    let result = of(&told, "tool_result")[0]["content"][0]["text"].clone();
    assert_eq!(
        result,
        "fetched the URL (the password had 11 characters and is not shown)"
    );
    face.0.say(json!({"id": "t", "type": "get_trace"}));
    told.extend(face.0.until_id("t"));
    let (rest, stderr, _) = face.0.close_and_finish();
    told.extend(rest);
    let told = format!("{told:?}{stderr}");
    let mut read = Vec::new();
    for (place, text) in files(&world.home()).chain([(PathBuf::from("events"), told)]) {
        read.push(place.extension().unwrap_or_default().to_owned());
        for secret in ["héllo", "wörld", "h\\u00e9llo"] {
            assert!(!text.contains(secret), "{}", place.display());
        }
    }
    for kind in ["jsonl", "log"] {
        assert!(read.iter().any(|read| read == kind), "{read:?}");
    }
}

/// All files below a directory, as text.
fn files(dir: &Path) -> Box<dyn Iterator<Item = (PathBuf, String)>> {
    let entries = std::fs::read_dir(dir).unwrap().flatten();
    Box::new(entries.flat_map(|entry| -> Box<dyn Iterator<Item = _>> {
        let path = entry.path();
        if path.is_dir() {
            return files(&path);
        }
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        Box::new(std::iter::once((path, text)))
    }))
}

pub(crate) const FLOOD: &str = r#"
import json, sys, threading
def say(**frame): print(json.dumps(frame), flush=True)
def flood():
    for n in range(50): say(type="open_panel", panel={"id": str(n), "lines": ["x"] * 100})
    n = 0
    while True:
        n += 1
        say(type="panel_render", panel_id="15", lines=[str(n)] * 100)
        say(type="status", key="k", text=str(n))
        say(type="notify", message=str(n))
say(type="hello", name="flood", protocol_version=2)
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "hello_ack":
        say(type="ready")
        threading.Thread(target=flood, daemon=True).start()
    if frame["type"] == "shutdown": break
"#;

#[test]
fn a_flood_and_fifty_panels_hold_nobody_up() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut face = Face::start(&world, &written(&world, "flood", FLOOD));
    let mut lines = face.0.read_until("the flood", |line| line["key"] == "k");
    face.prompt("call glob {\"pattern\":\"*\"}\nthen\nsay here I am");
    face.0.say(json!({"id": "p", "type": "ping"}));
    lines.extend(face.0.until_id("p"));
    lines.extend(face.0.until("done"));
    assert_eq!(of(&lines, "ext_panel_open").len(), 16);
    let said = of(&lines, "assistant_message").pop().unwrap().to_string();
    assert!(said.contains("here I am"), "{said}");
    // The client stops reading: nothing ends badly, and nothing stays.
    face.0.close_output();
}

#[test]
fn phases_go_with_their_branch_and_are_seen() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut face = Face::start(&world, &example("phases"));
    face.prompt("call set_plan {\"phases\":[\"read\",\"change\"]}\nthen\nsay {{messages}}");
    let lines = face.0.until("done");
    let status = of(&lines, "ext_status");
    assert_eq!(status.last().unwrap()["text"], "phase 1/2", "{lines:#?}");
    let widget = of(&lines, "ext_widget").pop().unwrap().clone();
    assert_eq!(widget["lines"], json!(["[>] read", "[ ] change"]));
    // A branch from before the plan has none, and the first one has its own still.
    face.0.say(json!({"id": "tree", "type": "tree"}));
    let tree = face.0.response("tree");
    let entry = tree["data"]["nodes"][0]["entry"].clone();
    face.0
        .say(json!({"id": "fork", "type": "fork", "entry": entry, "name": "try"}));
    let lines = face.0.until_id("fork");
    let forked = lines.last().unwrap();
    assert_eq!(forked["success"], true, "{forked}");
    face.prompt("call finish_phase {}");
    assert_eq!(
        face.result(),
        "there is no phase to finish: set_plan makes a plan"
    );
    face.0.until("done");
    face.0.say(json!({"id": "b", "type": "branches"}));
    let branches = face.0.response("b");
    let first = branches["data"]["branches"][0]["id"].clone();
    face.0
        .say(json!({"id": "s", "type": "switch_branch", "branch": first}));
    face.0.response("s");
    face.prompt("call finish_phase {}");
    assert_eq!(face.result(), "1. [x] read\n2. [ ] change");
    face.0.until("done");
    drop(face.0.close_and_finish());
    // And in another process.
    let call = "call finish_phase {}";
    let args = ["-c", "-p", "-e", &example("phases"), call];
    let ran = world.run(args).exits(0);
    assert!(ran.stdout.contains("2. [x] change"), "{ran:?}");
}

#[test]
fn hidden_context_reaches_the_model_and_not_the_transcript() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let phases = example("phases");
    let run = |last: &str| {
        let script = format!("call set_plan {{\"phases\":[\"read\"]}}\nthen\nsay {last}");
        world.run(["-p", "-e", &phases, &script]).exits(0).stdout
    };
    let context = run("{{context}}");
    assert!(
        context.contains("[phases]\nThe plan:\n1. [ ] read"),
        "{context}"
    );
    let messages = run("{{messages}}");
    assert!(!messages.contains("The plan:"), "{messages}");
    let skill = world
        .run(["-p", "-e", &example("phases"), "say {{system}}"])
        .exits(0);
    assert!(skill.stdout.contains("plan-in-phases"), "{skill:?}");
    // The same over RPC, for what the client says.
    let mut rpc = Rpc::start(&world, &["-e", &phases]);
    rpc.say(json!({"type": "prompt", "message": "/skill:plan-in-phases build it"}));
    let lines = rpc.until("done");
    let said = of(&lines, "user_message")[0].to_string();
    assert!(
        said.contains("set_plan") && said.contains("build it"),
        "{said}"
    );
    rpc.say(json!({"id": "x", "type": "prompt", "message": "/skill:nothing"}));
    let refused = rpc.response("x");
    assert_eq!(refused["success"], false, "{refused}");
}

#[test]
fn the_panel_client_does_what_its_readme_says() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let output = std::process::Command::new("python3")
        .arg(repository("examples/rpc/python/panel.py"))
        .args([
            &example("approve"),
            r#"call approve_action {"action":"go"}"#,
        ])
        .args(["x", "y"])
        .current_dir(world.project())
        .env("ZEUG", env!("CARGO_BIN_EXE_zeug"))
        .env("ZEUG_HOME", world.home())
        .env_remove("ZEUG_RPC_TOKEN")
        .output()
        .unwrap();
    let ran = crate::support::Ran::from(output).exits(0);
    assert!(ran.stdout.contains("│ Press y or n."), "{ran:?}");
    assert!(ran.stdout.contains("result: approved"), "{ran:?}");
}
