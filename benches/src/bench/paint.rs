//! Painting a conversation: an answer in Markdown, a long list, and tokens that stream.
//!
//! Each stands against a budget: a frame, or a share of a core.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::ensure;
use zeug_paint::{Canvas, Entry, Highlighter, Item, List, Markdown, Op, Role, Theme};

use crate::effort::Effort;
use crate::row::Row;
use crate::samples::Samples;

/// One of sixty in a second: what is slower is seen.
const FRAME: Duration = Duration::from_micros(16_667);
/// Frames in the second that is streamed.
const FRAMES: usize = 60;
/// Tokens in that second.
const TOKENS: usize = 2000;
/// A tenth of the second.
const STREAM_BUDGET: Duration = Duration::from_millis(100);
/// Loading grammars takes a second at most, and much longer in an unoptimised build.
const PATIENCE: Duration = Duration::from_secs(60);
/// Entries of the long list.
const ENTRIES: usize = 10_000;
/// A large terminal.
const WIDTH: usize = 200;
const HEIGHT: usize = 50;
/// Against the parser alone: blocks, wrapping and spans cost some times as much as its events.
const LIMIT_PARSER: f64 = 25.0;

pub(super) fn run(effort: Effort) -> anyhow::Result<Vec<Row>> {
    let canvas = Canvas::new(Theme::dark()).with_code(grammars()?);
    let mut rows = vec![answer(effort)];
    rows.extend(list(effort, &canvas)?);
    let fence = "```rust\n";
    let head = "| a | b | c |\n|---|---|---|\n";
    for (what, start, unit, count) in [
        ("prose", "", PROSE, 20),
        ("a listing of 100 lines", fence, CODE, 20),
        ("a listing of 2000 lines", fence, CODE, 400),
        ("a list of 40 items", "", ITEM, 20),
        ("a list of 200 items", "", ITEM, 100),
        ("a table of 20 rows", head, ROW, 20),
    ] {
        let text = format!("{start}{}", unit.repeat(count));
        rows.push(stream(effort, &canvas, what, &text, unit)?);
    }
    Ok(rows)
}

/// Loaded as a face loads them: on a thread, which also tries them.
fn grammars() -> anyhow::Result<Highlighter> {
    let code = Highlighter::start();
    let start = Instant::now();
    while !code.is_ready() {
        ensure!(start.elapsed() < PATIENCE, "the grammars do not load");
        std::thread::yield_now();
    }
    Ok(code)
}

const PROSE: &str = "Some words of an answer, with **emphasis**, `code` and a \
[link](https://example.com) now and then. They go on for a while, as answers do.\n\n";
const CODE: &str =
    "fn add(left: u64, right: u64) -> u64 {\n    // both are small\n    left + right\n}\n\n";
const ITEM: &str = "- an item of some words, with `code`\n  - and another below it\n";
const ROW: &str = "| a cell | another with **more** words in it | 12 |\n";

/// An answer of everything, about 20 KiB.
fn answer_text() -> String {
    let mut text = String::new();
    for part in 0..12 {
        text.push_str(&format!("## Part {part}\n\n"));
        text.push_str(&PROSE.repeat(4));
        text.push_str(&format!("```rust\n{}```\n\n", CODE.repeat(3)));
        text.push_str(&ITEM.repeat(3));
        text.push_str(&format!(
            "\n| a | b | c |\n|---|---|---|\n{}\n",
            ROW.repeat(4)
        ));
    }
    text
}

fn answer(effort: Effort) -> Row {
    let text = answer_text();
    let plain = Canvas::new(Theme::dark());
    let paint = || {
        let mut markdown = Markdown::whole(Role::Assistant, &text);
        black_box(markdown.lines(&plain, WIDTH).len());
    };
    let parse = || {
        let options = pulldown_cmark::Options::ENABLE_TABLES;
        black_box(pulldown_cmark::Parser::new_ext(&text, options).count());
    };
    let (subject, baseline) = effort.alternate(paint, parse);
    let name = format!("markdown of {} KiB", text.len() / 1024);
    Row::new(name, &subject, "the parser alone", &baseline).limit(LIMIT_PARSER)
}

/// Times an operation some times.
fn timed(count: usize, mut operation: impl FnMut()) -> Samples {
    let mut times = Vec::new();
    for _ in 0..count {
        let start = Instant::now();
        operation();
        times.push(start.elapsed());
    }
    Samples::of_times(times)
}

