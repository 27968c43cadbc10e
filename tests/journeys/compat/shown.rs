//! What extensions show, in the frames that those of the two hosts send.

use serde_json::json;

use super::{command, fixture, prompt, python, said};
use crate::face::Face;
use crate::rpc::client::{Rpc, of};
use crate::support::{World, have};

#[test]
fn notes_are_taken_back_by_a_bare_frame() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &fixture(&world, "noter")]);
    let (_, lines) = command(&mut rpc, "go", "");
    let told: Vec<_> = lines
        .iter()
        .filter(|line| line["extension"] == "noter")
        .map(|line| (line["type"].as_str().unwrap(), line["message"].as_str()))
        .collect();
    let expect = [
        ("ext_notify", Some("first")),
        ("ext_clear_notes", None),
        ("ext_notify", Some("second")),
    ];
    assert_eq!(told, expect);
    assert_eq!(rpc.close_and_finish().2, 0);
}

/// Shows what its command's arguments say, frame by frame.
const STAGE: &str = r#"
say(type="hello", name="stage", protocol_version=2)
say(type="register_command", name="show")
say(type="ready")
for frame in frames():
    if frame["type"] == "command_invoked":
        for shown in json.loads(frame["args"]): say(**shown)
        say(type="command_response", id=frame["id"])
    elif frame["type"] == "shutdown": break
"#;

#[test]
fn the_bell_is_an_event_for_clients() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &python(&world, "stage", STAGE)]);
    let frames = json!([
        {"type": "alert", "kind": "bell", "reason": "question_ready"},
        {"type": "alert", "kind": "siren"},
        {"type": "alert", "kind": "bell"},
    ]);
    let (_, lines) = command(&mut rpc, "show", &frames.to_string());
    let told: Vec<_> = of(&lines, "ext_alert").into_iter().cloned().collect();
    let bell = |reason: &str| json!({"type": "ext_alert", "extension": "stage", "kind": "bell", "reason": reason});
    assert_eq!(told, [bell("question_ready"), bell("")]);
    let (lines, stderr, code) = rpc.close_and_finish();
    assert_eq!(code, 0);
    assert!(!format!("{lines:?}{stderr}").contains('\u{7}'));
}

#[test]
fn a_widget_without_a_place_is_above_the_input() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &python(&world, "stage", STAGE)]);
    let frames = json!([
        {"type": "widget", "id": "a", "lines": ["x"]},
        {"type": "widget", "id": "a", "position": "under_the_sofa", "title": "T", "lines": ["y", "z"]},
        {"type": "widget", "id": "b", "position": "right_bar", "lines": []},
        {"type": "widget_clear", "id": "a"},
        {"type": "widget_clear", "id": "nobody"},
    ]);
    let (_, lines) = command(&mut rpc, "show", &frames.to_string());
    let widgets = of(&lines, "ext_widget");
    let places: Vec<_> = widgets
        .iter()
        .map(|w| w["position"].as_str().unwrap())
        .collect();
    assert_eq!(places, ["above_input", "above_input", "right_bar"]);
    assert_eq!(widgets[1]["title"], "T");
    assert_eq!(widgets[1]["lines"], json!(["y", "z"]));
    let cleared: Vec<_> = of(&lines, "ext_widget_clear")
        .iter()
        .map(|w| w["id"].clone())
        .collect();
    assert_eq!(cleared, ["a"]);
    assert_eq!(rpc.close_and_finish().2, 0);
}

#[test]
fn what_lasts_is_in_no_transcript() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut rpc = Rpc::start(&world, &["-e", &python(&world, "stage", STAGE)]);
    let frames = json!([
        {"type": "status", "key": "s", "level": "success", "text": "half done"},
        {"type": "widget", "id": "w", "title": "Progress", "lines": ["half done"]},
    ]);
    let (_, lines) = command(&mut rpc, "show", &frames.to_string());
    assert_eq!(of(&lines, "ext_status")[0]["level"], "success");
    // Prompts and a clear leave them alone.
    assert!(!said(&mut rpc, "say {{messages}}{{system}}").contains("half done"));
    rpc.say(json!({"id": "c", "type": "clear"}));
    let mut lines = rpc.until_id("c");
    lines.extend(prompt(&mut rpc, "hi"));
    for kind in [
        "ext_status",
        "ext_widget",
        "ext_widget_clear",
        "ext_chrome_clear",
    ] {
        assert!(of(&lines, kind).is_empty(), "{lines:#?}");
    }
    assert_eq!(rpc.close_and_finish().2, 0);
    for file in std::fs::read_dir(world.home().join("sessions"))
        .unwrap()
        .flatten()
    {
        for file in std::fs::read_dir(file.path()).unwrap().flatten() {
            let text = std::fs::read_to_string(file.path()).unwrap();
            assert!(!text.contains("half done"), "{}", file.path().display());
        }
    }
}

#[test]
fn every_key_has_its_name() {
    if !have("node") {
        return;
    }
    let world = World::new();
    let mut face = Face::start(&world, &fixture(&world, "each-key"));
    face.until_shown("type");
    let keys = [
        "up", "down", "left", "right", "enter", "tab", "delete", "home", "end", "pageup",
        "pagedown",
    ];
    for key in keys {
        face.key("each-key", "pad", key);
    }
    let all: String = keys.iter().map(|key| format!("<{key}>")).collect();
    face.until_shown(&all);
    face.text("each-key", "pad", " ");
    face.text("each-key", "pad", "é");
    face.key("each-key", "pad", "backspace");
    face.text("each-key", "pad", "!");
    face.until_shown(&format!("{all} !"));
    face.key("each-key", "pad", "unknown");
    face.until_shown("<unknown>");
    assert_eq!(face.0.close_and_finish().2, 0);
}

#[test]
fn typing_and_pasting_keep_their_order_whoever_overtakes_whom() {
    for (program, name) in [("node", "each-key"), ("python3", "thread-per-key")] {
        if !have(program) {
            continue;
        }
        let world = World::new();
        let mut face = Face::start(&world, &fixture(&world, name));
        // It opened its panel as soon as it was there.
        face.until_shown("type");
        for c in "héllo wörld".chars() {
            face.text(name, "pad", &c.to_string());
        }
        face.until_shown("héllo wörld");
        face.text(name, "pad", " — héllo wörld, 世界 🎈!");
        face.until_shown("héllo wörld — héllo wörld, 世界 🎈!");
        assert_eq!(face.0.close_and_finish().2, 0);
    }
}

#[test]
fn a_drawing_of_a_closed_panel_opens_nothing() {
    if !have("node") {
        return;
    }
    for key in ["esc", "ctrl+c"] {
        let world = World::new();
        let mut face = Face::start(&world, &fixture(&world, "each-key"));
        face.until_shown("type");
        face.text("each-key", "pad", "ab");
        face.until_shown("ab");
        face.key("each-key", "pad", key);
        let mut lines = face.0.until("ext_notify");
        // It was told that the panel closed, not of a key, and drew it once more in vain.
        assert_eq!(lines.last().unwrap()["message"], "closed with ab");
        face.0.say(json!({"id": "p", "type": "ping"}));
        lines.extend(face.0.until_id("p"));
        for kind in ["ext_panel_render", "ext_panel_open"] {
            assert!(of(&lines, kind).is_empty(), "{lines:#?}");
        }
        assert_eq!(face.0.close_and_finish().2, 0);
    }
}
