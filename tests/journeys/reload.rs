//! Extensions start anew while zeug runs.

use serde_json::{Value, json};

use crate::rpc::client::{Rpc, of};
use crate::support::{World, have};

fn program(answer: &str, tool: &str) -> String {
    format!(
        r#"
import json, sys
def say(**frame): print(json.dumps(frame), flush=True)
say(type="hello", name="edited", protocol_version=2)
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "hello_ack":
        say(type="register_tool", name="{tool}", schema={{"type": "object"}})
        say(type="subscribe", events=["session_opened"])
        say(type="ready")
    if frame["type"] == "event":
        say(type="status", key="state", text=json.dumps(frame.get("state")))
    if frame["type"] == "tool_call":
        say(type="tool_result", id=frame["id"], content=[{{"type": "text", "text": "{answer}"}}], details="{answer}")
    if frame["type"] == "shutdown": break
"#
    )
}

fn put(world: &World, text: &str) -> String {
    let dir = world.path().join("edited");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("main.py"), text).unwrap();
    let manifest = json!({"name": "edited", "exec": "python3", "args": ["main.py"]});
    std::fs::write(dir.join("extension.json"), manifest.to_string()).unwrap();
    dir.display().to_string()
}

/// Reloads; the data of the response.
fn reload(rpc: &mut Rpc, fields: Value) -> (Vec<Value>, Value) {
    let mut request = json!({"id": "r", "type": "reload_ext"});
    let fields = fields.as_object().unwrap().clone();
    request.as_object_mut().unwrap().extend(fields);
    rpc.say(request);
    let mut lines = rpc.until_id("r");
    let response = lines.pop().unwrap();
    (lines, response)
}

/// The text of the result of a call.
fn call(rpc: &mut Rpc, tool: &str) -> String {
    rpc.say(json!({"type": "prompt", "message": format!("call {tool} {{}}")}));
    let lines = rpc.until("done");
    let result = of(&lines, "tool_result")[0];
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn an_edited_extension_takes_effect_and_a_broken_one_does_not() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = put(&world, &program("one", "look"));
    let mut rpc = Rpc::start(&world, &["-e", &dir]);
    assert_eq!(call(&mut rpc, "look"), "one");
    put(&world, &program("two", "see"));
    let (lines, response) = reload(&mut rpc, json!({"name": "edited"}));
    assert_eq!(
        response["data"]["summary"], "reloaded: 1 stopped, 1 loaded (1 ready)",
        "{response}"
    );
    // It was given what the old one remembered.
    let mut status = of(&lines, "ext_status");
    if status.is_empty() {
        let more = rpc.until("ext_status");
        assert_eq!(more.last().unwrap()["text"], "\"one\"");
    } else {
        assert_eq!(status.pop().unwrap()["text"], "\"one\"");
    }
    assert_eq!(call(&mut rpc, "see"), "two");
    assert!(call(&mut rpc, "look").contains("no tool"), "it is gone");
    // A broken one says why, and the old one goes on.
    put(&world, "raise SystemExit('a typo')");
    let (lines, response) = reload(&mut rpc, json!({}));
    let data = &response["data"];
    assert_eq!((&data["loaded"], &data["stopped"]), (&json!(0), &json!(0)));
    let error = data["errors"][0].as_str().unwrap();
    assert!(
        error.contains("exited before hello") && error.contains("a typo"),
        "{error}"
    );
    assert_eq!(of(&lines, "ext_failed").len(), 1, "{lines:#?}");
    assert_eq!(call(&mut rpc, "see"), "two");
    let (_, response) = reload(&mut rpc, json!({"name": "nobody"}));
    assert_eq!(response["success"], false);
    assert!(
        response["error"].as_str().unwrap().contains("doctor"),
        "{response}"
    );
    put(&world, &program("three", "see"));
    let (_, response) = reload(&mut rpc, json!({}));
    assert_eq!(response["data"]["ready"], 1);
    assert_eq!(call(&mut rpc, "see"), "three");
    let (_, stderr, code) = rpc.close_and_finish();
    assert_eq!(code, 0, "{stderr}");
}

#[test]
fn a_reload_gives_the_running_turn_up() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = put(&world, &program("one", "look"));
    let mut rpc = Rpc::start(&world, &["-e", &dir]);
    rpc.say(json!({"type": "prompt", "message": "call bash {\"command\":\"sleep 60\"}"}));
    rpc.until("tool_execution_started");
    let (lines, response) = reload(&mut rpc, json!({}));
    assert_eq!(response["data"]["ready"], 1, "{response}");
    // It had ended before anything was started.
    assert_eq!(of(&lines, "done").len(), 1, "{lines:?}");
    assert_eq!(of(&lines, "tool_result")[0]["status"], "cancelled");
    assert_eq!(call(&mut rpc, "look"), "one");
}
