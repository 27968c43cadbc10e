//! A diff as lines: number, sign, text in the colours of its language.

use std::ops::Range;

use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};

use super::{Diff, File, Hunk, Kind, Row};
use crate::canvas::Canvas;
use crate::code::{Painter, Part};
use crate::theme::Role;
use crate::wrap::{Breaks, Indent, cut, wrap};

/// Lines that are the same are folded when more than this are in a row.
const MAX_SAME: usize = 8;
/// How many of them stay on both sides of a fold.
const KEPT_SAME: usize = 3;
/// Code past this stays plain, on each side of each hunk: colours of more would halt the screen.
const MAX_CODE_BYTES: usize = 4 * 1024;
/// Room for text below which numbers are left out.
const MIN_TEXT_CELLS: usize = 16;

impl Diff {
    /// The lines at a width, at most so many; `key` opens the rest.
    #[must_use]
    pub fn lines(
        &self,
        canvas: &Canvas,
        width: usize,
        most: Option<usize>,
        key: Option<&str>,
    ) -> Vec<Line<'static>> {
        let mut painting = Painting {
            canvas,
            width: width.max(1),
            most: most.unwrap_or(usize::MAX).max(1),
            digits: self.digits(width),
            lines: Vec::new(),
            left_out: 0,
        };
        for file in &self.files {
            painting.file(file);
        }
        painting.rest(self.rest.as_deref(), key);
        painting.lines
    }

    /// The cells that numbers take; none when there is no room.
    fn digits(&self, width: usize) -> usize {
        let hunks = self.files.iter().flat_map(|file| &file.hunks);
        let largest = hunks
            .flat_map(|hunk| &hunk.rows)
            .map(|row| row.number)
            .max();
        let digits = largest.unwrap_or(0).to_string().len();
        if digits + 1 + MIN_TEXT_CELLS > width {
            0
        } else {
            digits
        }
    }
}

struct Painting<'a> {
    canvas: &'a Canvas,
    width: usize,
    most: usize,
    digits: usize,
    lines: Vec<Line<'static>>,
    /// Rows that did not fit.
    left_out: usize,
}

