//! Output of a tool: its first and last lines, and how much lies between.

use ratatui_core::text::{Line, Span};

use super::summary::bytes;
use crate::canvas::Canvas;
use crate::safe;
use crate::theme::Role;
use crate::wrap::{Breaks, Indent, cut, wrap};

/// Unfolded output ends after so many lines of the screen; what a tool gives to a model is less.
const MAX_OPEN_LINES: usize = 10_000;
/// Of a line that will be cut, so many bytes are looked at.
const MAX_CUT_BYTES: usize = 4096;

/// How much of an output is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// Lines from the beginning.
    pub head: usize,
    /// Lines from the end.
    pub tail: usize,
    /// Everything instead, with long lines wrapped.
    pub is_open: bool,
}

impl Default for Fold {
    fn default() -> Self {
        Self {
            head: 4,
            tail: 4,
            is_open: false,
        }
    }
}

/// Paints an output; `key` opens or closes it, if there is one.
///
/// Colours that it brings stay. A line that was written over (with a carriage return) shows its
/// last form.
#[must_use]
pub fn output(
    canvas: &Canvas,
    width: usize,
    text: &str,
    fold: Fold,
    key: Option<&str>,
) -> Vec<Line<'static>> {
    let text = text.trim_end_matches(['\n', '\r', ' ']);
    if text.is_empty() {
        return Vec::new();
    }
    if fold.is_open {
        return open(canvas, width, text, key);
    }
    let all: Vec<&str> = text.lines().map(last_form).collect();
    // A note about one line is as long as that line.
    let is_long = all.len() > fold.head + fold.tail + 1;
    let (head, tail) = if is_long {
        (&all[..fold.head], &all[all.len() - fold.tail..])
    } else {
        (&all[..], &[][..])
    };
    let mut painted = Cut {
        canvas,
        width,
        is_cut: false,
    };
    let mut lines = painted.lines(head);
    let last = painted.lines(tail);
    if is_long || painted.is_cut {
        let hidden = if is_long {
            all.len() - fold.head - fold.tail
        } else {
            0
        };
        lines.push(note(canvas, width, hidden, all.len(), text.len(), key));
    }
    lines.extend(last);
    lines
}

struct Cut<'a> {
    canvas: &'a Canvas,
    width: usize,
    is_cut: bool,
}

impl Cut<'_> {
    fn lines(&mut self, lines: &[&str]) -> Vec<Line<'static>> {
        let style = self.canvas.style(Role::ToolOutput);
        let short = lines
            .iter()
            .map(|line| zeug_stdx::text::prefix(line, MAX_CUT_BYTES));
        let text = short.collect::<Vec<_>>().join("\n");
        let ellipsis = self.canvas.symbols().ellipsis;
        let coloured = safe::coloured(&text, style, self.canvas.theme.depth);
        let mut all: Vec<Line<'static>> = Vec::with_capacity(lines.len());
        for line in &coloured {
            let shown = cut(line, self.width, ellipsis);
            self.is_cut |= shown.spans != line.spans;
            all.push(shown);
        }
        // An empty last line is no line for `lines()`.
        all.resize_with(lines.len(), Line::default);
        all
    }
}

fn open(canvas: &Canvas, width: usize, text: &str, key: Option<&str>) -> Vec<Line<'static>> {
    let style = canvas.style(Role::ToolOutput);
    let wrapped = canvas.span(Role::Border, format!("{} ", canvas.symbols().wrapped));
    let indent = Indent {
        first: Vec::new(),
        rest: vec![wrapped],
    };
    let shown: Vec<&str> = text.lines().map(last_form).collect();
    let mut lines = Vec::new();
    for line in safe::coloured(&shown.join("\n"), style, canvas.theme.depth) {
        if lines.len() >= MAX_OPEN_LINES {
            lines.push(Line::from(
                canvas.span(Role::Dim, canvas.symbols().ellipsis),
            ));
            break;
        }
        wrap(&line.spans, width, &indent, Breaks::Anywhere, &mut lines);
    }
    if let Some(key) = key {
        let hint = Line::from(vec![
            canvas.span(Role::Key, key.to_owned()),
            canvas.span(Role::Dim, " to fold"),
        ]);
        lines.push(cut(&hint, width, canvas.symbols().ellipsis));
    }
    lines
}

/// `… 120 lines, 4.5 KiB, ctrl+o to open`
fn note(
    canvas: &Canvas,
    width: usize,
    hidden: usize,
    all: usize,
    size: usize,
    key: Option<&str>,
) -> Line<'static> {
    let ellipsis = canvas.symbols().ellipsis;
    let count = if hidden > 0 { hidden } else { all };
    let s = if count == 1 { "" } else { "s" };
    let more = if hidden > 0 { " more" } else { "" };
    let mut spans: Vec<Span<'static>> = vec![canvas.span(
        Role::Dim,
        format!("{ellipsis} {count}{more} line{s}, {}", bytes(size)),
    )];
    if let Some(key) = key {
        spans.push(canvas.span(Role::Dim, ", "));
        spans.push(canvas.span(Role::Key, key.to_owned()));
        spans.push(canvas.span(Role::Dim, " to open"));
    }
    cut(&Line::from(spans), width, ellipsis)
}

/// What is left of a line after all carriage returns in it.
fn last_form(line: &str) -> &str {
    let line = line.trim_end_matches('\r');
    line.rsplit('\r').next().unwrap_or(line)
}
