//! Another conversation takes the place of the open one, also while a call runs.

use serde_json::{Value, json};

use super::{assert_paired, short, shown};
use crate::rpc::client::{Rpc, kinds, of};
use crate::support::World;

const SLOW: &str = "call bash {\"command\":\"sleep 30\"}";

/// Says something and waits for its end.
fn prompt(rpc: &mut Rpc, text: &str) {
    rpc.say(json!({"type": "prompt", "message": text}));
    rpc.until("done");
}

fn ask(rpc: &mut Rpc, request: Value) -> Value {
    rpc.say(request.clone());
    let answer = rpc.response(request["id"].as_str().unwrap());
    assert_eq!(answer["success"], true, "{answer}");
    answer["data"].clone()
}

/// Starts a call that takes long, and waits until it runs.
fn slow_call(rpc: &mut Rpc) {
    rpc.say(json!({"id": "slow", "type": "prompt", "message": SLOW}));
    rpc.until("tool_execution_started");
}

/// The lines up to the response, which must tell of a clean end of what ran before it.
fn changed(rpc: &mut Rpc, request: Value) -> Value {
    rpc.say(request.clone());
    let lines = rpc.until_id(request["id"].as_str().unwrap());
    let kinds = kinds(&lines);
    let at = |kind: &str| kinds.iter().position(|k| *k == kind);
    let ended = at("done").expect("the prompt is done");
    assert!(at("tool_result").expect("a result") < ended, "{kinds:?}");
    assert!(
        at("session").expect("the change is told") > ended,
        "{kinds:?}"
    );
    assert_eq!(of(&lines, "done").len(), 1, "{kinds:?}");
    let answer = lines.last().unwrap();
    assert_eq!(answer["success"], true, "{answer}");
    answer["data"].clone()
}

#[test]
fn a_fork_while_a_call_runs_leaves_the_pair_on_its_branch() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &[]);
    prompt(&mut rpc, "say one");
    prompt(&mut rpc, "say two");
    let tree = ask(&mut rpc, json!({"id": "t", "type": "tree"}));
    let second = &tree["nodes"][1];
    assert_eq!(second["text"], "say two");
    slow_call(&mut rpc);
    rpc.say(json!({"id": "w", "type": "prompt", "message": "say waits"}));
    let fork = json!({"id": "f", "type": "fork", "entry": second["entry"], "name": "again"});
    let forked = changed(&mut rpc, fork);
    assert_eq!(forked["text"], "say two");
    prompt(&mut rpc, "say other");
    let messages = ask(&mut rpc, json!({"id": "m", "type": "get_messages"}));
    let messages = messages["messages"].as_array().unwrap().clone();
    let expect = [
        "user: say one",
        "assistant: one",
        "user: say other",
        "assistant: other",
    ];
    assert_eq!(short(&messages), expect);
    assert_eq!(rpc.close_and_finish().2, 0);
    let id = forked["session_id"].as_str().unwrap();
    assert_eq!(shown(&world, &[id]), messages);
    let trunk = shown(
        &world,
        &[id, "--branch", forked["branch"]["parent"].as_str().unwrap()],
    );
    assert_paired(&trunk);
    let said = short(&trunk);
    assert_eq!(said[2..4], ["user: say two", "assistant: two"], "{said:?}");
    assert!(said[4].contains("sleep 30"), "{said:?}");
    assert!(said.last().unwrap().starts_with("result: "), "{said:?}");
    assert!(
        !said.iter().any(|piece| piece.contains("waits")),
        "{said:?}"
    );
}

#[test]
fn a_switch_while_a_call_runs_comes_back_to_a_whole_conversation() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &[]);
    prompt(&mut rpc, "say one");
    let forked = ask(&mut rpc, json!({"id": "f", "type": "fork", "name": "side"}));
    let trunk = forked["branch"]["parent"].as_str().unwrap().to_owned();
    slow_call(&mut rpc);
    let switch = |branch: &str| json!({"id": "s", "type": "switch_branch", "branch": branch});
    changed(&mut rpc, switch(&trunk));
    prompt(&mut rpc, "say on the trunk");
    ask(&mut rpc, switch("side"));
    prompt(&mut rpc, "say back {{messages}}");
    assert_eq!(rpc.close_and_finish().2, 0);
    let side = shown(&world, &[forked["session_id"].as_str().unwrap()]);
    assert_paired(&side);
    let said = short(&side);
    assert!(said.last().unwrap().contains("sleep 30"), "{said:?}");
    assert!(!said.concat().contains("trunk"), "{said:?}");
}

