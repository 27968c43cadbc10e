//! `zeug rpc` as a program drives it.

pub(crate) mod client;
mod clients;
mod ends;
mod pressure;

use std::fs;

use client::{Rpc, ids, kinds, of};
use serde_json::json;

use crate::support::{World, example, have};

#[test]
fn a_prompt_streams_and_ends_with_done() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["--provider", "puppet"]);
    rpc.say(json!({"id": "1", "type": "prompt", "message": "say hi there"}));
    let lines = rpc.until("done");
    assert_eq!(kinds(&lines)[..2], ["response", "user_message"]);
    assert_eq!(lines[0]["data"], json!({"started": true}));
    let text: String = of(&lines, "text_delta")
        .iter()
        .map(|line| line["delta"].as_str().unwrap())
        .collect();
    assert_eq!(text, "hi there");
    rpc.say(json!({"id": "2", "type": "get_messages"}));
    let messages = rpc.response("2");
    assert_eq!(
        messages["data"]["messages"][1]["content"][0]["text"],
        "hi there"
    );
    let (rest, stderr, code) = rpc.close_and_finish();
    assert_eq!((rest.len(), stderr.as_str(), code), (0, "", 0));
}

#[test]
fn it_runs_under_the_names_of_its_ancestors() {
    for name in ["zot", "zut"] {
        let world = World::new();
        let link = world.path().join(name);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_zeug"), &link).unwrap();
        let mut command = world.command(["rpc"; 0]);
        command = Rpc::with_program(&link, &command);
        let mut rpc = Rpc::spawn(command.arg("rpc"));
        rpc.say(json!({"type": "prompt", "message": "say hi"}));
        assert_eq!(of(&rpc.until("done"), "text_delta")[0]["delta"], "hi");
        assert_eq!(rpc.close_and_finish().2, 0);
    }
}

#[test]
fn wrong_usage_exits_2_with_a_sentence() {
    let world = World::new();
    for args in [
        &["rpc", "hello"][..],
        &["rpc", "-p"],
        &["rpc", "--json"],
        &["rpc", "--nonsense"],
        &["rpc", "--provider", "nobody"],
    ] {
        let ran = world.run(args).exits(2);
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty(), "{ran:?}");
    }
}

#[test]
fn a_write_waits_for_its_approval() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &[]);
    rpc.say(json!({"id": "0", "type": "hello", "interactive": true}));
    assert_eq!(rpc.response("0")["data"]["interactive"], true);
    for (decision, written) in [("no", false), ("once", true)] {
        let call = format!("call write {}", json!({"path": decision, "content": "x"}));
        rpc.say(json!({"type": "prompt", "message": call}));
        let lines = rpc.until("tool_confirmation_requested");
        let asked = lines.last().unwrap();
        assert_eq!(asked["tool_name"], "write");
        assert!(!world.project().join(decision).exists());
        rpc.say(json!({"id": "a", "type": "approve", "tool_id": asked["tool_id"], "decision": decision}));
        let lines = rpc.until("done");
        assert_eq!(of(&lines, "permission_decision")[0]["source"], "user");
        assert_eq!(
            of(&lines, "tool_result")[0]["is_error"],
            !written,
            "{lines:?}"
        );
        assert_eq!(world.project().join(decision).exists(), written);
    }
    rpc.say(json!({"id": "r", "type": "prompt", "message": "call glob {\"pattern\":\"*\"}"}));
    let lines = rpc.until("done");
    assert!(
        of(&lines, "tool_confirmation_requested").is_empty(),
        "reading is harmless"
    );
    rpc.say(json!({"id": "t", "type": "get_trace"}));
    let trace = rpc.response("t");
    assert_eq!(trace["data"]["calls"][0]["ruling"]["decision"], "denied");
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn a_sub_agent_waits_for_the_same_person() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &[]);
    rpc.say(json!({"type": "hello", "interactive": true}));
    let write = format!("call write {}", json!({"path": "x", "content": "y"}));
    let task = json!({"description": "write", "prompt": write});
    rpc.say(json!({"id": "p", "type": "prompt", "message": format!("call task {task}")}));
    let lines = rpc.until("tool_confirmation_requested");
    let asked = lines.last().unwrap();
    assert_eq!(
        (&asked["tool_name"], &asked["depth"]),
        (&json!("write"), &json!(1))
    );
    assert!(asked["agent_id"].is_string(), "{asked}");
    let approve =
        json!({"id": "a", "type": "approve", "tool_id": asked["tool_id"], "decision": "once"});
    rpc.say(approve.clone());
    rpc.until("done");
    assert!(world.project().join("x").exists());
    rpc.say(json!({"id": "s", "type": "get_state"}));
    assert_eq!(rpc.response("s")["data"]["waiting_for_approval"], json!([]));
    rpc.say(approve);
    assert_eq!(rpc.response("a")["success"], false);
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn whoever_is_not_asked_needs_no_approval_unless_the_user_wants_some() {
    let write =
        json!({"type": "prompt", "message": "call write {\"path\":\"x\",\"content\":\"y\"}"});
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["--approve", "writes"]);
    rpc.say(write.clone());
    let lines = rpc.until("done");
    assert_eq!(of(&lines, "permission_decision")[0]["source"], "policy");
    assert!(!world.project().join("x").exists());
    drop(rpc);
    let mut rpc = Rpc::start(&world, &[]);
    rpc.say(write);
    rpc.until("done");
    assert!(world.project().join("x").exists());
}