impl Painting<'_> {
    fn is_full(&self) -> bool {
        self.lines.len() >= self.most
    }

    fn file(&mut self, file: &File) {
        if !file.name.is_empty() {
            let count = |kind| {
                let rows = file.hunks.iter().flat_map(|hunk| &hunk.rows);
                rows.filter(|row| row.kind == kind).count()
            };
            let line = Line::from(vec![
                self.canvas.span(Role::DiffFile, file.name.clone()),
                self.canvas
                    .span(Role::Success, format!(" +{}", count(Kind::Added))),
                self.canvas
                    .span(Role::Error, format!(" -{}", count(Kind::Removed))),
            ]);
            self.push(cut(&line, self.width, self.canvas.symbols().ellipsis));
        }
        for (at, hunk) in file.hunks.iter().enumerate() {
            if hunk.skipped > 0 && at > 0 {
                self.fold(hunk.skipped);
            }
            self.hunk(file, hunk);
        }
    }

    fn push(&mut self, line: Line<'static>) {
        if !self.is_full() {
            self.lines.push(line);
        }
    }

    /// `⋯ 12 lines`
    fn fold(&mut self, lines: usize) {
        let s = if lines == 1 { "" } else { "s" };
        let ellipsis = self.canvas.symbols().ellipsis;
        let gutter = " ".repeat(self.digits + usize::from(self.digits > 0));
        let text = format!("{gutter}{ellipsis} {lines} line{s}");
        let line = Line::from(self.canvas.span(Role::DiffFold, text));
        self.push(cut(&line, self.width, ellipsis));
    }

    fn hunk(&mut self, file: &File, hunk: &Hunk) {
        let language = file.name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let mut sides = Sides {
            old: Painter::up_to(MAX_CODE_BYTES, self.canvas.code, language),
            new: Painter::up_to(MAX_CODE_BYTES, self.canvas.code, language),
        };
        let folded = folds(&hunk.rows);
        let mut folded = folded.iter().peekable();
        for (at, row) in hunk.rows.iter().enumerate() {
            if self.is_full() {
                self.left_out += 1;
                continue;
            }
            // Folded lines are read, too: a comment may begin in them.
            let parts = sides.parts(row);
            while folded.next_if(|fold| fold.end <= at).is_some() {}
            match folded.peek() {
                Some(fold) if fold.start == at => self.fold(fold.len()),
                Some(fold) if fold.contains(&at) => {}
                _ => self.row(row, &parts),
            }
        }
    }

    fn row(&mut self, row: &Row, parts: &[Part]) {
        let canvas = self.canvas;
        let (sign, role, part_role) = match row.kind {
            Kind::Same => (" ", Role::DiffContext, Role::DiffContext),
            Kind::Added => ("+", Role::DiffAdded, Role::DiffAddedPart),
            Kind::Removed => ("-", Role::DiffRemoved, Role::DiffRemovedPart),
        };
        let style = canvas.style(role);
        let number_style = style.patch(canvas.style(Role::LineNumber));
        let number = |text: String| Span::styled(text, number_style);
        let mut indent = Indent::default();
        if self.digits > 0 {
            let digits = self.digits;
            indent
                .first
                .push(number(format!("{:>digits$} ", row.number)));
            indent.rest.push(number(" ".repeat(digits + 1)));
        }
        indent.first.push(Span::styled(format!("{sign} "), style));
        indent.rest.push(Span::styled("  ", style));
        let marked = canvas.style(part_role);
        let spans = spans(canvas, &row.text, style, parts, marked, &row.parts);
        let first = self.lines.len();
        wrap(
            &spans,
            self.width,
            &indent,
            Breaks::Anywhere,
            &mut self.lines,
        );
        for line in &mut self.lines[first..] {
            line.style = style;
        }
        self.lines.truncate(self.most);
    }

    fn rest(&mut self, rest: Option<&str>, key: Option<&str>) {
        let canvas = self.canvas;
        let ellipsis = canvas.symbols().ellipsis;
        if self.left_out > 0 {
            let s = if self.left_out == 1 { "" } else { "s" };
            let text = format!("{ellipsis} {} more line{s}", self.left_out);
            let mut spans = vec![canvas.span(Role::Dim, text)];
            if let Some(key) = key {
                spans.push(canvas.span(Role::Dim, ", "));
                spans.push(canvas.span(Role::Key, key.to_owned()));
                spans.push(canvas.span(Role::Dim, " to open"));
            }
            self.lines
                .push(cut(&Line::from(spans), self.width, ellipsis));
        } else if let Some(rest) = rest {
            let line = Line::from(canvas.span(Role::Dim, rest.to_owned()));
            self.lines.push(cut(&line, self.width, ellipsis));
        }
    }
}

/// The languages of both sides, each read in its own order.
struct Sides {
    old: Painter,
    new: Painter,
}

impl Sides {
    fn parts(&mut self, row: &Row) -> Vec<Part> {
        match row.kind {
            Kind::Removed => self.old.line(&row.text),
            Kind::Added => self.new.line(&row.text),
            Kind::Same => {
                self.old.line(&row.text);
                self.new.line(&row.text)
            }
        }
    }
}

/// The runs of lines that are the same and too long to be shown.
fn folds(rows: &[Row]) -> Vec<Range<usize>> {
    let mut folds = Vec::new();
    let mut start = 0;
    for at in 0..=rows.len() {
        if rows.get(at).is_some_and(|row| row.kind == Kind::Same) {
            continue;
        }
        if at - start > MAX_SAME {
            // At an end of the hunk there is nothing beyond to lead to.
            let from = if start == 0 { 0 } else { start + KEPT_SAME };
            let to = if at == rows.len() { at } else { at - KEPT_SAME };
            folds.push(from..to);
        }
        start = at + 1;
    }
    folds
}

/// The text in the colours of its parts, with what differs marked.
fn spans(
    canvas: &Canvas,
    text: &str,
    base: Style,
    parts: &[Part],
    marked: Style,
    marks: &[Range<usize>],
) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    let mut marks = marks.iter().peekable();
    for (range, token) in parts {
        let style = token.map_or(base, |token| base.patch(canvas.theme.code(token)));
        let mut at = range.start;
        while at < range.end {
            while marks.next_if(|mark| mark.end <= at).is_some() {}
            let (end, is_marked) = match marks.peek() {
                Some(mark) if mark.start <= at => (mark.end, true),
                Some(mark) => (mark.start, false),
                None => (range.end, false),
            };
            let end = end.min(range.end);
            let style = if is_marked {
                style.patch(marked)
            } else {
                style
            };
            let piece = text.get(at..end).unwrap_or_default();
            spans.push(Span::styled(piece.to_owned(), style));
            at = end;
        }
    }
    spans
}
