//! The first minute: start, ask, approve, a panel, leave. And the terminal afterwards.

use super::screen::{CTRL_C, ENTER, ESC, Screen};
use crate::face::copied;
use crate::support::{World, example, have};

/// What gives the normal screen back.
const LEAVES: &str = "\x1b[?1049l";

#[test]
fn a_new_user_finds_the_way() {
    if !have("node") || !have("python3") {
        return;
    }
    let world = World::new();
    std::fs::write(world.project().join("a.txt"), "hello\n").unwrap();
    let todo = copied(&world, "todo");
    let weather = example("weather");
    let mut screen = Screen::start(&world, (80, 24), &["-e", &weather, "-e", &todo]);
    let banner = screen.shows("no model is connected");
    assert!(banner.contains("zeug login PROVIDER"), "{banner}");
    screen.keys("call weather {\"city\":\"Berlin\"}");
    screen.keys(ENTER);
    screen.shows("May this run? weather Berlin");
    screen.keys("1");
    screen.shows("weather → Berlin: 16°C");
    screen.keys(
        r#"call edit {"path":"a.txt","edits":[{"oldText":"hello","newText":"hello world"}]}"#,
    );
    screen.keys(ENTER);
    let asked = screen.shows("May this run? edit a.txt");
    assert!(asked.contains("1 + hello world"), "{asked}");
    screen.keys("1");
    screen.shows("edit → ");
    let text = std::fs::read_to_string(world.project().join("a.txt")).unwrap();
    assert_eq!(text, "hello world\n");
    screen.keys("/todo");
    screen.shows("Open the todo list");
    screen.keys(ENTER);
    screen.shows("Todos (0/0 done)");
    screen.keys("awäter 植物");
    screen.keys(ENTER);
    screen.shows("[ ] wäter 植物");
    screen.keys(ESC);
    screen.hides("Todos (");
    screen.keys("/reload-ext");
    screen.keys(ENTER);
    screen.shows("reloaded: 2 stopped, 2 loaded (2 ready)");
    screen.keys("/quit");
    screen.keys(ENTER);
    let (code, printed) = screen.ends();
    assert_eq!(code, 0);
    let (_, after) = printed.rsplit_once(LEAVES).expect("the normal screen");
    assert!(after.contains("zeug --resume "), "{after}");
    assert!(after.contains("edit → "), "{after}");
}

#[test]
fn ctrl_c_twice_leaves() {
    let world = World::new();
    let mut screen = Screen::start::<&str>(&world, (80, 24), &[]);
    screen.shows("no model is connected");
    screen.keys(CTRL_C);
    screen.shows("ctrl+c once more leaves");
    screen.keys(CTRL_C);
    let (code, printed) = screen.ends();
    assert_eq!(code, 0);
    assert!(printed.contains(LEAVES));
}

#[test]
fn a_signal_leaves_the_terminal_in_order() {
    let world = World::new();
    let screen = Screen::start::<&str>(&world, (80, 24), &[]);
    screen.shows("no model is connected");
    let pid = screen.child.process_id().expect("a process");
    let pid = rustix::process::Pid::from_raw(pid.try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let (code, printed) = screen.ends();
    assert_eq!(code, 130);
    assert!(printed.contains(LEAVES) && printed.contains("\x1b[?25h"));
}

#[test]
fn esc_stops_a_tool_and_what_waits_comes_back() {
    let world = World::new();
    let mut screen = Screen::start(&world, (80, 24), &["--yolo"]);
    screen.shows("no model is connected");
    screen.keys(r#"call bash {"command":"echo begun; sleep 60"}"#);
    screen.keys(ENTER);
    screen.shows("begun");
    screen.keys("later");
    screen.keys(ENTER);
    screen.shows("→ later");
    screen.keys(ESC);
    screen.shows("stopped");
    let text = screen.shows("cancelled");
    assert!(text.contains("▸ later"), "{text}");
}

#[test]
fn it_is_drawn_anew_at_another_size() {
    let world = World::new();
    let mut screen = Screen::start(&world, (80, 24), &["say Hello there"]);
    screen.shows("Hello there");
    screen.resize(40, 12);
    screen.until("a line across of 40 columns", |screen| {
        screen.lines().any(|line| line == "─".repeat(40))
    });
    let text = screen.shows("Hello there");
    assert_eq!(text.lines().count(), 12, "{text}");
}
