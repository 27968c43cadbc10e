//! What is chosen, searched, copied and asked: each dialog once.

use super::screen::{ENTER, ESC, Screen};
use crate::support::World;

const UP: &str = "\x1b[A";
const ALT_UP: &str = "\x1b[1;3A";
const WHEEL_UP: &str = "\x1b[<64;10;5M";
const CTRL_F: &str = "\x06";
const CTRL_R: &str = "\x12";
const CTRL_T: &str = "\x14";

/// Sends a line and waits for the answer.
fn say(screen: &mut Screen, text: &str) {
    screen.keys(&format!("say {text}"));
    screen.keys(ENTER);
    screen.until("the answer", |screen| {
        screen.contains(&format!("\n {text}"))
    });
}

fn started(world: &World, args: &[&str]) -> Screen {
    let screen = Screen::start(world, (80, 24), args);
    screen.shows("no model is connected");
    screen
}

#[test]
fn a_session_is_found_by_its_words_and_gone_on_with() {
    let world = World::new();
    for text in ["apples", "pears", "plums"] {
        world.run(["-p", &format!("say about {text}")]).exits(0);
    }
    let mut screen = started(&world, &[]);
    screen.keys("/sessions");
    screen.keys(ENTER);
    screen.shows("Sessions of this project 3/3");
    screen.keys("pear");
    screen.shows("Sessions of this project 1/3");
    screen.keys(ENTER);
    screen.until("that session", |text| text.contains("\n about pears"));
    // A branch before its first message, and back.
    screen.keys("/fork");
    screen.keys(ENTER);
    screen.shows("Begin a branch before");
    screen.keys(ENTER);
    screen.until("the branch", |text| {
        text.contains("▸ say about pears") && !text.contains("\n about pears")
    });
    screen.keys("\x15");
    say(&mut screen, "about something else");
    screen.keys("/tree");
    screen.keys(ENTER);
    let branches = screen.shows("Branches of this session 2/2");
    assert!(branches.contains(", open"), "{branches}");
    screen.keys(UP);
    screen.keys(ENTER);
    screen.until("the first branch", |text| text.contains("\n about pears"));
}

#[test]
fn a_message_is_found_and_copied_over_the_terminal() {
    let world = World::new();
    let mut screen = started(&world, &[]);
    say(&mut screen, "needle one");
    for at in 0..12 {
        say(&mut screen, &format!("hay {at}"));
    }
    screen.hides("needle one");
    screen.keys(WHEEL_UP);
    screen.shows("more below, ctrl+end");
    screen.keys(CTRL_F);
    screen.keys("needle one");
    screen.until("what was found", |text| {
        text.matches("needle one").count() == 2
    });
    screen.keys(ESC);
    screen.hides("find:");
    screen.keys("\x1b[1;5F");
    screen.shows("hay 11");
    screen.keys(ALT_UP);
    screen.shows("enter copies");
    screen.keys(ENTER);
    screen.shows("1 line sent to the clipboard");
    screen.keys(CTRL_T);
    screen.shows("mouse is the terminal's");
    screen.keys("/quit");
    screen.keys(ENTER);
    let (_, printed) = screen.ends();
    // OSC 52 with `hay 11` in base64.
    assert!(printed.contains("\x1b]52;c;aGF5IDEx"), "the clipboard");
    assert!(printed.contains("\x1b[?1000l"), "the mouse");
}

#[test]
fn what_was_sent_is_searched_and_files_are_named() {
    let world = World::new();
    let project = world.project();
    std::fs::create_dir(project.join("src")).unwrap();
    for file in ["src/engine.rs", "src/other.rs", "secret.env"] {
        std::fs::write(project.join(file), "x").unwrap();
    }
    std::fs::write(project.join(".gitignore"), "*.env\n").unwrap();
    let mut screen = started(&world, &[]);
    say(&mut screen, "first thing");
    say(&mut screen, "second thing");
    screen.keys(CTRL_R);
    screen.shows("What was sent before");
    screen.keys("frst");
    screen.until("one row", |text| !text.contains("│ ▸ say second"));
    screen.keys(ENTER);
    screen.shows("▸ say first thing");
    screen.keys("\x15look at @eng");
    screen.shows("▸ @src/engine.rs");
    screen.keys("\t");
    screen.shows("▸ look at @src/engine.rs");
    screen.keys(" and @secr");
    screen.until("no ignored file", |text| {
        text.contains("and @secr") && !text.contains("secret.env")
    });
}