#[test]
fn slash_commands_of_extensions_run() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &example("hello")]);
    // A slash command waits for its extension, unlike the list.
    rpc.say(json!({"id": "1", "type": "ext_command", "name": "/summon"}));
    let lines = rpc.until("response");
    assert_eq!(
        of(&lines, "ext_notify")[0]["extension"],
        "hello",
        "{lines:?}"
    );
    assert_eq!(of(&lines, "ext_display").len(), 1, "{lines:?}");
    assert_eq!(
        lines.last().unwrap()["data"],
        json!({"extension": "hello", "action": "display"})
    );
    rpc.say(json!({"id": "2", "type": "get_commands"}));
    let names: Vec<_> = rpc.response("2")["data"]["commands"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|command| command["built_in"] == false)
        .map(|command| command["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["hello", "summon"]);
    rpc.say(json!({"id": "3", "type": "ext_command", "name": "hello", "args": "world"}));
    let lines = rpc.until("done");
    let reply = lines.iter().find(|line| line["id"] == "3").unwrap();
    assert_eq!(reply["data"]["action"], "prompt");
    assert!(
        of(&lines, "user_message")[0].to_string().contains("world"),
        "{lines:?}"
    );
    rpc.say(json!({"id": "4", "type": "ext_command", "name": "helo"}));
    let unknown = rpc.response("4");
    assert!(
        unknown["error"].as_str().unwrap().contains("/hello"),
        "{unknown}"
    );
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn notes_of_extensions_are_events_in_order() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let guest = world.guest("noisy", &["--flood", "30", "--when", "ready"]);
    let mut rpc = Rpc::start(&world, &["-e", guest.to_str().unwrap()]);
    rpc.say(json!({"type": "hello"}));
    for n in 0..30 {
        let lines = rpc.until("ext_notify");
        let note = lines.last().unwrap();
        assert_eq!(note["message"], format!("flood {n}"));
        assert_eq!(
            (note["extension"].as_str(), note["level"].as_str()),
            (Some("noisy"), Some("info"))
        );
    }
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn a_failed_and_a_vanished_extension_are_events_and_lines_on_stderr() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let failing = world.guest("failing", &["--die-at", "start"]);
    let dying = world.guest("dying", &["--die-at", "tool", "--tool", "die"]);
    let args = [
        "-e",
        failing.to_str().unwrap(),
        "-e",
        dying.to_str().unwrap(),
    ];
    let mut rpc = Rpc::start(&world, &args);
    rpc.say(json!({"type": "prompt", "message": "call die {}"}));
    let mut lines = rpc.until("done");
    // Neither has a fixed place among the events of the prompt.
    for news in ["ext_gone", "ext_failed"] {
        if of(&lines, news).is_empty() {
            lines.extend(rpc.until(news));
        }
    }
    assert_eq!(of(&lines, "ext_failed")[0]["extension"], "failing");
    assert_eq!(of(&lines, "ext_gone")[0]["extension"], "dying");
    assert_eq!(of(&lines, "tool_result")[0]["is_error"], true);
    let (_, stderr, code) = rpc.close_and_finish();
    assert!(stderr.contains("extension load: failing: "), "{stderr}");
    assert!(stderr.contains("extension: dying: went away"), "{stderr}");
    assert_eq!(code, 0);
}

#[test]
fn without_the_token_nothing_is_told() {
    for name in ["ZEUG_RPC_TOKEN", "ZUTCORE_RPC_TOKEN", "ZOTCORE_RPC_TOKEN"] {
        let world = World::new();
        let mut command = Rpc::command(&world, &[]);
        let mut rpc = Rpc::spawn(command.env(name, "secret"));
        rpc.say(json!({"id": "1", "type": "get_messages"}));
        let refused = rpc.response("1");
        assert_eq!(refused["success"], false);
        assert!(
            refused["error"].as_str().unwrap().contains("hello"),
            "{refused}"
        );
        rpc.say(json!({"id": "2", "type": "hello", "token": "secret"}));
        assert_eq!(rpc.response("2")["success"], true);
        let leak = format!(
            "call bash {}",
            json!({"command": format!("echo [${name}]")})
        );
        rpc.say(json!({"type": "prompt", "message": leak}));
        let lines = rpc.until("done");
        assert!(
            of(&lines, "tool_result")[0].to_string().contains("[]"),
            "{lines:?}"
        );
        assert_eq!(rpc.close_and_finish().2, 0);
        let mut rpc = Rpc::spawn(command.env(name, "secret"));
        rpc.say(json!({"id": "1", "type": "hello", "token": "guess"}));
        rpc.say(json!({"id": "2", "type": "ping"}));
        let (lines, _, code) = rpc.finish();
        assert_eq!((ids(&lines), code), (vec!["1".to_owned()], 1));
        assert_eq!(lines[0]["success"], false);
    }
}

#[test]
fn garbage_is_answered_and_passed_over() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &[]);
    let lines: [&[u8]; 10] = [
        b"nonsense\n",
        b"\n \r\n",
        b"{\"type\":\"dance\"}\n",
        b"[1]\n",
        b"{\"id\":7,\"type\":\"ping\"}\n",
        b"\xff\xfe\n",
        b"{\"id\":\"p\",\"type\":\"prompt\"}\n",
        &[b'x'; 17 * 1024 * 1024],
        b"\n",
        b"{\"id\":\"last\",\"type\":\"ping\"}\r\n",
    ];
    for line in lines {
        rpc.write(line);
    }
    let answers = rpc.until_id("last");
    let errors: Vec<_> = answers
        .iter()
        .map(|line| line["success"].as_bool().unwrap())
        .collect();
    let expect = [false, false, false, false, false, false, false, true];
    assert_eq!(errors, expect, "{answers:?}");
    let commands: Vec<_> = answers
        .iter()
        .map(|line| line["command"].as_str().unwrap())
        .collect();
    assert_eq!(
        commands,
        ["", "dance", "", "ping", "", "prompt", "", "ping"]
    );
    assert_eq!(answers[5]["id"], "p");
    assert!(answers[6]["error"].as_str().unwrap().contains("16 MiB"));
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn another_process_keeps_nothing_of_this_one() {
    let world = World::new();
    let before = fs::read_dir(world.home()).unwrap().count();
    let mut rpc = Rpc::start(&world, &[]);
    rpc.say(json!({"type": "prompt", "message": "say hi"}));
    rpc.until("done");
    rpc.say(json!({"id": "c", "type": "clear"}));
    assert_eq!(rpc.response("c")["success"], true);
    rpc.say(json!({"id": "s", "type": "get_state"}));
    assert_eq!(rpc.response("s")["data"]["message_count"], 0);
    assert_eq!(rpc.close_and_finish().2, 0);
    assert!(
        fs::read_dir(world.home()).unwrap().count() <= before + 2,
        "logs and tmp at most"
    );
}
