//! Screens of scripted states.

use std::time::Duration;

use zeug_app::{Level, Notice, Panel, Position, StatusItem, Widget};
use zeug_paint::Depth;
use zeug_rpc_protocol::{Block, Event};

use crate::kit::{Bench, id};
use crate::look::Look;
use crate::word::{Answer, Input};

const SIZES: [(u16, u16); 3] = [(80, 24), (40, 12), (200, 50)];

/// Compares the screens of a state at all sizes with those that are kept.
macro_rules! screens {
    ($name:literal, $bench:expr) => {
        for (width, height) in SIZES {
            let screen = $bench.screen(width, height);
            insta::assert_snapshot!(format!("{}_{width}x{height}", $name), screen);
        }
    };
}

fn event(bench: &mut Bench, event: Event) {
    bench.tell(Notice::Event(event));
}

fn greeted() -> Bench {
    let mut bench = Bench::new();
    bench.model.greet("0.1.0");
    bench
}

fn said(bench: &mut Bench, text: &str) {
    let content = vec![Block::text(text)];
    let time = zeug_transcript::Timestamp::UNIX_EPOCH;
    event(bench, Event::UserMessage { content, time });
}

fn answered(bench: &mut Bench, text: &str) {
    event(bench, Event::AssistantStart);
    let delta = text.to_owned();
    event(bench, Event::TextDelta { delta });
    event(bench, Event::Done);
}

fn called(bench: &mut Bench, id: &str, name: &str, args: &str) {
    event(
        bench,
        Event::ToolCall {
            id: id.to_owned(),
            name: name.to_owned(),
            args: zeug_stdx::json::RawJson::parse(args).unwrap(),
            args_raw: None,
            origin_extension: None,
        },
    );
}

