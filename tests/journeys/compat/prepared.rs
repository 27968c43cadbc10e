//! What extensions make of the system prompt and of messages, as the user and the model see it.

use serde_json::json;

use super::{heard, listener, prompt, python, said};
use crate::rpc::client::{Rpc, of};
use crate::support::{World, have};

#[test]
fn a_replaced_system_prompt_is_used_to_the_letter() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    std::fs::write(world.project().join("AGENTS.md"), "The cat is called Mimi.").unwrap();
    let exact = " \n Be  terse.\t\n";
    let guest = world.guest(
        "terse",
        &["--intercept", "before_agent_start", "--rewrite", exact],
    );
    let guest = guest.to_str().unwrap();
    let ears = listener(&world, &["--intercept", "before_agent_start"]);
    let script = "say <{{system}}>";
    let ran = world.run(["-p", "-e", &ears, "-e", guest, script]).exits(0);
    assert_eq!(ran.stdout, format!("<{exact}>\n"));
    let json = world.run(["--json", "-e", guest, script]).exits(0);
    let events = json.events();
    let told = of(&events, "assistant_message")[0];
    assert_eq!(told["content"][0]["text"], format!("<{exact}>"));
    let mut rpc = Rpc::start(&world, &["-e", guest]);
    assert_eq!(said(&mut rpc, script), format!("<{exact}>"));
    assert_eq!(rpc.close_and_finish().2, 0);
    // Whoever is asked first sees all that was assembled.
    let frames = heard(&world);
    let asked = frames
        .iter()
        .find(|f| f["type"] == "event_intercept")
        .unwrap();
    let whole = asked["system_prompt"].as_str().unwrap();
    assert!(whole.contains("The cat is called Mimi."), "{whole}");
    for key in ["session_id", "agent_run_id", "cwd", "provider", "model"] {
        assert!(
            asked[key].as_str().is_some_and(|text| !text.is_empty()),
            "{key}: {asked}"
        );
    }
    let no_such_key = asked.get("step").or(asked.get("tool_name"));
    assert_eq!(no_such_key, None, "{asked}");
}

#[test]
fn the_system_prompt_is_prepared_again_when_it_should_be() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let ears = listener(&world, &["--intercept", "before_agent_start"]);
    let other = python(
        &world,
        "other",
        r#"
say(type="hello", name="other")
say(type="ready")
for frame in frames():
    if frame["type"] == "shutdown": break
"#,
    );
    let mut rpc = Rpc::start(&world, &["-e", &ears, "-e", &other]);
    let asked = |rpc: &mut Rpc| {
        prompt(rpc, "call glob {\"pattern\":\"*\"}\nthen\nsay x");
        let frames = heard(&world);
        let ids = frames.iter().filter(|f| f["type"] == "event_intercept");
        ids.map(|f| f["agent_run_id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(asked(&mut rpc).len(), 1);
    assert_eq!(asked(&mut rpc).len(), 1, "another prompt is no reason");
    for (n, request) in [
        json!({"id": "1", "type": "clear"}),
        json!({"id": "2", "type": "set_model", "model": "another-puppet"}),
        json!({"id": "3", "type": "new_session"}),
        json!({"id": "4", "type": "reload_ext", "name": "other"}),
    ]
    .into_iter()
    .enumerate()
    {
        rpc.say(request.clone());
        let response = rpc.response(request["id"].as_str().unwrap());
        assert_eq!(response["success"], true, "{response}");
        let mut ids = asked(&mut rpc);
        assert_eq!(ids.len(), n + 2, "after {request}");
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), n + 2, "each preparation has its own id");
    }
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn whoever_fails_to_prepare_the_system_prompt_is_named_to_the_user() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let flags = [
        "--intercept",
        "before_agent_start",
        "--intercept-nonsense",
        "--when",
        "start",
    ];
    let guest = world.guest("muddled", &flags);
    let dying = world.guest(
        "dying",
        &["--intercept", "before_agent_start", "--die-at", "intercept"],
    );
    let args = ["-e", guest.to_str().unwrap(), "-e", dying.to_str().unwrap()];
    let mut rpc = Rpc::start(&world, &args);
    let lines = prompt(&mut rpc, "hi");
    for name in ["muddled", "dying"] {
        let notes = of(&lines, "ext_notify");
        let note = notes.iter().find(|note| note["extension"] == name);
        let note = note.unwrap_or_else(|| panic!("nothing about {name}: {lines:#?}"));
        assert_eq!(note["level"], "warn");
        assert!(
            note["message"].as_str().unwrap().contains("system prompt"),
            "{note}"
        );
    }
    assert_eq!(rpc.close_and_finish().2, 0);
    let ran = world.run(["-p", args[0], args[1], "say hi"]).exits(0);
    assert_eq!(ran.stdout, "hi\n");
    assert!(ran.stderr.contains("[muddled] warn: "), "{ran:?}");
}

#[test]
fn the_reason_for_a_withheld_message_is_for_the_user() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let flags = [
        "--intercept",
        "assistant_message",
        "--intercept-block",
        "it names a customer",
    ];
    let guest = world.guest("discreet", &flags);
    let guest = guest.to_str().unwrap();
    for mode in ["-p", "--stream", "--json"] {
        let ran = world
            .run([mode, "-e", guest, "say the customer is Ada"])
            .exits(0);
        let told = "[discreet] warn: a message of the model is not shown: it names a customer";
        assert!(ran.stderr.contains(told), "{ran:?}");
        let (_, after) = ran
            .stdout
            .split_once("turn_start")
            .unwrap_or(("", &ran.stdout));
        assert!(!after.contains("Ada"), "{mode}: {ran:?}");
    }
    let mut rpc = Rpc::start(&world, &["-e", guest]);
    let lines = prompt(&mut rpc, "say the customer is Ada");
    let note = of(&lines, "ext_notify")[0];
    assert_eq!(
        (&note["extension"], &note["level"]),
        (&json!("discreet"), &json!("warn"))
    );
    assert!(of(&lines, "assistant_message").is_empty(), "{lines:#?}");
    // What is kept is shown to no client either.
    rpc.say(json!({"id": "m", "type": "get_messages"}));
    let kept = rpc.response("m")["data"]["messages"].clone();
    let answers = kept.as_array().unwrap().iter();
    let mut answers = answers.filter(|message| message["role"] == "assistant");
    assert!(
        !answers.any(|message| message.to_string().contains("Ada")),
        "{kept:#}"
    );
    assert_eq!(rpc.close_and_finish().2, 0);
    // The model knows what it said.
    let ran = world.run(["-c", "-p", "say {{messages}}"]).exits(0);
    assert_eq!(ran.stdout.matches("customer is Ada").count(), 2, "{ran:?}");
}