#[test]
fn a_long_paste_is_one_piece_and_goes_whole() {
    let world = World::new();
    let mut screen = started(&world, &[]);
    let lines: Vec<String> = (0..40).map(|at| format!("say line {at}")).collect();
    screen.keys(&format!("\x1b[200~{}\x1b[201~", lines.join("\n")));
    screen.shows("[paste 1: 40 lines]");
    screen.keys(ENTER);
    screen.shows("line 39");
}

#[test]
fn help_trace_and_models_are_texts_and_lists() {
    let world = World::new();
    let mut screen = started(&world, &["--yolo"]);
    screen.keys("call read {\"path\":\"nothing\"}");
    screen.keys(ENTER);
    screen.shows("read → ");
    for (line, shown) in [
        ("/trace", "wanted by  model"),
        ("/help", "shift+enter, ctrl+j"),
        ("/tools", "bash (built in)"),
        ("/model", "Models of puppet 1/1"),
        ("/approve", "Which calls are asked about"),
    ] {
        screen.keys(line);
        screen.keys(ENTER);
        screen.shows(shown);
        screen.keys(ESC);
        screen.hides("╭─");
    }
}

#[test]
fn an_answer_for_the_tool_counts_from_then_on() {
    let world = World::new();
    let mut screen = started(&world, &["--approve", "always"]);
    std::fs::write(world.project().join("a.txt"), "was-read").unwrap();
    let call = "call read {\"path\":\"a.txt\"}\n";
    screen.keys(&format!("\x1b[200~{}\x1b[201~", call.repeat(3).trim_end()));
    screen.keys(ENTER);
    screen.shows("May this run? read a.txt");
    screen.keys("2");
    screen.until("all ran", |text| text.matches("└ was-read").count() == 3);
    screen.keys("call write {\"path\":\"x\",\"content\":\"y\"}");
    screen.keys(ENTER);
    screen.shows("May this run? write x");
    screen.keys("4");
    screen.shows("user declined");
    assert!(!world.project().join("x").exists());
}

#[test]
fn without_colours_none_is_printed() {
    let world = World::new();
    let plain = [("NO_COLOR", "1")];
    let mut screen = Screen::start_with(&world, (40, 12), &["--yolo"], &plain);
    screen.shows("puppet");
    screen.keys("call read {\"path\":\"nothing\"}");
    screen.keys(ENTER);
    screen.shows("read → ");
    screen.keys("/quit");
    screen.keys(ENTER);
    let (_, printed) = screen.ends();
    for color in ["\x1b[38;", "\x1b[48;", "\x1b[31", "\x1b[32"] {
        assert!(!printed.contains(color), "{color:?}");
    }
}

/// The colour of the first word that is drawn, and that the theme follows the terminal.
fn accent(mut screen: Screen) -> String {
    screen.shows("no model is connected");
    screen.keys("/theme");
    screen.keys(ENTER);
    screen.shows("▸ auto");
    screen.keys(ESC);
    screen.hides("Themes");
    screen.keys("/quit");
    screen.keys(ENTER);
    let (_, printed) = screen.ends();
    let (_, drawn) = printed.split_once("\x1b[?1049h").expect("a screen");
    let (before, _) = drawn.split_once("zeug").expect("the banner");
    let (_, color) = before.rsplit_once("38;").expect("a colour");
    color.to_owned()
}

#[test]
fn a_light_terminal_gets_the_light_theme() {
    let (light, dark) = (World::new(), World::new());
    let light = accent(Screen::start_on_light(&light));
    let dark = accent(Screen::start(&dark, (80, 24), &["--yolo"]));
    assert_ne!(light, dark);
}
