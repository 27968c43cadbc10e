//! What holds for every input and every width.

use proptest::prelude::*;
use ratatui_core::style::Style;
use ratatui_core::text::Line;
use zeug_paint::diff::Diff;
use zeug_paint::tool::{Call, Fold, State};
use zeug_paint::wrap::{Indent, spans_width, wrapped};
use zeug_paint::{Canvas, Depth, Entry, Item as _, Markdown, Role, cells, safe};

use crate::show;

/// Text that is likely to hurt: marks of Markdown, escapes, wide and combining characters.
pub(crate) fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z ]{1,12}",
        2 => prop::sample::select(vec![
            "\n", "\n\n", "**", "*", "_", "`", "```", "```rust\n", "~~", "# ", "- ", "1. ", "> ",
            "| a | b |\n|---|---|\n| c | d |\n", "|", "---\n", "[x](http://e)", "[", "](", "<b>", "<br>",
            "    ", "\t", "- [x] ", "\\", "&#27;[2J", "&lt;", "![i](u)", "http://e", "==\n",
            "\n- ", "\n  - ", "\n   ", "\n> > ",
        ]).prop_map(str::to_owned),
        1 => prop::sample::select(vec![
            "\u{1b}[31m", "\u{1b}[2J", "\u{1b}]0;t\u{7}", "\u{1b}]8;;http://e\u{1b}\\", "\u{9b}1m", "\r",
            "\r\n", "\0", "\u{7}", "\u{202e}", "\u{200b}", "\u{200d}", "\u{301}", "\u{fe0f}", "\u{feff}",
            "日本語", "👩‍👩‍👧", "🇩🇪", "é", "ﾊﾞ", "\u{1b}", "\u{1b}[", "\u{2028}", "ก็", "நி", "لا", "\u{ad}",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(|c| c.to_string()),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// No line is wider than asked for, and nothing in it can drive a terminal.
pub(crate) fn check_lines(lines: &[Line<'_>], width: usize) {
    for line in lines {
        assert!(
            spans_width(&line.spans) <= width,
            "{} cells at {width}: {line:?}",
            spans_width(&line.spans)
        );
        for span in &line.spans {
            assert!(!span.content.contains(char::is_control), "{span:?}");
            assert!(!span.content.contains(['\u{202e}', '\u{2028}']), "{span:?}");
        }
    }
}

fn visible(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn wrapped_text_fits_and_nothing_is_lost(text in nasty(), width in 1_usize..60) {
        let plain = safe::plain_line(&text).into_owned();
        let lines = wrapped(&Line::from(plain.as_str()), width, &Indent::default());
        check_lines(&lines, width);
        let widest = plain.chars().map(|c| cells::width(&c.to_string())).max().unwrap_or(0);
        if widest.max(4) <= width {
            let joined: String = lines.iter().map(Line::to_string).collect();
            // A cluster may be wider than the line, whatever its characters are.
            if !joined.contains('\u{fffd}') {
                prop_assert_eq!(visible(&joined), visible(&plain));
            }
        }
    }

    #[test]
    fn markdown_fits(text in nasty(), width in 1_usize..80) {
        let mut markdown = Markdown::whole(Role::Assistant, &text);
        check_lines(markdown.lines(&show::canvas(), width), width);
    }

    #[test]
    fn coloured_text_is_safe(text in nasty()) {
        for line in safe::coloured(&text, Style::new(), Depth::Rgb) {
            check_lines(&[line], usize::MAX);
        }
    }

    #[test]
    fn safe_text_stays_as_it_is(text in nasty()) {
        let once = safe::plain(&text).into_owned();
        prop_assert_eq!(safe::plain(&once), once.as_str());
    }

    #[test]
    fn diffs_fit(old in nasty(), new in nasty(), width in 1_usize..80, most in proptest::option::of(1_usize..20)) {
        let canvas = show::canvas();
        let diff = Diff::between("a.rs", &old, &new);
        let lines = diff.lines(&canvas, width, most, Some("ctrl+o"));
        check_lines(&lines, width);
        // One more says how much is missing.
        prop_assert!(most.is_none_or(|most| lines.len() <= most + 1));
        let unified = format!("--- a\n+++ b\n@@ -1,9 +1,9 @@\n{new}\n@@ -99,5 +{},5 @@\n{old}", usize::MAX);
        if let Some(diff) = Diff::parse(&unified) {
            check_lines(&diff.lines(&canvas, width, most, None), width);
        }
    }

    #[test]
    fn calls_fit(name in "\\PC{0,9}", args in nasty(), text in nasty(), width in 1_usize..80, is_open: bool) {
        for state in [State::Written, State::Running, State::Settled(zeug_transcript::Status::Completed)] {
            let mut call = Call::new(name.clone(), args.clone());
            call.state = state;
            call.output = text.clone();
            call.progress = text.clone();
            call.key = Some("ctrl+o".to_owned());
            call.elapsed = Some(std::time::Duration::from_secs(75));
            call.fold = Fold { is_open, ..Fold::default() };
            check_lines(&call.lines(&show::canvas(), width), width);
        }
    }

    #[test]
    fn entries_fit(text in nasty(), width in 1_usize..80) {
        let canvas: Canvas = show::canvas();
        let note = zeug_paint::Note {
            level: zeug_rpc_protocol::NoteLevel::Warn,
            owner: Some(text.clone()),
            text: text.clone(),
        };
        let mut thinking = Entry::thinking();
        if let Some(markdown) = thinking.markdown_mut() {
            markdown.push(&text);
        }
        let mut open = thinking.clone();
        open.set_open(true);
        for mut entry in [Entry::user(&text), Entry::note(note), thinking, open] {
            check_lines(entry.lines(&canvas, width), width);
        }
    }
}

#[test]
fn a_rule_in_a_quote_fits_every_width() {
    for width in 1..12 {
        let mut markdown = Markdown::whole(Role::Assistant, "> ---\n\n- > ***\n");
        check_lines(markdown.lines(&show::canvas(), width), width);
    }
}