/// A tool that runs, with everything that extensions can show around it.
fn busy() -> Bench {
    let mut bench = greeted();
    bench.tell(Notice::Started(id()));
    said(&mut bench, "Räum die 植物 auf 👩‍👩‍👧, please");
    answered(
        &mut bench,
        "I look at **all of it** first:\n\n| 名前 | n |\n|---|---|\n| 植物 | 2 |",
    );
    bench.tell(Notice::Started(id()));
    called(&mut bench, "c1", "bash", r#"{"command":"make test"}"#);
    let (id, name) = ("c1".to_owned(), "bash".to_owned());
    event(&mut bench, Event::ToolExecutionStarted { id, name });
    let (id, text) = ("c1".to_owned(), "ok 1 日本語".to_owned());
    event(&mut bench, Event::ToolProgress { id, text });
    bench.wait(Duration::from_secs(75));
    bench.give(Input::Tick);
    surround(&mut bench);
    bench.press("and the next thing<enter>still being written");
    bench
}

fn surround(bench: &mut Bench) {
    for (level, text) in [
        (Level::Info, "two lines\nof news"),
        (Level::Error, "kaputt 💥"),
    ] {
        bench.tell(Notice::Note {
            extension: "guard".to_owned(),
            level,
            text: text.to_owned(),
        });
    }
    for (key, level, text) in [
        ("a", Level::Success, "phase \u{1b}[1m1\u{1b}[0m/3"),
        ("b", Level::Warn, "植物 2"),
    ] {
        bench.tell(Notice::Status(StatusItem {
            extension: "phases".to_owned(),
            key: key.to_owned(),
            level,
            text: text.to_owned(),
        }));
    }
    for (id, position) in [("plan", Position::RightBar), ("sum", Position::AboveInput)] {
        bench.tell(Notice::Widget(Widget {
            extension: "phases".to_owned(),
            id: id.to_owned(),
            position,
            title: Some(format!("The {id}")),
            lines: ["[x] read", "[>] 日本語 change 👩‍👩‍👧", "[ ] test"]
                .map(str::to_owned)
                .to_vec(),
        }));
    }
}

fn asked(bench: &mut Bench, preview: &str) {
    called(bench, "c2", "edit", r#"{"path":"src/lib.rs","edits":[]}"#);
    event(
        bench,
        Event::ToolConfirmationRequested {
            tool_id: "c2".to_owned(),
            tool_name: "edit".to_owned(),
            tool_preview: "--- src/lib.rs".to_owned(),
            preview: Some(preview.to_owned()),
            reason: Some("guard wants a person to look".to_owned()),
            origin_extension: None,
            agent_id: None,
            depth: None,
        },
    );
}

fn panel(lines: Vec<String>) -> Panel {
    Panel {
        extension: "todo".to_owned(),
        id: "todos".to_owned(),
        title: "Todos 植物 (1/40 done)".to_owned(),
        lines,
        footer: Some("a add  x done  ↑↓ move  esc close".to_owned()),
    }
}

#[test]
fn the_first_screen() {
    screens!("first", greeted());
}

#[test]
fn everything_at_once() {
    screens!("busy", busy());
}

#[test]
fn a_question_with_a_diff() {
    let mut bench = busy();
    let diff = "--- src/lib.rs\n+++ src/lib.rs\n@@ -1,3 +1,3 @@\n fn main() {\n-    one();\n+    zwei(\"植物\");\n }\n";
    asked(&mut bench, diff);
    asked(&mut bench, diff);
    screens!("question", bench);
}

#[test]
fn a_panel_keeps_its_marked_line_in_view() {
    let mut bench = busy();
    let line = |at: usize| match at {
        30 => "  ▸ [ ] the marked 日本語 line".to_owned(),
        _ => format!("    [\u{1b}[32mx\u{1b}[0m] number {at} 👩‍👩‍👧"),
    };
    bench.tell(Notice::PanelOpened(panel((0..40).map(line).collect())));
    screens!("panel", bench);
}

#[test]
fn a_pop_up_separates_commands_of_extensions() {
    let mut bench = greeted();
    let commands = vec![("todo".to_owned(), "Öffnet die 植物-Liste".to_owned())];
    bench.press("/t");
    bench.give(Input::Answer(Answer::Commands(commands)));
    screens!("pop_up", bench);
}

#[test]
fn something_to_choose_from() {
    let mut bench = greeted();
    let model = |name: &str| zeug_app::ModelFacts {
        name: name.to_owned(),
        label: Some(format!("{name} for people")),
        context_window: Some(200_000),
        ..zeug_app::ModelFacts::default()
    };
    let models = ["opus-5", "sonnet-5", "haiku-5"].map(model).to_vec();
    bench.give(Input::Answer(Answer::Models(models)));
    bench.press("n5");
    screens!("picker", bench);
}

#[test]
fn without_unicode_and_without_colours() {
    let look = Look {
        unicode: false,
        depth: Depth::None,
        ..Look::default()
    };
    let mut bench = Bench::looking(look);
    bench.model.greet("0.1.0");
    said(&mut bench, "hello");
    answered(&mut bench, "- one\n- two\n\n> quoted");
    bench.tell(Notice::PanelOpened(panel(vec!["> [ ] one".to_owned()])));
    let screen = bench.screen(80, 24);
    let drawn = screen.replace(['植', '物', '↑', '↓'], "");
    assert!(drawn.is_ascii(), "{drawn}");
    insta::assert_snapshot!("ascii_80x24", screen);
}

#[test]
fn no_size_is_too_small() {
    let mut states = [greeted(), busy(), busy(), busy(), greeted()];
    asked(&mut states[1], "one\ntwo\nthree");
    let lines = (0..40).map(|at| format!("▸ {at}")).collect();
    states[2].tell(Notice::PanelOpened(panel(lines)));
    states[4].press("/");
    states[3].press("<ctrl+f>abc");
    for bench in &mut states {
        for width in 1..60 {
            for height in [1, 2, 3, 4, 5, 7, 9, 12, 18] {
                bench.screen(width, height);
            }
        }
    }
}
