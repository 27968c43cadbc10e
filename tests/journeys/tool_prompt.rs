//! A slash command that has a tool run before its prompt.

use std::collections::BTreeSet;

use serde_json::json;

use crate::face::{Face, written};
use crate::rpc::client::{Rpc, of};
use crate::support::{World, example, have};

const SHIP: &str = r#"
import json, sys
def say(**frame): print(json.dumps(frame), flush=True)
say(type="hello", name="ship", protocol_version=2)
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "hello_ack":
        say(type="register_command", name="ship")
        say(type="ready")
    if frame["type"] == "command_invoked":
        tool, _, args = frame.get("args", "").partition(" ")
        say(type="command_response", id=frame["id"], action="tool_prompt", prompt="-\nthen\nsay {{messages}}",
            tool_name=tool, tool_args=json.loads(args))
"#;

#[test]
fn a_command_has_a_tool_run_before_its_prompt_and_the_model_sees_both() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    std::fs::write(world.project().join("a.txt"), "x").unwrap();
    let ship = written(&world, "ship", SHIP);
    let mut face = Face::start(&world, &ship);
    let run = |face: &mut Face, args: &str| {
        face.0
            .say(json!({"id": "c", "type": "ext_command", "name": "ship", "args": args}));
        face.0.until("done")
    };
    let lines = run(&mut face, r#"glob {"pattern":"*"}"#);
    let answer = of(&lines, "response")[0];
    assert_eq!(answer["data"]["action"], "tool_prompt", "{answer}");
    assert_eq!(of(&lines, "tool_result")[0]["content"][0]["text"], "a.txt");
    // Everything about the call says whose it is, also later.
    for kind in ["tool_call", "permission_decision", "tool_result"] {
        assert_eq!(of(&lines, kind)[0]["origin_extension"], "ship", "{kind}");
    }
    face.0.say(json!({"id": "m", "type": "get_messages"}));
    let messages = face.0.response("m")["data"]["messages"].clone();
    let call = &messages[1]["content"][0];
    assert_eq!(
        (&call["name"], &call["origin_extension"]),
        (&json!("glob"), &json!("ship"))
    );
    let said = of(&lines, "assistant_message")[0].to_string();
    for part in ["assistant calls glob", "tool glob", "completed: a.txt"] {
        assert!(said.contains(part), "{said}");
    }
    // What goes wrong is for the model to see, too.
    let lines = run(&mut face, "no_such_tool {}");
    assert_eq!(of(&lines, "tool_result")[0]["is_error"], true);
    assert!(
        of(&lines, "assistant_message")[0]
            .to_string()
            .contains("no_such_tool")
    );
    // Given up in the middle, the pair stays whole and the model is not asked.
    face.0
        .say(json!({"id": "c", "type": "ext_command", "name": "ship",
        "args": r#"bash {"command":"sleep 60"}"#}));
    face.0.until("tool_execution_started");
    face.0.say(json!({"type": "abort"}));
    let lines = face.0.until("done");
    assert_eq!(of(&lines, "tool_result")[0]["status"], "cancelled");
    assert!(of(&lines, "request_started").is_empty(), "{lines:#?}");
    drop(face.0.close_and_finish());
    // And it is kept.
    let ran = world.run(["-c", "-p", "say {{messages}}"]).exits(0);
    assert!(ran.stdout.contains("completed: a.txt"), "{ran:?}");
    assert!(ran.stdout.contains("cancelled"), "{ran:?}");
}

#[test]
fn a_guard_refuses_the_call_of_a_command() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let ship = written(&world, "ship", SHIP);
    let args = ["--approve", "never", "-e", &ship, "-e", &example("guard")];
    let mut rpc = Rpc::start(&world, &args);
    rpc.say(json!({"type": "hello", "interactive": true}));
    rpc.say(json!({"type": "ext_command", "name": "ship",
        "args": r#"bash {"command":"rm -rf /tmp/nothing-here"}"#}));
    let lines = rpc.until("done");
    let result = of(&lines, "tool_result")[0];
    assert_eq!(result["status"], "blocked", "{result}");
    assert!(result.to_string().contains("guard refused"), "{result}");
    let said = of(&lines, "assistant_message").pop().unwrap().to_string();
    assert!(said.contains("guard refused"), "the model reads it: {said}");
}

#[test]
fn a_person_is_asked_about_the_call_of_a_command() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let ship = written(&world, "ship", SHIP);
    let mut rpc = Rpc::start(&world, &["--approve", "always", "-e", &ship]);
    rpc.say(json!({"type": "hello", "interactive": true}));
    for (decision, status) in [("no", "blocked"), ("once", "completed")] {
        rpc.say(json!({"type": "ext_command", "name": "ship",
            "args": r#"bash {"command":"touch shipped"}"#}));
        let asked = rpc.until("tool_confirmation_requested").pop().unwrap();
        assert_eq!(asked["tool_name"], "bash", "{asked}");
        assert!(!world.project().join("shipped").exists(), "not before");
        rpc.say(json!({"type": "approve", "tool_id": asked["tool_id"], "decision": decision}));
        let lines = rpc.until("done");
        assert_eq!(of(&lines, "tool_result")[0]["status"], status);
        assert_eq!(
            world.project().join("shipped").exists(),
            decision == "once",
            "{lines:#?}"
        );
    }
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn its_calls_have_names_of_their_own_also_in_another_process() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let ship = written(&world, "ship", SHIP);
    for args in [&["-e", &ship][..], &["-c", "-e", &ship]] {
        let mut rpc = Rpc::start(&world, args);
        rpc.say(json!({"type": "ext_command", "name": "ship", "args": r#"glob {"pattern":"*"}"#}));
        rpc.until("done");
        rpc.close_and_finish();
    }
    let mut rpc = Rpc::start(&world, &["-c"]);
    rpc.say(json!({"id": "m", "type": "get_messages"}));
    let response = rpc.response("m");
    let messages = response["data"]["messages"].as_array().unwrap();
    let blocks = messages
        .iter()
        .flat_map(|message| message["content"].as_array().unwrap());
    let calls = blocks.filter(|block| block["type"] == "tool_call");
    let ids: BTreeSet<&str> = calls.map(|call| call["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 2, "{response}");
}
