//! Everything that extensions show, at one place each.

use super::screen::{ENTER, ESC, Screen};
use crate::face::{copied, written};
use crate::support::{World, example, have};

#[test]
fn a_tool_asks_in_a_panel_and_goes_on() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut screen = Screen::start(&world, (80, 24), &["--yolo", "-e", &example("approve")]);
    screen.shows("no model is connected");
    for (key, outcome) in [
        ("y", "approved"),
        ("n", "denied: the user refused the action"),
    ] {
        screen.keys("call approve_action {\"action\":\"push to main\"}");
        screen.keys(ENTER);
        screen.shows("May the model do this?");
        screen.keys(key);
        screen.hides("May the model do this?");
        let text = screen.shows("approve_action → ");
        assert!(text.contains(outcome), "{text}");
        screen.keys("/clear");
        screen.keys(ENTER);
        screen.shows("the conversation is forgotten");
        screen.keys(ESC);
        screen.hides("the conversation is forgotten");
    }
    screen.keys("call approve_action {\"action\":\"push to main\"}");
    screen.keys(ENTER);
    screen.shows("May the model do this?");
    screen.keys(ESC);
    screen.hides("May the model do this?");
    screen.shows("denied: the user closed the question");
}

#[test]
fn a_typed_and_pasted_secret_arrives_in_order_and_is_nowhere_on_the_screen() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut screen = Screen::start(&world, (80, 24), &["--yolo", "-e", &example("secret")]);
    screen.shows("no model is connected");
    screen.keys("call fetch_private {\"url\":\"https://example.org\"}");
    screen.keys(ENTER);
    screen.shows("[secret]");
    screen.keys("héllo");
    screen.keys("\x1b[200~ wörld\x1b[201~");
    screen.shows("•••••••••••");
    screen.keys(ENTER);
    screen.shows("the password had 11 characters");
    screen.keys("/quit");
    screen.keys(ENTER);
    let (code, printed) = screen.ends();
    assert_eq!(code, 0);
    assert!(!printed.contains("héllo") && !printed.contains("wörld"));
}

#[test]
fn a_plan_is_a_status_item_and_a_widget_until_it_is_done() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let mut screen = Screen::start(&world, (80, 24), &["--yolo", "-e", &example("phases")]);
    screen.shows("no model is connected");
    screen.keys("call set_plan {\"phases\":[\"読む\",\"change 👩‍👩‍👧\"]}");
    screen.keys(ENTER);
    let text = screen.shows("[phases] phase 1/2");
    assert!(text.contains("[>] 読む"), "{text}");
    screen.keys("/phases");
    screen.keys(ENTER);
    screen.shows("╭─ ");
    screen.keys(ESC);
    screen.hides("╭─ ");
    for _ in 0..2 {
        screen.keys("call finish_phase {}");
        screen.keys(ENTER);
        screen.hides("working");
    }
    screen.hides("[phases] phase");
    screen.hides("[phases] Plan");
}

const TALKER: &str = r#"
import json, sys
def say(**frame): print(json.dumps(frame), flush=True)
say(type="hello", name="talker", protocol_version=2)
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "hello_ack":
        for name in ("shout", "write", "go", "fail"):
            say(type="register_command", name=name, description=f"does {name}")
        say(type="ready")
    if frame["type"] == "command_invoked":
        name, answer = frame["name"], {"action": "noop"}
        if name == "shout":
            for level in ("info", "success", "warn", "error"):
                say(type="notify", level=level, message=f"{level} 植物\nsecond")
            say(type="alert", kind="bell", reason="look")
        if name == "write": answer = {"action": "insert", "insert": "into the editor"}
        if name == "go": answer = {"action": "prompt", "prompt": "say it went"}
        if name == "fail": answer = {"action": "noop", "error": "no way"}
        say(type="command_response", id=frame["id"], **answer)
"#;

#[test]
fn commands_write_say_and_fail_in_the_face() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let talker = written(&world, "talker", TALKER);
    let mut screen = Screen::start(&world, (80, 24), &["-e", &talker]);
    screen.shows("no model is connected");
    screen.keys("/shout");
    screen.shows("does shout");
    screen.keys(ENTER);
    let text = screen.shows("[talker] error 植物");
    assert!(
        text.contains("[talker] info 植物\n [talker] second"),
        "{text}"
    );
    screen.keys(ESC);
    screen.hides("[talker]");
    screen.keys("/write");
    screen.keys(ENTER);
    screen.shows("▸ into the editor");
    screen.keys("\x03");
    screen.hides("into the editor");
    screen.keys("/go");
    screen.keys(ENTER);
    screen.until("answer", |text| text.contains("\n it went"));
    screen.keys("/fail");
    screen.keys(ENTER);
    screen.shows("no way");
    screen.keys("/nothing-like-this");
    screen.keys(ENTER);
    screen.shows("unknown command /nothing-like-this");
    screen.keys("/quit");
    screen.keys(ENTER);
    let (_, printed) = screen.ends();
    // Before that, the terminal is asked for its colours, and the question ends with a bell.
    let (_, drawn) = printed.split_once("\x1b[?1049h").expect("a screen");
    assert_eq!(drawn.matches('\x07').count(), 1, "the bell");
}

#[test]
fn a_failed_start_stays_in_the_conversation_until_a_good_reload() {
    if !have("node") {
        return;
    }
    let world = World::new();
    let todo = copied(&world, "todo");
    let manifest = std::path::Path::new(&todo).join("extension.json");
    let good = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(
        &manifest,
        r#"{"name":"todo","exec":"python3","args":["-c","1/0"]}"#,
    )
    .unwrap();
    let mut screen = Screen::start(&world, (100, 30), &["-e", &todo]);
    screen.shows("ZeroDivisionError");
    screen.keys("hello");
    screen.keys(ENTER);
    let text = screen.shows("you said: hello");
    assert!(text.contains("ZeroDivisionError"), "{text}");
    std::fs::write(&manifest, good).unwrap();
    screen.keys("/reload-ext");
    screen.keys(ENTER);
    screen.shows("1 loaded (1 ready)");
    screen.hides("ZeroDivisionError");
}
