//! Tool calls in the ways that extensions of the two hosts know them, and calls that they make.

use serde_json::json;

use super::{command, events, heard, listener, prompt, python, result, said};
use crate::face::Face;
use crate::rpc::client::{Rpc, of};
use crate::support::{World, have, wait_until};

#[test]
fn a_result_beside_its_schema_is_still_the_result() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let program = r#"
say(type="hello", name="odd", capabilities=["tools"])
say(type="register_tool", name="count", schema={"type": "object"}, namespace="numbers",
    output_schema={"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
say(type="ready")
for frame in frames():
    if frame["type"] == "tool_call":
        answer(frame, "not counted", structured_content={"n": "three", "why": [1]}, is_error=True)
    elif frame["type"] == "shutdown": break
"#;
    let dir = python(&world, "odd", program);
    let ran = world.run(["--json", "-e", &dir, "call count {}"]).exits(0);
    let events = ran.events();
    let result = of(&events, "tool_result")[0];
    assert_eq!(
        result["structured_content"],
        json!({"n": "three", "why": [1]})
    );
    assert_eq!(result["is_error"], true);
    assert_eq!(result["content"][0]["text"], "not counted");
}

#[test]
fn an_interactive_call_ends_with_its_extension() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = world.guest(
        "asks",
        &["--interactive", "--die-at", "tool", "--die-how", "exit:7"],
    );
    let mut face = Face::start(&world, dir.to_str().unwrap());
    face.prompt("call echo {}\nthen\nsay {{last_result}}");
    let lines = face.0.until("done");
    let text = result(&lines);
    assert!(text.contains("exit status 7"), "{text}");
    let told = of(&lines, "assistant_message").pop().unwrap().to_string();
    assert!(told.contains("exit status 7"), "the model reads it: {told}");
    assert_eq!(face.0.close_and_finish().2, 0);
}

#[test]
fn an_interactive_call_ends_with_the_host() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let heard = world.path().join("asked");
    let log = heard.display().to_string();
    // It would answer in a minute.
    let flags = [
        "--interactive",
        "--cancel",
        "--slow-tool",
        "60000",
        "--log-events",
        &log,
    ];
    let dir = world.guest("asks", &flags);
    let mut face = Face::start(&world, dir.to_str().unwrap());
    face.prompt("call echo {}");
    wait_until("the call is there", || {
        std::fs::read_to_string(&heard).is_ok_and(|text| text.contains("\"tool_call\""))
    });
    let pid = face.0.pid().to_string();
    let killed = std::process::Command::new("kill")
        .args(["-TERM", &pid])
        .status();
    assert!(killed.unwrap().success());
    let (lines, _, code) = face.0.finish();
    assert_eq!(code, 130);
    assert_eq!(
        of(&lines, "tool_result")[0]["status"],
        "cancelled",
        "{lines:#?}"
    );
    let frames = super::lines(&heard);
    let kinds: Vec<_> = frames.iter().map(|f| f["type"].as_str().unwrap()).collect();
    assert_eq!(
        kinds[kinds.len() - 3..],
        ["tool_call", "tool_cancel", "shutdown"]
    );
}

#[test]
fn an_ordinary_tool_works_beside_an_interactive_one() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let program = r#"
say(type="hello", name="both")
say(type="register_tool", name="ask", interactive=True)
say(type="register_tool", name="tell")
say(type="ready")
for frame in frames():
    if frame["type"] == "tool_call": answer(frame, "told")
    elif frame["type"] == "shutdown": break
"#;
    let dir = python(&world, "both", program);
    let ran = world
        .run(["-p", "-e", &dir, "call ask {}\ncall tell {}"])
        .exits(0);
    let lines: Vec<_> = ran.stdout.lines().collect();
    assert!(lines[0].contains("waits for a person"), "{ran:?}");
    assert_eq!(lines[1], "tell → told");
}

#[test]
fn a_deferred_tool_runs_when_it_is_called_by_its_name() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let program = r#"
say(type="hello", name="hider")
say(type="register_tool", name="hidden", deferred=True)
say(type="ready")
for frame in frames():
    if frame["type"] == "tool_call": answer(frame, "found me")
    elif frame["type"] == "shutdown": break
"#;
    let dir = python(&world, "hider", program);
    let script = "say {{tools}}\ncall hidden {}";
    let ran = world.run(["--stream", "-e", &dir, script]).exits(0);
    assert!(
        !ran.stdout.lines().next().unwrap().contains("hidden"),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("hidden → found me"), "{ran:?}");
}

