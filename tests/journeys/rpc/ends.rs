//! How a client leaves, and what it leaves behind: nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::client::{Rpc, ids, of};
use crate::support::{World, alive, have, pids, wait_until};

/// A shell command that says that it runs, and ends when it is told to.
fn holding(world: &World) -> String {
    let dir = world.path().display();
    let command = format!(
        "echo $$ >> {dir}/pids; touch {dir}/runs; while [ ! -e {dir}/go ]; do sleep 0.02; done; echo finished"
    );
    format!("call bash {}", json!({ "command": command }))
}

/// Starts a prompt whose tool runs until it is told to end.
fn started(world: &World, args: &[&str]) -> Rpc {
    let mut rpc = Rpc::start(world, args);
    rpc.say(json!({"id": "1", "type": "prompt", "message": holding(world)}));
    let runs = world.path().join("runs");
    wait_until("the tool runs", || runs.exists());
    rpc
}

fn nothing_is_left(pids_file: &Path) {
    let pids = pids(pids_file);
    assert!(!pids.is_empty(), "something ran");
    for pid in pids {
        wait_until("the process is gone", || !alive(pid));
    }
}

#[test]
fn a_thousand_prompts_with_aborts_are_answered_once_each() {
    let world = World::new();
    let mut args = Vec::new();
    let guest = world.guest(
        "guest",
        &["--pids", world.path().join("pids").to_str().unwrap()],
    );
    if have("python3") {
        args = vec!["-e", guest.to_str().unwrap()];
    }
    let mut rpc = Rpc::start(&world, &args);
    let mut input = rpc.take_input();
    let client = std::thread::spawn(move || {
        let mut sent = Vec::new();
        for n in 0..1000 {
            let message = match n % 10 {
                3 => format!("call glob {}\nthen\nsay {n}", json!({"pattern": "*"})),
                7 => "fail! 400 no".to_owned(),
                _ => format!("say {n}"),
            };
            let mut requests =
                vec![json!({"id": format!("p{n}"), "type": "prompt", "message": message})];
            if n % 25 == 0 {
                requests.push(json!({"id": format!("a{n}"), "type": "abort"}));
                requests.push(json!({"id": format!("s{n}"), "type": "get_state"}));
            }
            for request in requests {
                std::io::Write::write_all(&mut input, format!("{request}\n").as_bytes()).unwrap();
                sent.push(request["id"].as_str().unwrap().to_owned());
            }
        }
        // Here the client's end closes: long before the last prompt starts.
        sent.sort();
        sent
    });
    let (lines, _, code) = rpc.finish();
    assert_eq!(code, 0);
    assert_eq!(
        ids(&lines),
        client.join().unwrap(),
        "one response for each request"
    );
    let started = lines
        .iter()
        .filter(|line| line["data"]["started"] == true)
        .count();
    assert_eq!((started, of(&lines, "done").len()), (1000, 1000));
    // The order is the client's, and each prompt is done before the next one starts.
    let mut running = false;
    for line in &lines {
        if line["data"]["started"] == true {
            assert!(!running, "{line}");
            running = true;
        } else if line["type"] == "done" {
            assert!(running);
            running = false;
        }
    }
    if have("python3") {
        nothing_is_left(&world.path().join("pids"));
    }
}

#[test]
fn a_client_that_closes_early_leaves_no_orphan() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let file = world.path().join("pids");
    let flags = ["--pids", file.to_str().unwrap(), "--grandchild"];
    let guest = world.guest("guest", &flags);
    let mut rpc = started(&world, &["-e", guest.to_str().unwrap()]);
    for n in 0..1000 {
        rpc.say(json!({"id": n.to_string(), "type": "prompt", "message": "say x"}));
    }
    let pid = rpc.pid();
    // Both ends close, as when a client is killed; the tool that runs says nothing.
    rpc.close();
    rpc.close_output();
    let (_, _, code) = rpc.finish();
    assert_eq!(code, 1);
    assert!(!alive(pid));
    nothing_is_left(&file);
}

#[test]
fn a_closed_end_lets_a_running_tool_finish() {
    let world = World::new();
    let mut rpc = started(&world, &[]);
    rpc.close();
    fs::write(world.path().join("go"), "").unwrap();
    let (lines, _, code) = rpc.finish();
    let result = of(&lines, "tool_result")[0];
    assert_eq!(result["is_error"], false);
    assert!(result.to_string().contains("finished"), "{result}");
    assert_eq!(
        (lines.last().unwrap()["type"].as_str(), code),
        (Some("done"), 0)
    );
}

#[test]
fn an_abort_ends_the_tool_and_the_next_prompt_runs() {
    let world = World::new();
    let mut rpc = started(&world, &[]);
    rpc.say(json!({"id": "2", "type": "prompt", "message": "say next"}));
    rpc.say(json!({"id": "3", "type": "abort"}));
    let lines = rpc.until("done");
    let stops: Vec<&Value> = of(&lines, "turn_end");
    assert_eq!(stops.last().unwrap()["stop"], "aborted");
    assert!(of(&lines, "error").is_empty());
    let aborted = lines.iter().find(|line| line["id"] == "3").unwrap();
    assert_eq!(aborted["data"], json!({"aborted": true}));
    let lines = rpc.until("done");
    assert_eq!(lines[0]["id"], "2");
    nothing_is_left(&world.path().join("pids"));
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn a_signal_is_a_normal_stop() {
    for signal in ["-TERM", "-INT"] {
        let world = World::new();
        let mut rpc = started(&world, &[]);
        rpc.say(json!({"id": "2", "type": "prompt", "message": "say next"}));
        rpc.say(json!({"id": "3", "type": "ping"}));
        rpc.until_id("3");
        let kill = Command::new("kill")
            .args([signal, &rpc.pid().to_string()])
            .status();
        assert!(kill.unwrap().success());
        let (lines, _, code) = rpc.finish();
        assert_eq!(code, 130, "{signal}");
        assert_eq!(ids(&lines), ["2"], "{lines:?}");
        assert_eq!(
            lines.iter().find(|line| line["id"] == "2").unwrap()["success"],
            false
        );
        assert_eq!(of(&lines, "done").len(), 1);
        assert_eq!(lines.last().unwrap()["type"], "done");
        nothing_is_left(&world.path().join("pids"));
    }
}
