//! How extensions of both hosts come up, and in what shape their lines are.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;

use serde_json::json;

use super::{command, fixture, heard, listener, prompt, python, result, said};
use crate::rpc::client::{Rpc, of};
use crate::support::{World, have};

#[test]
fn each_dialect_is_greeted_as_at_home() {
    if !have("python3") {
        return;
    }
    for (flag, number, ours) in [("--v1", 1, "zot_version"), ("--v2", 2, "zut_version")] {
        let world = World::new();
        let dir = listener(&world, &[flag]);
        world.run(["-p", "-e", &dir, "hi"]).exits(0);
        let frames = heard(&world);
        let ack = &frames[0];
        assert_eq!(ack["type"], "hello_ack");
        assert_eq!(ack["protocol_version"], number);
        assert_eq!(ack[ours], ack["zeug_version"]);
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(ack[ours], version);
        let project = world.project().canonicalize().unwrap();
        assert_eq!(ack["cwd"], project.to_str().unwrap());
        assert_eq!(ack["provider"], "puppet");
        assert_eq!(ack["model"], "puppet");
        assert_eq!(ack["data_dir"], ack["extension_dir"]);
        assert!(
            ack["data_dir"].as_str().unwrap().ends_with("guests/ears"),
            "{ack}"
        );
        assert_eq!(frames.last().unwrap(), &json!({"type": "shutdown"}));
    }
}

#[test]
fn everything_in_one_burst_before_the_ack() {
    let world = World::new();
    let dir = fixture(&world, "burst");
    let ran = world
        .run(["-p", "-e", &dir, r#"call shout {"text":"here"}"#])
        .exits(0);
    assert_eq!(ran.stdout, "shout → HERE!\n");
    let doctor = world.run(["ext", "doctor", "-e", &dir]).exits(0);
    for part in ["/Whisper", "shout"] {
        assert!(doctor.stdout.contains(part), "{doctor:?}");
    }
}

#[test]
fn ids_can_be_cut_out_with_sed() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &fixture(&world, "burst")]);
    // Many at once, so that a wrong id would be somebody else's.
    let calls: String = (0..20)
        .map(|n| format!("call shout {{\"text\":\"n{n}, type: shutdown, id: 7\"}}\n"))
        .collect();
    let lines = prompt(&mut rpc, &calls);
    let results = of(&lines, "tool_result");
    assert_eq!(results.len(), 20);
    for (n, result) in results.iter().enumerate() {
        let text = format!("N{n}, TYPE: SHUTDOWN, ID: 7!");
        assert_eq!(result["content"][0]["text"], text, "{result}");
    }
    let (response, lines) = command(&mut rpc, "WHISPER", "  a  b ");
    assert_eq!(response["success"], true, "{response}");
    assert_eq!(of(&lines, "ext_display")[0]["text"], "Whisper: <a  b>");
    // Without arguments there is no such field.
    let (_, lines) = command(&mut rpc, "whisper", " ");
    assert_eq!(of(&lines, "ext_display")[0]["text"], "Whisper: <>");
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn lines_of_windows_are_read() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &fixture(&world, "windows")]);
    let lines = prompt(&mut rpc, "call window {}");
    assert_eq!(result(&lines), "rain\r\nand wind");
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn whoever_never_says_ready_has_its_command_and_its_tool() {
    if !have("node") {
        return;
    }
    let world = World::new();
    let dir = fixture(&world, "no-ready");
    let mut rpc = Rpc::start(&world, &["-e", &dir]);
    // The prompt waits for what is not said.
    assert_eq!(result(&prompt(&mut rpc, "call tock {}")), "tock");
    let (response, lines) = command(&mut rpc, "tick", "");
    assert_eq!(response["data"]["action"], "display", "{response}");
    assert_eq!(of(&lines, "ext_display")[0]["text"], "tick");
    let (response, mut lines) = command(&mut rpc, "ask", "who is there");
    assert_eq!(response["data"]["action"], "prompt", "{response}");
    lines.extend(rpc.until("done"));
    let answer = of(&lines, "assistant_message").pop().unwrap();
    assert_eq!(answer["content"][0]["text"], "who is there");
    assert_eq!(rpc.close_and_finish().2, 0);
    let log = std::fs::read_to_string(world.home().join("logs/ext-no-ready.log")).unwrap();
    assert!(log.contains("connected to 0.1.0, puppet/puppet"), "{log}");
    assert!(log.contains("auto-ready after idle"), "{log}");
}

