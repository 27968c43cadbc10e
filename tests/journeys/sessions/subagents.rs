//! Conversations of sub-agents.

use serde_json::{Value, json};

use super::{assert_paired, session_of, short, shown};
use crate::support::World;

#[test]
fn what_a_sub_agent_said_can_be_read() {
    let world = World::new();
    std::fs::write(world.project().join("a"), "text").unwrap();
    let below = "call read {\"path\":\"a\"}\nthen\nsay it says text";
    let task = json!({"description": "look at a", "prompt": below});
    let ran = world
        .run(["--json", &format!("call task {task}\nthen\nsay done")])
        .exits(0);
    let id = session_of(&ran)["session_id"].as_str().unwrap().to_owned();
    let list = world.run(["sessions", "list", "--json"]).exits(0);
    let list: Value = serde_json::from_str(&list.stdout).unwrap();
    assert_eq!(list["sessions"].as_array().unwrap().len(), 1, "{list}");
    let tree = world.run(["sessions", "tree", &id, "--json"]).exits(0);
    let tree: Value = serde_json::from_str(&tree.stdout).unwrap();
    let child = &tree["subagents"][0];
    assert_eq!(child["label"], "look at a", "{tree}");
    assert_eq!(
        (&child["how"], &child["parent"]),
        (&json!("subagent"), &json!(id))
    );
    let messages = shown(&world, &[child["session_id"].as_str().unwrap()]);
    assert_paired(&messages);
    let said = short(&messages);
    assert_eq!(said.last().unwrap(), "assistant: it says text", "{said:?}");
    assert_eq!(messages.len(), 4);
    let ran = world
        .run(["--json", "--no-session", &format!("call task {task}")])
        .exits(0);
    assert_eq!(session_of(&ran)["keeping"], "unkept");
    let all = world
        .run(["sessions", "list", "--json", "--subagents"])
        .exits(0);
    let all: Value = serde_json::from_str(&all.stdout).unwrap();
    assert_eq!(
        all["sessions"].as_array().unwrap().len(),
        2,
        "nothing new is kept"
    );
    world.run(["sessions", "delete", &id]).exits(0);
    let left = world
        .run(["sessions", "list", "--json", "--subagents"])
        .exits(0);
    let left: Value = serde_json::from_str(&left.stdout).unwrap();
    assert!(left["sessions"].as_array().unwrap().is_empty(), "{left}");
}
