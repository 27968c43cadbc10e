//! `--watch`: extensions start anew when their files change.

use std::path::Path;

use serde_json::{Value, json};

use crate::rpc::client::{Rpc, of};
use crate::support::{World, have};

/// An extension whose tool answers with a word.
fn program(answer: &str) -> String {
    format!(
        r#"
import json, sys
def say(**frame): print(json.dumps(frame), flush=True)
say(type="hello", name="x", protocol_version=2)
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "hello_ack":
        say(type="register_tool", name=frame["extension_dir"].split("/")[-1], schema={{"type": "object"}})
        say(type="ready")
    if frame["type"] == "tool_call":
        open("state.json", "w").write("{{}}")
        say(type="tool_result", id=frame["id"], content=[{{"type": "text", "text": "{answer}"}}])
    if frame["type"] == "shutdown": break
"#
    )
}

fn put(dir: &Path, answer: &str) {
    let name = dir.file_name().unwrap().to_str().unwrap();
    // As editors write: beside it, then in its place.
    let fresh = dir.with_file_name(format!("{name}.tmp"));
    std::fs::create_dir_all(&fresh).unwrap();
    std::fs::write(fresh.join("main.py"), program(answer)).unwrap();
    let manifest = json!({"name": name, "exec": "python3", "args": ["main.py"]});
    std::fs::write(fresh.join("extension.json"), manifest.to_string()).unwrap();
    std::fs::rename(fresh, dir).unwrap();
}

fn edit(dir: &Path, text: &str) {
    let fresh = dir.join(".main.py.swp");
    std::fs::write(&fresh, text).unwrap();
    std::fs::rename(fresh, dir.join("main.py")).unwrap();
}

fn call(rpc: &mut Rpc, tool: &str) -> String {
    rpc.say(json!({"type": "prompt", "message": format!("call {tool} {{}}")}));
    let lines = rpc.until("done");
    assert!(of(&lines, "ext_reloaded").is_empty(), "state is no change");
    let result = of(&lines, "tool_result")[0];
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

fn reloaded(rpc: &mut Rpc) -> Value {
    rpc.until("ext_reloaded").pop().unwrap()
}

#[test]
fn an_edit_takes_effect_by_itself_and_a_broken_one_does_not() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = world.path().join("look");
    put(&dir, "one");
    let mut rpc = Rpc::start(&world, &["--watch", "-e", dir.to_str().unwrap()]);
    assert_eq!(call(&mut rpc, "look"), "one");
    edit(&dir, &program("two"));
    let told = reloaded(&mut rpc);
    assert_eq!(told["extension"], "look");
    assert_eq!(told["summary"], "reloaded: 1 stopped, 1 loaded (1 ready)");
    assert_eq!(call(&mut rpc, "look"), "two");
    edit(&dir, "this is no program");
    let told = reloaded(&mut rpc);
    let errors = told["errors"].to_string();
    assert!(
        errors.contains("look") && errors.contains("SyntaxError"),
        "{told}"
    );
    assert_eq!(call(&mut rpc, "look"), "two");
    edit(&dir, &program("three"));
    assert_eq!(reloaded(&mut rpc)["ready"], 1);
    assert_eq!(call(&mut rpc, "look"), "three");
    let (_, _, code) = rpc.close_and_finish();
    assert_eq!(code, 0);
}

#[test]
fn an_edit_waits_for_the_turn_that_runs() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = world.path().join("look");
    put(&dir, "one");
    let mut rpc = Rpc::start(&world, &["--watch", "-e", dir.to_str().unwrap()]);
    assert_eq!(call(&mut rpc, "look"), "one");
    let message = "call bash {\"command\":\"until [ -e go ]; do sleep 0.01; done; echo went\"}";
    rpc.say(json!({"type": "prompt", "message": message}));
    rpc.until("tool_execution_started");
    edit(&dir, &program("two"));
    // Longer than the quiet that follows a change.
    std::thread::sleep(std::time::Duration::from_millis(300));
    std::fs::write(world.project().join("go"), "").unwrap();
    let lines = rpc.until("done");
    assert!(of(&lines, "ext_reloaded").is_empty(), "the turn goes on");
    assert_eq!(of(&lines, "tool_result")[0]["is_error"], false);
    assert_eq!(reloaded(&mut rpc)["ready"], 1);
    assert_eq!(call(&mut rpc, "look"), "two");
}

#[test]
fn extensions_come_and_go() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let place = world.home().join("extensions");
    std::fs::create_dir_all(&place).unwrap();
    let mut rpc = Rpc::start(&world, &["--watch"]);
    rpc.say(json!({"type": "prompt", "message": "say ready"}));
    rpc.until("done");
    put(&place.join("later"), "here");
    let told = reloaded(&mut rpc);
    assert_eq!(told["extension"], Value::Null);
    assert_eq!(told["ready"], 1, "{told}");
    assert_eq!(call(&mut rpc, "later"), "here");
    edit(&place.join("later"), &program("there"));
    assert_eq!(reloaded(&mut rpc)["extension"], "later");
    assert_eq!(call(&mut rpc, "later"), "there");
    std::fs::rename(place.join("later"), world.path().join("gone")).unwrap();
    assert_eq!(reloaded(&mut rpc)["stopped"], 1);
    assert!(call(&mut rpc, "later").contains("no tool"));
}

#[test]
fn a_single_prompt_is_not_watched() {
    let world = World::new();
    for face in ["-p", "--json", "--stream"] {
        world.run(["--watch", face, "hi"]).exits(2);
    }
    let ran = world.run(["--watch", "hi"]).exits(2);
    assert!(ran.stderr.contains("--watch is for a terminal"), "{ran:?}");
}