#[test]
fn a_tool_registered_after_ready_is_offered_with_the_next_request() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &fixture(&world, "late-tool")]);
    assert!(!said(&mut rpc, "say {{tools}}").contains("afterthought"));
    let (response, _) = command(&mut rpc, "more", "");
    assert_eq!(response["success"], true, "{response}");
    assert!(said(&mut rpc, "say {{tools}}").contains("afterthought"));
    assert_eq!(
        result(&prompt(&mut rpc, "call afterthought {}")),
        "better late"
    );
    let (response, _) = command(&mut rpc, "Even-More", "");
    assert_eq!(response["success"], true, "{response}");
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn a_slow_start_loses_nothing() {
    if !have("node") {
        return;
    }
    let world = World::new();
    let dir = fixture(&world, "slow-start");
    let pipe = format!("{dir}/go");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut rpc = Rpc::start(&world, &["-e", &dir]);
    rpc.say(json!({"id": "p", "type": "prompt", "message": "say {{tools}}\ncall late_riser {}"}));
    // It is served meanwhile, and the prompt waits.
    rpc.say(json!({"id": "s", "type": "get_state"}));
    let state = rpc.response("s");
    assert_eq!(state["data"]["ready"], false, "{state}");
    assert_eq!(state["data"]["message_count"], 0, "{state}");
    // Both ends, so that opening waits for nobody.
    let mut go = OpenOptions::new()
        .read(true)
        .write(true)
        .open(&pipe)
        .unwrap();
    go.write_all(b"go\n").unwrap();
    let lines = rpc.until("done");
    assert_eq!(result(&lines), "up");
    let offered = of(&lines, "assistant_message")[0].to_string();
    assert!(offered.contains("late_riser"), "{offered}");
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn what_nobody_knows_is_passed_over() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = fixture(&world, "from-the-future");
    let ran = world.run(["-p", "-e", &dir, "call tomorrow {}"]).exits(0);
    assert_eq!(ran.stdout, "tomorrow → it will rain\n");
    let log = std::fs::read_to_string(world.home().join("logs/ext-from-the-future.log")).unwrap();
    assert!(log.contains("unknown frame type \"hologram\""), "{log}");
    assert!(log.contains("blank line"), "{log}");
}

#[test]
fn escapes_of_gos_encoder_mean_their_characters() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &fixture(&world, "go-style")]);
    let html = "<a href=\"?x=1&y=2\">R&D\u{2028}</a>";
    let call = format!("call html {}", json!({"html": html}));
    assert_eq!(result(&prompt(&mut rpc, &call)), html);
    let lines = prompt(&mut rpc, r#"call bash {"command":"echo no"}"#);
    assert_eq!(result(&lines), "no >, no <, no &&");
    assert_eq!(of(&lines, "tool_result")[0]["status"], "blocked");
    assert_eq!(rpc.close_and_finish().2, 0);
}

/// Uses, for its dialect, what the pages of the other host describe, without having listed a word of
/// it, but for `call_tool`.
const BORROWER: &str = r#"
version = {"2": {"protocol_version": 2}}.get(sys.argv[1], {})
say(type="hello", name="borrower", version="1.0.0", capabilities=["call_tool"], **version)
say(type="register_tool", name="borrow", schema={"type": "object"})
say(type="register_tool", name="hidden", schema={"type": "object"}, deferred=True)
say(type="subscribe", events=["session_opened"], intercept=["turn_start", "before_agent_start"])
say(type="ready")
for frame in frames():
    kind = frame["type"]
    if kind == "event_intercept" and frame["event"] == "turn_start":
        say(type="event_intercept_response", id=frame["id"], context="lent")
    elif kind == "event_intercept":
        say(type="event_intercept_response", id=frame["id"], system_prompt="lent prompt")
    elif kind == "event":
        say(type="status", key="state", text=json.dumps(frame.get("state")))
    elif kind == "tool_call":
        call = frame
        say(type="call_tool", id="r1", name="glob", args={"pattern": "*.txt"}, parent_id=call["id"])
    elif kind == "tool_result":
        answer(call, frame["content"][0]["text"], structured_content={"n": 1}, details={"kept": True},
               activate_tools=["hidden"])
    elif kind == "shutdown":
        break
"#;

