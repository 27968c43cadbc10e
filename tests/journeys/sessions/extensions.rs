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