#[test]
fn a_rewritten_command_runs_with_and_without_a_timeout() {
    if !have("python3") {
        return;
    }
    for args in [
        r#"{"command":"echo GUARDED","timeout":30}"#,
        r#"{"command":"echo GUARDED"}"#,
    ] {
        let world = World::new();
        let guard = world.guest("guard", &["--no-tool", "--rewrite", args]);
        let call = r#"call bash {"command":"rm -rf precious","timeout":5}"#;
        let ran = world
            .run(["-p", "-e", guard.to_str().unwrap(), call])
            .exits(0);
        assert!(ran.stdout.starts_with("bash → GUARDED"), "{ran:?}");
    }
}

/// Calls what its arguments name, all at once, and answers with everything that came back.
const CALLER: &str = r#"
say(type="hello", name="caller", capabilities=["call_tool"])
say(type="register_tool", name="fan_out")
say(type="register_command", name="also")
say(type="ready")
for frame in frames():
    kind = frame["type"]
    if kind == "tool_call":
        call, results = frame, {}
        for n, (name, args) in enumerate(frame["args"]["calls"]):
            say(type="call_tool", id=f"r{n}", name=name, args=args, parent_id=call["id"])
    elif kind == "tool_result":
        results[frame["id"]] = frame
        if len(results) == len(call["args"]["calls"]):
            order = [results[f"r{n}"] for n in range(len(results))]
            answer(call, json.dumps([[r["is_error"], r["content"][0].get("text", ""), r["name"], r["content"]] for r in order]))
    elif kind == "shutdown": break
"#;

/// What comes back from these calls; each is `[is_error, text, name]`.
fn fan_out(rpc: &mut Rpc, calls: serde_json::Value) -> Vec<serde_json::Value> {
    let lines = prompt(rpc, &format!("call fan_out {}", json!({"calls": calls})));
    let own = of(&lines, "tool_result").pop().unwrap().clone();
    serde_json::from_str(own["content"][0]["text"].as_str().unwrap()).unwrap()
}

#[test]
fn whatever_goes_wrong_with_a_called_tool_is_an_answer() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let caller = python(&world, "caller", CALLER);
    let flags = [
        "--no-tool",
        "--match",
        "bash",
        "--intercept-block",
        "not today",
    ];
    let guard = world.guest("guard", &flags);
    let dies = world.guest("dies", &["--die-at", "tool"]);
    let (guard, dies) = (guard.to_str().unwrap(), dies.to_str().unwrap());
    let mut rpc = Rpc::start(&world, &["-e", &caller, "-e", guard, "-e", dies]);
    let calls = json!([
        ["nobody", {}],
        ["bash", {"command": "echo x"}],
        ["glob", {"pattern": 7}],
        ["fan_out", {"calls": []}],
        ["read", {"path": "no-such-file"}],
        ["echo", {}],
    ]);
    let told = fan_out(&mut rpc, calls);
    for (told, part) in told.iter().zip([
        "no tool",
        "not today",
        "/pattern",
        "fan_out",
        "no-such-file",
        "exit status 3",
    ]) {
        assert_eq!(told[0], true, "{told}");
        assert!(told[1].as_str().unwrap().contains(part), "{part}: {told}");
    }
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn calls_of_an_extension_run_beside_each_other() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &python(&world, "caller", CALLER)]);
    // Each waits for the other's file: one after the other they would wait for ever.
    let wait = |own: &str, other: &str| json!(["bash", {"command": format!("touch {own}; until test -e {other}; do sleep 0.01; done; echo {own}"), "timeout": 30}]);
    let told = fan_out(&mut rpc, json!([wait("a", "b"), wait("b", "a")]));
    for (told, expect) in told.iter().zip(["a", "b"]) {
        assert_eq!(told[0], false, "{told}");
        assert!(told[1].as_str().unwrap().contains(expect), "{told}");
        assert_eq!(told[2], "bash");
    }
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn an_image_that_a_called_tool_gave_arrives() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let png = [&b"\x89PNG\r\n\x1a\n"[..], &[0; 8]].concat();
    std::fs::write(world.project().join("a.png"), png).unwrap();
    let mut rpc = Rpc::start(&world, &["-e", &python(&world, "caller", CALLER)]);
    let told = fan_out(&mut rpc, json!([["read", {"path": "a.png"}]]));
    let blocks = told[0][3].as_array().unwrap();
    let image = blocks.iter().find(|block| block["type"] == "image");
    let image = image.unwrap_or_else(|| panic!("no image: {told:?}"));
    assert_eq!(image["mime_type"], "image/png");
    assert_eq!(image["data"], "iVBORw0KGgoAAAAAAAAAAA==");
    assert_eq!(rpc.close_and_finish().2, 0);
}