#[test]
fn each_dialect_may_use_what_the_other_has() {
    if !have("python3") {
        return;
    }
    for dialect in ["1", "2"] {
        let world = World::new();
        std::fs::write(world.project().join("a.txt"), "x").unwrap();
        let dir = python(&world, "borrower", BORROWER);
        let manifest = json!({"name": "borrower", "exec": "python3", "args": ["main.py", dialect]});
        std::fs::write(format!("{dir}/extension.json"), manifest.to_string()).unwrap();
        let mut rpc = Rpc::start(&world, &["-e", &dir]);
        let script = "say {{context}} {{system}}\ncall borrow {}\nthen\nsay {{tools}}";
        let lines = prompt(&mut rpc, script);
        let texts: Vec<_> = of(&lines, "assistant_message")
            .iter()
            .map(|message| message["content"][0]["text"].as_str().unwrap())
            .collect();
        assert_eq!(texts[0], "[borrower]\nlent lent prompt");
        assert!(texts[1].contains("hidden"), "{texts:?}");
        let results = of(&lines, "tool_result");
        let own = results.last().unwrap();
        assert_eq!(own["content"][0]["text"], "a.txt", "{own}");
        assert_eq!(own["structured_content"], json!({"n": 1}), "{own}");
        rpc.say(json!({"id": "f", "type": "reload_ext"}));
        let mut lines = rpc.until_id("f");
        if of(&lines, "ext_status").is_empty() {
            lines.extend(rpc.until("ext_status"));
        }
        let status = of(&lines, "ext_status").pop().unwrap();
        assert_eq!(status["text"], r#"{"kept": true}"#);
        assert_eq!(rpc.close_and_finish().2, 0);
    }
}

const MIRROR: &str = r#"
say(type="hello", name="mirror", version="1.0.0")
say(type="register_tool", name="look", schema={"type": "object"})
say(type="ready")
for frame in frames():
    if frame["type"] == "tool_call":
        names = ["ZEUG_HOME", "ZOT_HOME", "ZUT_HOME", "ZEUG_EXTENSION_DIR", "PATH", "WEATHER", "ANTHROPIC_API_KEY"]
        seen = {"args": sys.argv[1:], "cwd": os.getcwd(), "group": os.getpgid(0) == os.getpid(),
                "env": {name: os.environ.get(name) for name in names}}
        answer(frame, json.dumps(seen))
    elif frame["type"] == "shutdown":
        break
"#;

/// What the mirror sees.
fn mirror(args: &[&str]) -> (World, serde_json::Value) {
    let world = World::new();
    let dir = python(&world, "mirror", MIRROR);
    let args = [&["main.py"], args].concat();
    let manifest = json!({"name": "mirror", "exec": "python3", "args": args});
    std::fs::write(format!("{dir}/extension.json"), manifest.to_string()).unwrap();
    let output = world
        .command(["--provider", "puppet", "--json", "-e", &dir, "call look {}"])
        .env("WEATHER", "fine")
        .env("ANTHROPIC_API_KEY", "sk-ant-nobody-may-see-this")
        .output()
        .unwrap();
    let ran = crate::support::Ran::from(output).exits(0);
    let seen = serde_json::from_str(&result(&ran.events())).unwrap();
    (world, seen)
}

#[test]
fn arguments_of_the_manifest_arrive_as_they_are() {
    if !have("python3") {
        return;
    }
    let args = ["--mode", "a b", "$HOME", "*", "'\"", "", "ü"];
    assert_eq!(mirror(&args).1["args"], json!(args));
}

#[test]
fn it_runs_in_its_own_directory_with_the_users_environment() {
    if !have("python3") {
        return;
    }
    let (world, seen) = mirror(&[]);
    let dir = world
        .path()
        .canonicalize()
        .unwrap()
        .join("extensions/mirror");
    assert_eq!(seen["cwd"], dir.to_str().unwrap());
    assert_eq!(seen["group"], true);
    let env = &seen["env"];
    let home = world.home();
    for name in ["ZEUG_HOME", "ZOT_HOME", "ZUT_HOME"] {
        assert_eq!(env[name], home.to_str().unwrap(), "{name}");
    }
    assert_eq!(env["ZEUG_EXTENSION_DIR"], dir.to_str().unwrap());
    assert_eq!(env["WEATHER"], "fine");
    assert!(env["PATH"].is_string());
    assert_eq!(env["ANTHROPIC_API_KEY"], serde_json::Value::Null);
}

#[test]
fn the_doctor_knows_each_habit() {
    if !have("python3") || !have("node") {
        return;
    }
    let world = World::new();
    for (name, status) in [
        ("burst", "ok"),
        ("no-ready", "auto-ready"),
        ("each-key", "ok"),
        ("windows", "ok"),
        ("late-tool", "ok"),
        ("go-style", "ok"),
        ("from-the-future", "warning"),
        ("scratchpad", "ok"),
        ("noter", "ok"),
        ("keeper", "ok"),
        ("thread-per-key", "ok"),
    ] {
        let dir = fixture(&world, name);
        let ran = world.run(["ext", "doctor", "--json", "-e", &dir]);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(report["extensions"][0]["name"], name, "{report}");
        assert_eq!(report["extensions"][0]["status"], status, "{report}");
    }
}
