//! What extensions keep on a branch.

use serde_json::{Value, json};

use crate::rpc::client::{Rpc, of};
use crate::support::{World, have, repository};

/// The directory of an extension that keeps a plan.
fn plan(world: &World) -> String {
    let dir = world.path().join("plan");
    std::fs::create_dir_all(&dir).unwrap();
    let script = repository("tests/journeys/sessions/plan.py");
    let manifest = json!({"name": "plan", "exec": "python3", "args": [script]});
    std::fs::write(dir.join("extension.json"), manifest.to_string()).unwrap();
    dir.to_str().unwrap().to_owned()
}

fn prompt(rpc: &mut Rpc, text: &str) -> Vec<Value> {
    rpc.say(json!({"type": "prompt", "message": text}));
    rpc.until("done")
}

fn ask(rpc: &mut Rpc, request: Value) -> Value {
    rpc.say(request.clone());
    let answer = rpc.response(request["id"].as_str().unwrap());
    assert_eq!(answer["success"], true, "{answer}");
    answer["data"].clone()
}

/// What the extension says about its plan.
fn told(rpc: &mut Rpc) -> String {
    let lines = prompt(rpc, "call plan_tell {}");
    let result = of(&lines, "tool_result")[0];
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn activated_tools_are_those_of_the_branch() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let plan = plan(&world);
    let mut rpc = Rpc::start(&world, &["-e", &plan]);
    let offers = |rpc: &mut Rpc| {
        let lines = prompt(rpc, "say {{tools}}");
        let said = of(&lines, "assistant_message")[0];
        said["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("plan_more")
    };
    assert!(!offers(&mut rpc));
    let before = ask(
        &mut rpc,
        json!({"id": "f", "type": "fork", "name": "closed"}),
    );
    let trunk = before["branch"]["parent"].as_str().unwrap().to_owned();
    ask(
        &mut rpc,
        json!({"id": "s", "type": "switch_branch", "branch": trunk}),
    );
    prompt(&mut rpc, "call plan_open {}");
    assert!(offers(&mut rpc));
    ask(
        &mut rpc,
        json!({"id": "c", "type": "switch_branch", "branch": "closed"}),
    );
    assert!(!offers(&mut rpc));
    ask(
        &mut rpc,
        json!({"id": "t", "type": "switch_branch", "branch": trunk}),
    );
    assert!(offers(&mut rpc));
    assert_eq!(rpc.close_and_finish().2, 0);
    // From the first request of another process on.
    for (branch, expect) in [("closed", false), (&trunk, true)] {
        let args = ["-e", &plan, "-c", "--branch", branch, "-p", "say {{tools}}"];
        let ran = world.run(args).exits(0);
        assert_eq!(
            ran.stdout.contains("plan_more"),
            expect,
            "{branch}: {ran:?}"
        );
    }
}

#[test]
fn each_branch_has_its_own_state_also_after_a_restart() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let plan = plan(&world);
    let mut rpc = Rpc::start(&world, &["-e", &plan]);
    assert_eq!(told(&mut rpc), "plan null after session_opened");
    prompt(&mut rpc, "call plan_set {\"plan\":\"trunk\"}");
    let forked = ask(&mut rpc, json!({"id": "f", "type": "fork", "name": "side"}));
    let trunk = forked["branch"]["parent"].as_str().unwrap().to_owned();
    let session = forked["session_id"].as_str().unwrap().to_owned();
    let heard = "session_opened session_forked session_switched";
    assert_eq!(told(&mut rpc), format!("plan \"trunk\" after {heard}"));
    prompt(&mut rpc, "call plan_set {\"plan\":\"side\"}");
    ask(
        &mut rpc,
        json!({"id": "s", "type": "switch_branch", "branch": trunk}),
    );
    let heard = format!("{heard} session_switched");
    assert_eq!(told(&mut rpc), format!("plan \"trunk\" after {heard}"));
    ask(&mut rpc, json!({"id": "n", "type": "new_session"}));
    assert_eq!(
        told(&mut rpc),
        format!("plan null after {heard} session_switched")
    );
    assert_eq!(rpc.close_and_finish().2, 0);
    for (branch, expect) in [("side", "\"side\""), (&trunk, "\"trunk\"")] {
        let args = [
            "-e",
            &plan,
            "-r",
            &session,
            "--branch",
            branch,
            "-p",
            "call plan_tell {}",
        ];
        let ran = world.run(args).exits(0);
        assert!(
            ran.stdout.contains(&format!("plan {expect}")),
            "{branch}: {ran:?}"
        );
    }
    // A copy takes it along, and null forgets it for good.
    let fork = [
        "-e", &plan, "-r", &session, "--branch", "side", "--fork", "-p",
    ];
    let ran = world
        .run([&fork[..], &["call plan_tell {}"]].concat())
        .exits(0);
    assert!(ran.stdout.contains("\"side\""), "{ran:?}");
    let resume = ["-e", &plan, "-r", &session, "--branch", "side", "-p"];
    world
        .run([&resume[..], &["call plan_set {\"plan\":null}"]].concat())
        .exits(0);
    let ran = world
        .run([&resume[..], &["call plan_tell {}"]].concat())
        .exits(0);
    assert!(ran.stdout.contains("plan null"), "{ran:?}");
}

#[test]
fn a_compaction_gives_the_state_back() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let plan = plan(&world);
    for keeping in [&[][..], &["--no-session"]] {
        let mut rpc = Rpc::start(&world, &[&["-e", &plan], keeping].concat());
        for n in 0..4 {
            prompt(&mut rpc, &format!("say {n}"));
        }
        prompt(&mut rpc, "call plan_set {\"plan\":[1,2]}");
        rpc.say(json!({"type": "compact"}));
        rpc.until("compact_done");
        let heard = "session_opened session_compacted";
        assert_eq!(told(&mut rpc), format!("plan [1, 2] after {heard}"));
        assert_eq!(rpc.close_and_finish().2, 0);
    }
}

#[test]
fn what_a_sub_agent_had_remembered_belongs_to_the_conversation_it_worked_for() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let plan = plan(&world);
    let below = json!({"description": "plan", "prompt": "call plan_set {\"plan\":\"below\"}"});
    let first = world
        .run(["-e", &plan, "-p", &format!("call task {below}")])
        .exits(0);
    assert!(first.stdout.contains("planned"), "{first:?}");
    let ran = world
        .run(["-e", &plan, "-c", "-p", "call plan_tell {}"])
        .exits(0);
    assert!(ran.stdout.contains("plan \"below\""), "{ran:?}");
}