fn entry(number: usize) -> Entry {
    match number % 4 {
        0 => Entry::user(&format!("question {number}")),
        1 => {
            let mut call = zeug_paint::tool::Call::new("bash", r#"{"command":"cargo test"}"#);
            call.output = "line\n".repeat(50);
            call.state = zeug_paint::tool::State::Settled(zeug_transcript::Status::Completed);
            Entry::tool(call)
        }
        _ => {
            let mut entry = Entry::assistant();
            if let Some(markdown) = entry.markdown_mut() {
                markdown.push(&format!(
                    "# Answer {number}\n\n{PROSE}```rust\n{CODE}```\n\n{ITEM}"
                ));
                markdown.finish();
            }
            entry
        }
    }
}

fn list(effort: Effort, canvas: &Canvas) -> anyhow::Result<Vec<Row>> {
    let count = effort.pick(40, 2);
    let frame = Samples::of_times([FRAME]);
    let mut list = List::new(canvas.clone(), WIDTH, HEIGHT);
    for number in 0..ENTRIES {
        list.push(entry(number));
    }
    let mut rows = Vec::new();
    let mut row = |what: &str, samples: &Samples| {
        let name = format!("{what}, {ENTRIES} entries");
        rows.push(Row::new(name, samples, "a frame", &frame).limit(1.0));
    };
    let view = |list: &mut List<Entry>| {
        black_box(list.view().lines.len());
    };
    let mut entries: Vec<Vec<Entry>> = (0..effort.pick(5, 1))
        .map(|_| (0..ENTRIES).map(entry).collect())
        .collect();
    let opened = timed(entries.len(), || {
        let mut list = List::new(canvas.clone(), WIDTH, HEIGHT);
        for entry in entries.pop().unwrap_or_default() {
            list.push(entry);
        }
        view(&mut list);
        std::mem::forget(list);
    });
    row("first frame", &opened);
    view(&mut list);
    let mut width = WIDTH;
    list.apply(Op::Share(1, 2));
    let resized = timed(count, || {
        width = if width == WIDTH { 80 } else { WIDTH };
        list.apply(Op::Resize(width, HEIGHT));
        view(&mut list);
    });
    row("resize", &resized);
    let scrolled = timed(count, || {
        list.apply(Op::Pages(-1));
        view(&mut list);
    });
    row("scroll by a page", &scrolled);
    let still = timed(count, || view(&mut list));
    row("a frame without change", &still);
    let mut at = 0;
    let jumped = timed(count, || {
        at = (at + 37) % 100;
        list.apply(Op::Share(at, 100));
        view(&mut list);
    });
    row("jump by the scroll bar", &jumped);
    list.apply(Op::First);
    let found = timed(effort.pick(10, 1), || {
        list.apply(Op::Find("no such words".to_owned()))
    });
    ensure!(list.hit().is_none(), "found what is not there");
    row("search without a hit", &found);
    let longest = effort.pick(5, 1);
    let coloured = Samples::of_times((0..longest).map(|_| slowest_frame(canvas)));
    rows.push(
        Row::new(
            "slowest frame of a new 2000-line listing",
            &coloured,
            "a frame",
            &frame,
        )
        .limit(1.0),
    );
    Ok(rows)
}

/// The longest of the frames in which a listing is seen for the first time and gets its colours.
fn slowest_frame(canvas: &Canvas) -> Duration {
    let mut list = List::new(canvas.clone(), WIDTH, HEIGHT);
    let mut entry = Entry::assistant();
    if let Some(markdown) = entry.markdown_mut() {
        markdown.push(&format!("```rust\n{}```\n", CODE.repeat(400)));
        markdown.finish();
    }
    list.push(entry);
    let mut slowest = Duration::ZERO;
    loop {
        let start = Instant::now();
        let view = list.view();
        slowest = slowest.max(start.elapsed());
        if !view.is_behind {
            return slowest;
        }
    }
}

/// A second in which `unit` streams again and again behind a conversation, and behind `text`, which
/// is of the same kind.
fn stream(
    effort: Effort,
    canvas: &Canvas,
    what: &str,
    text: &str,
    unit: &str,
) -> anyhow::Result<Row> {
    // A token has about four bytes.
    let source = unit.repeat(TOKENS * 4 / unit.len() + 1);
    let tokens: Vec<&str> = source
        .as_bytes()
        .chunks(4)
        .filter_map(|chunk| std::str::from_utf8(chunk).ok())
        .take(TOKENS)
        .collect();
    let mut seconds = Vec::new();
    for _ in 0..effort.pick(20, 1) {
        let mut list = List::new(canvas.clone(), WIDTH, HEIGHT);
        for number in 0..100 {
            list.push(entry(number));
        }
        list.push(Entry::assistant());
        push(&mut list, text);
        // What is there already has its colours.
        while list.view().is_behind {}
        let start = Instant::now();
        for tokens in tokens.chunks(TOKENS.div_ceil(FRAMES)) {
            for token in tokens {
                push(&mut list, token);
            }
            black_box(list.view().lines.len());
        }
        seconds.push(start.elapsed());
        let bytes = list.get(100).map_or(0, |entry| entry.text().len());
        ensure!(bytes == text.len() + TOKENS * 4, "tokens were lost");
    }
    let name = format!("{TOKENS} tokens to {what}");
    let budget = Samples::of_times([STREAM_BUDGET]);
    let spent = Samples::of_times(seconds);
    Ok(Row::new(name, &spent, "10 % of a core", &budget).limit(1.0))
}

fn push(list: &mut List<Entry>, text: &str) {
    if let Some(markdown) = list.last_mut().and_then(Entry::markdown_mut) {
        markdown.push(text);
    }
}