/// Has a tool run for its command.
const SHIPPER: &str = r#"
say(type="hello", name="shipper", capabilities=["call_tool"])
say(type="register_command", name="ship")
say(type="register_tool", name="long")
say(type="ready")
for frame in frames():
    if frame["type"] == "command_invoked":
        tool, _, args = frame["args"].partition(" ")
        say(type="command_response", id=frame["id"], action="tool_prompt", prompt="say {{last_result}}",
            tool_name=tool, tool_args=json.loads(args))
    elif frame["type"] == "tool_call": answer(frame, "x" * 300 * 1024)
    elif frame["type"] == "shutdown": break
"#;

#[test]
fn frames_about_a_call_of_an_extension_name_it() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let names = "tool_call,tool_result,permission_decision,tool_confirmation_requested";
    let ears = listener(&world, &["--events", names, "--intercept", "tool_call"]);
    let (caller, shipper) = (
        python(&world, "caller", CALLER),
        python(&world, "shipper", SHIPPER),
    );
    let args = ["-e", &caller, "-e", &shipper, "-e", &ears];
    let mut rpc = Rpc::start(&world, &args);
    rpc.say(json!({"type": "hello", "interactive": true}));
    let call = json!({"calls": [["bash", {"command": "echo nested"}]]});
    rpc.say(json!({"type": "prompt", "message": format!("call fan_out {call}")}));
    let mut lines = Vec::new();
    for _ in 0..2 {
        lines.extend(rpc.until("tool_confirmation_requested"));
        let asked = &lines.last().unwrap()["tool_id"];
        rpc.say(json!({"type": "approve", "tool_id": asked, "decision": "once"}));
    }
    lines.extend(rpc.until("done"));
    command(&mut rpc, "ship", r#"glob {"pattern":"*"}"#);
    lines.extend(rpc.until("done"));
    assert_eq!(rpc.close_and_finish().2, 0);
    // The client is told of three calls, and four times of the nested one.
    let by = |origin: &str| -> Vec<&str> {
        let of_it = lines.iter().filter(|l| l["origin_extension"] == origin);
        of_it.map(|l| l["type"].as_str().unwrap()).collect()
    };
    let all = [
        "tool_call",
        "tool_confirmation_requested",
        "permission_decision",
        "tool_result",
    ];
    assert_eq!(by("caller"), all, "{lines:#?}");
    assert_eq!(by("shipper").len(), 3, "{lines:#?}");
    assert_eq!(of(&lines, "tool_call").len(), 3);
    let frames = heard(&world);
    for (tool, origin) in [
        ("fan_out", None),
        ("bash", Some("caller")),
        ("glob", Some("shipper")),
    ] {
        let about: Vec<_> = frames.iter().filter(|f| f["tool_name"] == tool).collect();
        let kinds: Vec<_> = about.iter().map(|f| f["event"].as_str().unwrap()).collect();
        for kind in ["tool_call", "permission_decision", "tool_result"] {
            assert!(kinds.contains(&kind), "{tool}: {kinds:?}");
        }
        let asked = kinds.contains(&"tool_confirmation_requested");
        assert_eq!(asked, tool != "glob", "{tool}: {kinds:?}");
        for frame in about {
            assert_eq!(frame["origin_extension"].as_str(), origin, "{frame}");
        }
    }
    assert_eq!(events(&frames, "tool_call").len(), 3);
}

#[test]
fn what_a_tool_prompt_found_is_not_cut() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &python(&world, "shipper", SHIPPER)]);
    command(&mut rpc, "ship", "long {}");
    let lines = rpc.until("done");
    let answer = of(&lines, "assistant_message").pop().unwrap();
    let text = answer["content"][0]["text"].as_str().unwrap();
    assert_eq!(text.matches('x').count(), 300 * 1024);
    assert!(said(&mut rpc, "say {{messages}}").matches('x').count() >= 300 * 1024);
    assert_eq!(rpc.close_and_finish().2, 0);
}
