//! What the examples that come with zot and zut do, as far as our own examples do not do it already.

use serde_json::json;

use super::{command, fixture, prompt, python, result, said};
use crate::face::Face;
use crate::rpc::client::{Rpc, of};
use crate::support::{World, have};

#[test]
fn the_scratchpad_keeps_notes_in_the_project() {
    if !have("node") {
        return;
    }
    let world = World::new();
    let dir = fixture(&world, "scratchpad");
    let mut rpc = Rpc::start(&world, &["-e", &dir]);
    let shown = |rpc: &mut Rpc, name: &str, args: &str| {
        let (response, lines) = command(rpc, name, args);
        assert_eq!(response["success"], true, "{response}");
        of(&lines, "ext_display")[0]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(shown(&mut rpc, "notes", ""), "no notes yet");
    assert_eq!(shown(&mut rpc, "note", "buy  milk"), "noted: buy  milk");
    let (response, _) = command(&mut rpc, "note", "");
    assert!(
        response["error"]
            .as_str()
            .unwrap()
            .contains("/note buy milk"),
        "{response}"
    );
    assert_eq!(rpc.close_and_finish().2, 0);
    let file = world.project().join(".zot/scratchpad-notes.jsonl");
    assert_eq!(
        std::fs::read_to_string(file).unwrap(),
        "{\"text\":\"buy  milk\"}\n"
    );
    // Another process, and the model.
    let ran = world.run(["-p", "-e", &dir, "call read_notes {}"]).exits(0);
    assert_eq!(ran.stdout, "read_notes → buy  milk\n");
}

/// An ordinary tool that asks in a panel, as they are in the wild: it does not say `interactive`, and
/// knows no `tool_cancel`.
const ASKER: &str = r#"
say(type="hello", protocol_version=2, name="asker", capabilities=["tools", "panels"])
say(type="register_tool", name="approve_action", schema={"type": "object"})
say(type="register_tool", name="what_happened", schema={"type": "object"})
say(type="ready")
call, closed = None, 0
for frame in frames():
    kind = frame["type"]
    if kind == "tool_call" and frame["name"] == "what_happened": answer(frame, f"closed {closed}")
    elif kind == "tool_call":
        call = frame
        say(type="open_panel", panel={"id": "approve", "title": "Approve?", "lines": [frame["args"]["action"]], "footer": "y/n"})
    elif kind == "panel_key" and frame.get("text") in ("y", "n"):
        say(type="panel_close", panel_id="approve")
        if frame["text"] == "y": answer(call, "approved")
        else: answer(call, "denied: user rejected the action", is_error=True)
    elif kind == "panel_key":
        say(type="panel_render", panel_id="approve", lines=[call["args"]["action"], "press y or n"])
    elif kind == "panel_close":
        closed += 1
        answer(call, "denied: user rejected the action", is_error=True)
    elif kind == "shutdown": break
"#;

#[test]
fn an_ordinary_tool_may_ask_in_a_panel() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut face = Face::start(&world, &python(&world, "asker", ASKER));
    let ask = "call approve_action {\"action\":\"push\"}\nthen\nsay go on";
    face.prompt(ask);
    assert_eq!(face.until_shown("push")["title"], "Approve?");
    face.key("asker", "approve", "f");
    face.text("asker", "approve", "q");
    face.until_shown("press y or n");
    face.text("asker", "approve", "y");
    let lines = face.0.until("done");
    assert_eq!(result(&lines), "approved");
    let last = of(&lines, "assistant_message").pop().unwrap();
    assert_eq!(last["content"][0]["text"], "go on", "the agent goes on");
    for (key, text) in [("n", true), ("esc", false)] {
        face.prompt(ask);
        face.until_shown("push");
        if text {
            face.text("asker", "approve", key);
        } else {
            face.key("asker", "approve", key);
        }
        let lines = face.0.until("done");
        assert_eq!(result(&lines), "denied: user rejected the action");
        assert_eq!(of(&lines, "tool_result")[0]["is_error"], true);
    }
    // Given up, its panel goes, and it hears of it as if the user had closed it.
    face.prompt(ask);
    face.until_shown("push");
    face.0.say(json!({"type": "abort"}));
    let lines = face.0.until("done");
    assert_eq!(of(&lines, "ext_panel_close").len(), 1, "{lines:#?}");
    assert_eq!(
        result(&prompt(&mut face.0, "call what_happened {}")),
        "closed 2"
    );
    assert_eq!(face.0.close_and_finish().2, 0);
}

#[test]
fn a_bridge_offers_its_tools_when_they_are_searched_for() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dir = fixture(&world, "bridge");
    // Found by the variable that names the home of the host it was written for.
    std::fs::write(
        world.home().join("mcp.json"),
        r#"{"tools":["add","subtract"]}"#,
    )
    .unwrap();
    let mut rpc = Rpc::start(&world, &["-e", &dir]);
    rpc.say(json!({"type": "hello"}));
    let note = rpc.until("ext_notify").pop().unwrap();
    assert!(
        note["message"].as_str().unwrap().contains("Reload"),
        "{note}"
    );
    assert!(!said(&mut rpc, "say {{tools}}").contains("mcp__"));
    rpc.say(json!({"id": "r", "type": "reload_ext"}));
    assert_eq!(rpc.response("r")["data"]["ready"], 1);
    let offered = said(&mut rpc, "say {{tools}}");
    assert!(
        offered.contains("mcp__search_tools") && !offered.contains("mcp__add"),
        "{offered}"
    );
    let lines = prompt(
        &mut rpc,
        "call mcp__search_tools {\"query\":\"add\"}\nthen\nsay {{tools}}\ncall mcp__add {}",
    );
    let texts: Vec<_> = of(&lines, "tool_result")
        .iter()
        .map(|r| r["content"][0]["text"].clone())
        .collect();
    assert_eq!(texts, ["found: mcp__add", "mcp__add in bridge"]);
    let offered = of(&lines, "assistant_message")[1].to_string();
    assert!(
        offered.contains("mcp__add") && !offered.contains("mcp__subtract"),
        "{offered}"
    );
    let (response, lines) = command(&mut rpc, "MCP", "");
    assert_eq!(response["data"]["action"], "display", "{response}");
    assert_eq!(of(&lines, "ext_clear_notes").len(), 1, "{lines:#?}");
    assert_eq!(of(&lines, "ext_display")[0]["text"], "2 tools");
    assert_eq!(rpc.close_and_finish().2, 0);
    // It stays active when the conversation goes on, and is not in another one.
    for (flags, active) in [(&["-c", "-p"][..], true), (&["-p"], false)] {
        let ran = world
            .run([flags, &["-e", &dir, "say {{tools}}"]].concat())
            .exits(0);
        assert_eq!(ran.stdout.contains("mcp__add"), active, "{ran:?}");
    }
}
