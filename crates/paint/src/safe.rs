//! Text of a model, a tool or an extension, made safe for a terminal.
//!
//! Two ways: [`plain`] for text without any colour, [`coloured`] for text that may bring its own.
//! Nothing else of this crate lets an escape through. What an escape is, `zeug_stdx::text` knows.

use std::borrow::Cow;

use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};
use unicode_width::UnicodeWidthChar as _;
use zeug_stdx::text;

use crate::sgr;
use crate::theme::Depth;

/// The most marks on one character: no script needs more, and stacked ones paint over lines.
const MAX_MARKS: usize = 10;
/// The most joiners in a row of joined characters: the longest emoji has three.
const MAX_JOINERS: usize = 6;
/// The most bytes of one coloured text; the rest is left out.
pub const MAX_COLOURED_BYTES: usize = 1024 * 1024;

/// `text` without escapes and control characters, with line feeds and with spaces for tabs.
///
/// Beyond what `zeug_stdx::text::plain` takes out: towers of marks, endless rows of joined
/// characters, and separators that some terminals take for line ends.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(calm(&text::plain(text)))
}

/// [`plain`] on one line, with spaces for line feeds.
#[must_use]
pub fn plain_line(text: &str) -> Cow<'_, str> {
    match plain(text) {
        Cow::Borrowed(text) if !text.contains('\n') => Cow::Borrowed(text),
        text => Cow::Owned(text.trim_end_matches('\n').replace('\n', " ")),
    }
}

/// The lines of `text`, safe and with the colours that its SGR sequences give it on top of `base`.
///
/// Colours run on over line ends, as in a terminal. Whatever else an escape could do is taken
/// out. Blinking and hiding are no colours.
///
/// # Limits
/// [`MAX_COLOURED_BYTES`]; past it comes a last line `…`.
#[must_use]
pub fn coloured(text: &str, base: Style, depth: Depth) -> Vec<Line<'static>> {
    let kept = text::prefix(text, MAX_COLOURED_BYTES);
    let mut pen = sgr::Pen::new(base, depth);
    let mut lines: Vec<Line<'static>> = kept.lines().map(|line| pen.line(line)).collect();
    if kept.len() < text.len() {
        lines.push(Line::from(Span::styled("…", base)));
    }
    lines
}

/// Whether there is nothing to take out; most text is like that.
fn is_plain(text: &str) -> bool {
    text.bytes()
        .all(|byte| matches!(byte, b' '..=b'~' | b'\n'))
        || text
            .chars()
            .all(|c| matches!(c, ' '..='~' | '\n' | '\u{a1}'..='\u{2ff}' | '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{3029}' | '\u{3040}'..='\u{3096}' | '\u{30a0}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'))
}

/// Without towers of marks and endless joined rows.
pub(crate) fn calm(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut marks, mut joiners) = (0, 0);
    let mut after_joiner = false;
    for c in text.chars() {
        match c {
            '\u{2028}' | '\u{2029}' => {
                out.push('\n');
                continue;
            }
            '\u{200d}' => {
                joiners += 1;
                after_joiner = true;
                if joiners <= MAX_JOINERS {
                    out.push(c);
                }
                continue;
            }
            _ => {}
        }
        if c != '\n' && c.width() == Some(0) {
            marks += 1;
            if marks <= MAX_MARKS {
                out.push(c);
            }
            continue;
        }
        if !after_joiner {
            joiners = 0;
        }
        after_joiner = false;
        marks = 0;
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_drives_a_terminal_is_left() {
        let check = |input: &str, expect: &str| assert_eq!(plain(input), expect, "{input:?}");
        check("plain", "plain");
        check("\u{1b}[2Jx\u{1b}]52;c;aGk=\u{7}y", "xy");
        check("a\tb", "a    b");
        check("a\u{2028}b", "a\nb");
        check("\u{202e}evil", "evil");
        check("naïve 日本 👍🏽", "naïve 日本 👍🏽");
        check("👩‍👩‍👧", "👩‍👩‍👧");
        assert_eq!(plain_line("a\r\nb\n"), "a b");
    }

    #[test]
    fn towers_and_endless_rows_are_cut() {
        let tower = format!("a{}b", "\u{301}".repeat(5000));
        assert_eq!(plain(&tower), format!("a{}b", "\u{301}".repeat(MAX_MARKS)));
        let row = "👩\u{200d}".repeat(100);
        assert_eq!(plain(&row).matches('\u{200d}').count(), MAX_JOINERS);
        let two = "👩‍👩‍👧 👩‍👩‍👧 ".repeat(20);
        assert_eq!(plain(&two), two);
    }

    #[test]
    fn a_long_coloured_text_ends_with_a_mark() {
        let long = "x".repeat(MAX_COLOURED_BYTES + 1);
        let lines = coloured(&long, Style::new(), Depth::Rgb);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1].to_string(), "…");
    }
}
