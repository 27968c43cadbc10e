//! What the face does beyond the agent: trust, settings that last, the user's editor, what was
//! typed before.

use std::os::unix::fs::PermissionsExt as _;

use super::screen::{ENTER, ESC, Screen};
use crate::face::copy;
use crate::support::{World, example};

const CTRL_G: &str = "\x07";
const CTRL_L: &str = "\x0c";

fn no_args() -> [&'static str; 0] {
    []
}

#[test]
fn extensions_of_a_project_start_when_the_user_trusts_them() {
    let world = World::new();
    let place = world.project().join(".zeug/extensions/weather");
    copy(example("weather").as_ref(), &place);
    let mut screen = Screen::start(&world, (80, 24), &no_args());
    let asked = screen.shows("▸ 2 No, not now");
    for told in [
        "weather 1.0.0",
        ".zeug/extensions/weather, ",
        "runs ./weather.sh",
    ] {
        assert!(asked.contains(told), "{asked}");
    }
    // Enter alone trusts nobody.
    screen.keys(ENTER);
    screen.shows("not trusted, not started");
    screen.keys("/reload-ext");
    screen.keys(ENTER);
    screen.shows("Do you trust it?");
    // What was looked at is what is trusted.
    std::fs::write(place.join("more.sh"), "x").unwrap();
    screen.keys("1");
    screen.shows("its content changed while it");
    screen.keys("/reload-ext");
    screen.keys(ENTER);
    screen.shows("Do you trust it?");
    screen.keys("1");
    screen.shows("reloaded: 0 stopped, 1 loaded (1 ready)");
    screen.keys("/quit");
    screen.keys(ENTER);
    screen.ends();
    let mut screen = Screen::start(&world, (80, 24), &["--yolo"]);
    screen.shows("no model is connected");
    screen.keys("call weather {\"city\":\"Berlin\"}");
    screen.keys(ENTER);
    screen.shows("weather → Berlin: 16°C");
}

#[test]
fn settings_and_a_theme_last() {
    let world = World::new();
    let themes = world.home().join("themes");
    std::fs::create_dir_all(&themes).unwrap();
    let config = world.home().join("config.toml");
    std::fs::write(&config, "# mine\nmax_steps = 50\n").unwrap();
    let theme = r##"{"version": 1, "colors": {"accent": "#12ab34"}}"##;
    std::fs::write(themes.join("sea.json"), theme).unwrap();
    let mut screen = Screen::start(&world, (80, 24), &no_args());
    screen.shows("no model is connected");
    screen.keys("/theme");
    screen.keys(ENTER);
    let list = screen.shows("▸ auto");
    assert!(list.contains("light") && list.contains("sea"), "{list}");
    screen.keys("sea");
    screen.shows("▸ sea");
    screen.keys(ENTER);
    screen.hides("Themes");
    screen.keys("/settings");
    screen.keys(ENTER);
    let list = screen.shows("theme: sea");
    assert!(list.contains("resources: off"), "{list}");
    screen.keys("resources");
    screen.shows("▸ resources: off");
    screen.keys(ENTER);
    screen.shows("▸ resources: on");
    screen.keys(ESC);
    let loaded = screen.shows("tools: bash");
    assert!(loaded.contains("context: none"), "{loaded}");
    screen.keys("/quit");
    screen.keys(ENTER);
    screen.ends();
    let kept = std::fs::read_to_string(&config).unwrap();
    assert_eq!(
        kept,
        "# mine\nmax_steps = 50\n\n[terminal]\ntheme = \"sea\"\nresources = true\n"
    );
    let mut screen = Screen::start(&world, (80, 24), &no_args());
    screen.shows("tools: bash");
    screen.keys("/theme");
    screen.keys(ENTER);
    screen.shows("▸ sea");
}

#[test]
fn a_text_goes_to_the_users_editor_and_comes_back() {
    let world = World::new();
    let editor = world.project().join("my editor.sh");
    let script = "#!/bin/sh\ntest \"$1\" = -w || exit 7\n\
                  read -r typed < /dev/tty\nprintf ' %s' \"$typed\" >> \"$2\"\n";
    std::fs::write(&editor, script).unwrap();
    std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o755)).unwrap();
    let editor = format!("'{}' -w", editor.display());
    let args = no_args();
    let mut screen = Screen::start_with(&world, (80, 24), &args, &[("VISUAL", editor.as_str())]);
    screen.shows("no model is connected");
    screen.keys("say one");
    screen.shows("▸ say one");
    screen.keys(CTRL_G);
    screen.hides("▸ say one");
    // The editor has the terminal now.
    screen.keys("and two\n");
    screen.shows("▸ say one and two");
    screen.keys(CTRL_L);
    screen.keys(ENTER);
    screen.until("the answer", |text| text.contains("\n one and two"));
    // What was typed is there the next time, too.
    screen.keys("/quit");
    screen.keys(ENTER);
    screen.ends();
    let mut screen = Screen::start(&world, (80, 24), &args);
    screen.shows("no model is connected");
    screen.keys("\x1b[A");
    screen.shows("▸ /quit");
    screen.keys("\x1b[A");
    screen.shows("▸ say one and two");
}

#[test]
fn an_editor_that_fails_leaves_the_text() {
    let world = World::new();
    let editor = [("VISUAL", "false")];
    let mut screen = Screen::start_with(&world, (80, 24), &no_args(), &editor);
    screen.shows("no model is connected");
    screen.keys("say one");
    screen.shows("▸ say one");
    screen.keys(CTRL_G);
    let text = screen.shows("the text is as it was");
    assert!(text.contains("▸ say one"), "{text}");
}

#[test]
fn an_image_that_a_tool_reads_is_seen() {
    let world = World::new();
    // Three pixels: red, green, blue.
    let hex = "89504e470d0a1a0a0000000d4948445200000003000000010802000000948283e30000000e49\
               444154789c63f8cfc0c000c6000efb02fe091c16340000000049454e44ae426082";
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    let png: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
    std::fs::write(world.project().join("a.png"), png).unwrap();
    let color = [("COLORTERM", "truecolor")];
    let mut screen = Screen::start_with(&world, (80, 24), &["--yolo"], &color);
    screen.shows("no model is connected");
    screen.keys("call read {\"path\":\"a.png\"}");
    screen.keys(ENTER);
    screen.shows("▀▀▀");
    screen.keys("/quit");
    screen.keys(ENTER);
    let (_, printed) = screen.ends();
    assert!(printed.contains("38;2;255;0;0"), "red");
    // A resumed conversation shows it again.
    let screen = Screen::start_with(&world, (80, 24), &["-c"], &color);
    screen.shows("▀▀▀");
}

#[test]
fn resuming_without_an_id_shows_the_list() {
    let world = World::new();
    world.run(["-p", "say remembered"]).exits(0);
    let mut screen = Screen::start(&world, (80, 24), &["-r"]);
    screen.shows("Sessions of this project");
    screen.keys(ENTER);
    screen.until("the answer", |text| text.contains("\n remembered"));
}
