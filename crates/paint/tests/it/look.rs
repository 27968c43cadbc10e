//! How things look, as snapshots: the text of the cells with marks where a style begins.

use std::time::Duration;

use insta::assert_snapshot;
use ratatui_core::style::Color;
use zeug_paint::diff::Diff;
use zeug_paint::tool::{Call, Fold, State};
use zeug_paint::{Canvas, Entry, Highlighter, Item as _, Markdown, Note, Role, Theme};
use zeug_rpc_protocol::NoteLevel;
use zeug_transcript::Status;

use crate::show::{canvas, marked, text};

fn markdown(source: &str, width: usize) -> String {
    let canvas = canvas();
    let mut markdown = Markdown::whole(Role::Assistant, source);
    marked(&canvas, markdown.lines(&canvas, width))
}

fn plain(source: &str, width: usize) -> String {
    let mut markdown = Markdown::whole(Role::Assistant, source);
    text(markdown.lines(&canvas(), width))
}

const TOUR: &str = "\
# A *great* title

Some **bold**, *slanted*, ~~gone~~ and `code` text with a [link](https://example.com/a) and \
<https://example.com> that wraps over several lines.  
A hard break.

### Deeper

1. one
2. two with more words than fit
   - nested
     - deeper

     with a paragraph
10. ten

- [x] done
- [ ] open

> quoted
> text that is long enough to be wrapped
>
> - with a list

```rust
fn main() {}
```

---

Last<br>words <b>html</b> ![alt](i.png)
";

#[test]
fn markdown_has_all_its_parts() {
    assert_snapshot!(markdown(TOUR, 40));
}

#[test]
fn narrow_markdown_is_still_readable() {
    assert_snapshot!(plain(TOUR, 14));
}

#[test]
fn ascii_without_colour_needs_nothing() {
    let canvas = Canvas::new(Theme::dark().at_depth(zeug_paint::Depth::None).in_ascii());
    let mut markdown = Markdown::whole(Role::Assistant, TOUR);
    let shown = text(markdown.lines(&canvas, 40));
    assert!(shown.is_ascii(), "{shown}");
    assert_snapshot!(shown);
}

const TABLE: &str = "\
| Name | Does | Since |
|:-----|:----:|------:|
| `read` | reads a file, or as much of it as is wanted | 1 |
| 日本語 | wide characters | 12 |
| 👩‍👩‍👧 | **bold** | 123 |
";

#[test]
fn tables_fit_where_they_can() {
    assert_snapshot!("table_wide", plain(TABLE, 80));
    assert_snapshot!("table_wrapped", plain(TABLE, 36));
    assert_snapshot!("table_as_records", plain(TABLE, 16));
}

#[test]
fn hostile_markdown_is_harmless() {
    let deep = format!("{}x", "> ".repeat(200));
    let hostile = format!(
        "\u{1b}]8;;http://evil\u{1b}\\click\u{1b}]8;;\u{1b}\\ &#27;[2J &#155;31m \u{202e}kcab\n\n\
         [bank](http://evil.example \"t\u{7}\") [a](javascript:alert\u{1b}[1m)\n\n\
         <script>\n\u{1b}[31m</script>\n\n\
         ```\u{1b}[31mrust\n\u{1b}[2Jcode\r\nnext\n```\n\n{deep}\n\n\
         a{}b\n",
        "\u{301}".repeat(300)
    );
    assert_snapshot!(plain(&hostile, 60));
}

#[test]
fn code_has_colours_and_long_lines_hang() {
    let mut canvas = canvas();
    canvas.code = Highlighter::ready();
    let source =
        "```rust\nlet text = \"a string that is long\"; // why\n```\n\n```diff\n-old\n+new\n```\n";
    let mut markdown = Markdown::whole(Role::Assistant, source);
    let lines = markdown.lines(&canvas, 30);
    assert_snapshot!(text(lines));
    let string = lines[1]
        .spans
        .iter()
        .find(|span| span.content.contains('"'));
    let token = canvas.theme.code(zeug_paint::theme::Token::LiteralString);
    assert_eq!(string.map(|span| span.style.fg), Some(token.fg));
}

#[test]
fn a_theme_file_reaches_all_of_a_listing() {
    let json = r##"{"syntax":{"text":"#010203","keyword":"#040506"}}"##;
    let file = zeug_skills::theme::parse(json).expect("a theme").theme;
    let theme = Theme::from_file(&file, "x", zeug_paint::Mode::Dark);
    let canvas = Canvas::new(theme).with_code(Highlighter::ready());
    let mut markdown = Markdown::whole(Role::Assistant, "```rust\nreturn x\n```");
    let lines = markdown.lines(&canvas, 30);
    let color = |part: &str| {
        let spans = lines[1].spans.iter();
        spans
            .filter(|span| span.content.trim() == part)
            .find_map(|span| span.style.fg)
    };
    assert_eq!(color("return"), Some(Color::Rgb(4, 5, 6)));
    assert_eq!(color("x"), Some(Color::Rgb(1, 2, 3)));
}

#[test]
fn streams_look_calm() {
    let source = "Some **bold** and `code`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two\n";
    let canvas = canvas();
    let mut stream = Markdown::new(Role::Assistant);
    let mut frames = String::new();
    let mut last = String::new();
    for c in source.chars() {
        stream.push(&c.to_string());
        let frame = text(stream.lines(&canvas, 30)).replace('\n', "⏎");
        if frame != last {
            frames.push_str(&frame);
            frames.push('\n');
        }
        last = frame;
    }
    assert_snapshot!(frames);
}

#[test]
fn a_diff_shows_numbers_and_what_changed_in_a_line() {
    let old: String = (1..40).map(|n| format!("let line{n} = {n};\n")).collect();
    let new = old
        .replace("let line5 = 5;", "let line5 = 55;")
        .replace("let line30 = 30;\n", "")
        .replace("let line31 = 31;", "let line31 = call(31);\nlet more = 0;");
    let canvas = canvas();
    let diff = Diff::between("src/a.txt", &old, &new);
    assert_eq!(diff.counts(), (3, 3));
    assert_snapshot!(
        "diff_wide",
        marked(&canvas, &diff.lines(&canvas, 60, None, None))
    );
    assert_snapshot!("diff_narrow", text(&diff.lines(&canvas, 14, None, None)));
    assert_snapshot!(
        "diff_folded",
        text(&diff.lines(&canvas, 60, Some(6), Some("ctrl+o")))
    );
}

#[test]
fn a_unified_diff_reads_the_same() {
    let unified = "Edited a.rs\n\n--- a/a.rs\n+++ b/a.rs\n@@ -2,4 +2,4 @@ fn x()\n one\n-two three\n+two four\n \n five\n@@ -40,2 +40,3 @@\n a\n+b\n c\n[12 more lines are not shown]";
    let (before, diff) = Diff::in_output(unified).expect("a diff");
    assert_eq!(before, "Edited a.rs\n\n");
    assert_snapshot!(marked(&canvas(), &diff.lines(&canvas(), 50, None, None)));
}

fn call(name: &str, args: &str, output: &str, status: Status) -> Call {
    let mut call = Call::new(name, args);
    call.output = output.to_owned();
    call.state = State::Settled(status);
    call.key = Some("ctrl+o".to_owned());
    call
}

#[test]
fn calls_tell_what_they_do_and_fold_what_came_of_it() {
    let canvas = canvas();
    let long: String = (1..=120).map(|n| format!("line {n}\n")).collect();
    let mut all = String::new();
    let mut show = |call: &Call, width: usize| {
        all.push_str(&marked(&canvas, &call.lines(&canvas, width)));
        all.push('\n');
    };
    show(
        &call(
            "bash",
            r#"{"command":"cargo test"}"#,
            &long,
            Status::Completed,
        ),
        50,
    );
    show(
        &call(
            "bash",
            r#"{"command":"x"}"#,
            &"y".repeat(5000),
            Status::Failed,
        ),
        40,
    );
    show(
        &call(
            "weather",
            r#"{"city":"Berlin"}"#,
            "\u{1b}[32m16°C\u{1b}[0m sunny",
            Status::Completed,
        ),
        40,
    );
    show(
        &call(
            "bash",
            r#"{"command":"dl"}"#,
            "10%\r50%\r100%\ndone",
            Status::Completed,
        ),
        40,
    );
    show(
        &call(
            "edit",
            r#"{"path":"a.rs","edits":[]}"#,
            "Edited\n--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y",
            Status::Completed,
        ),
        40,
    );
    let mut running = Call::new(
        "bash",
        r#"{"command":"sleep 100 && echo a very long command line"}"#,
    );
    running.state = State::Running;
    running.elapsed = Some(Duration::from_secs(65));
    running.progress = "one\ntwo\nthree\nfour\nfive\nsix".to_owned();
    show(&running, 40);
    running.fold = Fold {
        is_open: true,
        ..Fold::default()
    };
    show(&running, 40);
    assert_snapshot!(all);
}

#[test]
fn entries_have_their_marks() {
    let canvas = canvas();
    let mut all = String::new();
    let mut show = |mut entry: Entry| {
        all.push_str(&marked(&canvas, entry.lines(&canvas, 30)));
        all.push('\n');
    };
    show(Entry::user(
        "What is *this*?\n\n  indented text that is too long for a line",
    ));
    let note = |level, text: &str| {
        Entry::note(Note {
            level,
            owner: Some("weather".to_owned()),
            text: text.to_owned(),
        })
    };
    show(note(
        NoteLevel::Info,
        "It rains, and it will rain for a long time",
    ));
    show(note(
        NoteLevel::Error,
        "no \u{1b}[1mnetwork\u{1b}[0m\nsecond line\u{1b}[2J",
    ));
    let mut thinking = Entry::thinking();
    if let Some(markdown) = thinking.markdown_mut() {
        markdown.push("First I look.\n\nThen I leap.");
        markdown.finish();
    }
    let mut open = thinking.clone();
    open.set_open(true);
    show(thinking);
    show(open);
    assert_snapshot!(all);
}
