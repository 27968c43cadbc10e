//! Extensions as people wrote them for zot and for zut: every habit of theirs, through the binary.
//!
//! `docs/compatibility.md` says which of these journeys covers which rule of the two.

mod big_frames;
mod calls;
mod commands;
mod ends;
mod events;
mod greeting;
mod prepared;
mod sessions;
mod shown;
mod stand_ins;

use std::path::Path;

use serde_json::{Value, json};

use crate::face::written;
use crate::rpc::client::{Rpc, of};
use crate::support::{World, repository};

/// An extension of `tests/compat` in a directory of its own, since some keep files there.
fn fixture(world: &World, name: &str) -> String {
    let to = world.path().join("extensions").join(name);
    std::fs::create_dir_all(&to).unwrap();
    let from = repository("tests/compat").join(name);
    for file in std::fs::read_dir(from).unwrap().flatten() {
        std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
    to.display().to_string()
}

const PRELUDE: &str = r#"
import json, os, sys
def say(**frame):
    print(json.dumps(frame), flush=True)
def answer(frame, text, **more):
    say(type="tool_result", id=frame["id"], content=[{"type": "text", "text": text}], **more)
def frames():
    for line in sys.stdin:
        yield json.loads(line)
"#;

/// An extension of a test's own, in Python, with `say`, `answer` and `frames`.
fn python(world: &World, name: &str, program: &str) -> String {
    written(world, name, &format!("{PRELUDE}{program}"))
}

/// An extension that writes down every frame it gets, and is told and asked what `flags` say.
fn listener(world: &World, flags: &[&str]) -> String {
    let log = world.path().join("heard").display().to_string();
    let own = ["--no-tool", "--no-command", "--log-events", &log];
    world
        .guest("ears", &[&own, flags].concat())
        .display()
        .to_string()
}

/// What the listener got.
fn heard(world: &World) -> Vec<Value> {
    lines(&world.path().join("heard"))
}

fn lines(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The events of one name among frames.
fn events<'a>(frames: &'a [Value], name: &str) -> Vec<&'a Value> {
    let is = |frame: &&Value| frame["type"] == "event" && frame["event"] == name;
    frames.iter().filter(is).collect()
}

/// What happens from a prompt to its end.
#[track_caller]
fn prompt(rpc: &mut Rpc, text: &str) -> Vec<Value> {
    rpc.say(json!({"type": "prompt", "message": text}));
    rpc.until("done")
}

/// Runs a slash command; its response and what came before it.
#[track_caller]
fn command(rpc: &mut Rpc, name: &str, args: &str) -> (Value, Vec<Value>) {
    rpc.say(json!({"id": "cmd", "type": "ext_command", "name": name, "args": args}));
    let mut lines = rpc.until_id("cmd");
    (lines.pop().unwrap(), lines)
}

/// The text of the only result among these lines.
#[track_caller]
fn result(lines: &[Value]) -> String {
    let results = of(lines, "tool_result");
    assert_eq!(results.len(), 1, "{lines:#?}");
    results[0]["content"][0]["text"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// What the model says to this.
#[track_caller]
fn said(rpc: &mut Rpc, text: &str) -> String {
    let lines = prompt(rpc, text);
    let last = of(&lines, "assistant_message").pop().unwrap().clone();
    last["content"][0]["text"].as_str().unwrap().to_owned()
}