#[test]
fn a_new_session_while_a_call_runs_closes_the_old_one_whole() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &[]);
    let old = ask(&mut rpc, json!({"id": "o", "type": "get_state"}));
    slow_call(&mut rpc);
    let new = changed(&mut rpc, json!({"id": "n", "type": "new_session"}));
    assert_ne!(new["session_id"], old["session_id"]);
    prompt(&mut rpc, "say fresh");
    // The old one is free again, and can be opened by its id.
    let open = json!({"id": "b", "type": "open_session", "session": old["session_id"]});
    assert_eq!(ask(&mut rpc, open)["session_id"], old["session_id"]);
    let messages = ask(&mut rpc, json!({"id": "m", "type": "get_messages"}));
    let messages = messages["messages"].as_array().unwrap().clone();
    assert_paired(&messages);
    assert_eq!(messages.len(), 3, "{messages:?}");
    rpc.say(json!({"id": "a", "type": "open_session", "session": old["session_id"]}));
    let already = rpc.response("a");
    assert!(
        already["error"].as_str().unwrap().contains("already"),
        "{already}"
    );
    let own = json!({"id": "d", "type": "delete_session", "session": old["session_id"]});
    rpc.say(own);
    assert_eq!(rpc.response("d")["success"], false);
    ask(
        &mut rpc,
        json!({"id": "x", "type": "delete_session", "session": new["session_id"]}),
    );
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn a_compaction_behind_a_call_keeps_pairs_whole_and_is_respected_by_a_resume() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &[]);
    for n in 0..4 {
        prompt(&mut rpc, &format!("say number {n}"));
    }
    let call = "call bash {\"command\":\"sleep 0.3; echo slept\"}";
    rpc.say(json!({"type": "prompt", "message": call}));
    rpc.until("tool_execution_started");
    rpc.say(json!({"id": "c", "type": "compact"}));
    let lines = rpc.until("compact_done");
    assert!(lines.last().unwrap()["error"].is_null(), "{lines:?}");
    let result = of(&lines, "tool_result")[0];
    assert_eq!(result["is_error"], false, "{result}");
    prompt(&mut rpc, "say after");
    let messages = ask(&mut rpc, json!({"id": "m", "type": "get_messages"}));
    let live = messages["messages"].as_array().unwrap().clone();
    assert_paired(&live);
    let state = ask(&mut rpc, json!({"id": "s", "type": "get_state"}));
    assert_eq!(rpc.close_and_finish().2, 0);
    let kept = shown(&world, &[state["session_id"].as_str().unwrap()]);
    assert_eq!(
        short(&kept),
        short(&live),
        "a resume goes on with the same words"
    );
    assert!(short(&live)[0].contains("summary"), "{live:?}");
    assert!(live.len() < 10, "{live:?}");
}

#[test]
fn titles_imports_and_searches_work_for_a_client() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &[]);
    prompt(&mut rpc, "say the parser");
    let named = ask(
        &mut rpc,
        json!({"id": "r", "type": "rename", "title": "Parser"}),
    );
    assert_eq!(named["title"], "Parser");
    let out = ask(
        &mut rpc,
        json!({"id": "e", "type": "export", "path": "out.jsonl"}),
    );
    assert!(world.project().join("out.jsonl").exists(), "{out}");
    let copy = ask(
        &mut rpc,
        json!({"id": "i", "type": "import", "path": "out.jsonl"}),
    );
    assert_ne!(copy["session_id"], named["session_id"]);
    assert_eq!(copy["title"], "Parser");
    let found = ask(
        &mut rpc,
        json!({"id": "l", "type": "sessions", "search": "PARSER"}),
    );
    assert_eq!(found["sessions"].as_array().unwrap().len(), 2, "{found}");
    assert!(!found["hits"].as_array().unwrap().is_empty());
    let branches = ask(&mut rpc, json!({"id": "b", "type": "branches"}));
    assert_eq!(branches["branches"].as_array().unwrap().len(), 1);
    rpc.say(json!({"id": "x", "type": "fork", "entry": "nothing"}));
    let refused = rpc.response("x");
    assert!(
        refused["error"].as_str().unwrap().contains("tree"),
        "{refused}"
    );
    assert_eq!(rpc.close_and_finish().2, 0);
}
