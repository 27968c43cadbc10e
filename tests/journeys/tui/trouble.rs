//! Extensions that misbehave, while somebody types.

use super::screen::{ENTER, ESC, Screen};
use crate::face::written;
use crate::panels::FLOOD;
use crate::support::{World, have};

#[test]
fn with_a_deaf_a_flooding_and_fifty_panels_typing_goes_on_and_esc_works() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let deaf = world.guest("deaf", &["--deaf", "--command", "hail"]);
    let noisy = world.guest("noisy", &["--flood", "2000", "--when", "ready"]);
    let flood = written(&world, "flood", FLOOD);
    let args = [
        "--yolo",
        "-e",
        &deaf.display().to_string(),
        "-e",
        &noisy.display().to_string(),
        "-e",
        &flood,
    ]
    .map(str::to_owned);
    let mut screen = Screen::start(&world, (80, 24), &args);
    screen.shows("[flood]");
    // One after the other closes, whatever their owner does meanwhile.
    for _ in 0..60 {
        // Two bytes: one alone may be the beginning of something else.
        screen.keys("\x1b\x1b");
    }
    screen.until("no panel", |text| !text.contains("╭─"));
    screen.keys("typed in the noise");
    screen.shows("▸ typed in the noise");
    screen.keys("\x15/hail");
    screen.keys(ENTER);
    screen.keys("say still here");
    screen.keys(ENTER);
    screen.until("answer", |text| text.contains("\n still here"));
    screen.keys("/quit");
    screen.keys(ENTER);
    let (code, _) = screen.ends();
    assert_eq!(code, 0);
}

#[test]
fn a_panel_whose_owner_is_deaf_closes_at_once() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let sleeper = r#"
import json, sys, time
def say(**frame): print(json.dumps(frame), flush=True)
say(type="hello", name="sleeper", protocol_version=2)
for line in sys.stdin:
    if json.loads(line)["type"] == "hello_ack":
        say(type="ready")
        say(type="open_panel", panel={"id": "p", "title": "Asleep", "lines": ["zzz"]})
        time.sleep(600)
"#;
    let sleeper = written(&world, "sleeper", sleeper);
    let mut screen = Screen::start(&world, (80, 24), &["-e", &sleeper]);
    screen.shows("Asleep");
    screen.keys("keys that nobody reads");
    screen.keys(ESC);
    screen.hides("Asleep");
    screen.keys("x");
    screen.shows("▸ x");
}
