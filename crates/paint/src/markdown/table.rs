//! Tables: columns as wide as the room allows, cells wrapped, records where it is too narrow.

use pulldown_cmark::Alignment;
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};

use super::layout::Layout;
use super::model::{Table, Text};
use crate::cells;
use crate::theme::Role;
use crate::wrap::{Breaks, Indent, spans_width, wrap};

/// A column narrower than this cannot be read; then rows become records.
const MIN_COLUMN: usize = 4;
/// More columns than this are never drawn beside each other.
const MAX_COLUMNS: usize = 32;
/// Between two columns: a space, a line, a space.
const BETWEEN: usize = 3;

pub(super) fn paint(layout: &mut Layout<'_>, table: &Table, indent: &Indent) {
    let room = layout.width.saturating_sub(indent.width());
    match widths(table, room) {
        Some(widths) => Grid {
            layout,
            table,
            widths,
        }
        .paint(indent),
        None => records(layout, table, indent),
    }
}

/// The cells of each column, or `None` when they do not fit in a way that can be read.
fn widths(table: &Table, room: usize) -> Option<Vec<usize>> {
    let columns = table.head.len();
    if columns == 0 || columns > MAX_COLUMNS {
        return None;
    }
    let room = room.checked_sub(BETWEEN * (columns - 1))?;
    let mut wanted = vec![1; columns];
    let rows = std::iter::once(&table.head).chain(&table.rows);
    for row in rows {
        for (wanted, cell) in wanted.iter_mut().zip(row) {
            *wanted = (*wanted).max(text_width(cell));
        }
    }
    if wanted.iter().sum::<usize>() <= room {
        return Some(wanted);
    }
    share(&wanted, room)
}

/// Columns below an equal share keep what they want, the others share the rest.
fn share(wanted: &[usize], room: usize) -> Option<Vec<usize>> {
    let mut widths = vec![0; wanted.len()];
    let (mut left, mut open) = (room, wanted.len());
    let mut by_want: Vec<usize> = (0..wanted.len()).collect();
    by_want.sort_by_key(|at| wanted[*at]);
    for at in by_want {
        let share = left / open;
        let width = wanted[at].min(share);
        if width < wanted[at].min(MIN_COLUMN) {
            return None;
        }
        widths[at] = width;
        left -= width;
        open -= 1;
    }
    Some(widths)
}

fn text_width(text: &Text) -> usize {
    let line = |runs: &Vec<super::model::Run>| {
        runs.iter()
            .map(|run| cells::width(&run.text))
            .sum::<usize>()
    };
    text.lines.iter().map(line).max().unwrap_or(0)
}

struct Grid<'a, 'b> {
    layout: &'a mut Layout<'b>,
    table: &'a Table,
    widths: Vec<usize>,
}

impl Grid<'_, '_> {
    fn paint(&mut self, indent: &Indent) {
        let canvas = self.layout.canvas;
        let head = self.layout.base.patch(canvas.style(Role::TableHead));
        let (base, table) = (self.layout.base, self.table);
        self.row(&table.head, head, indent);
        let indent = indent.following();
        self.rule(&indent);
        let rows: Vec<Vec<Vec<Line<'static>>>> =
            table.rows.iter().map(|row| self.cells(row, base)).collect();
        // Rows of several lines are hard to tell apart without a line between them.
        let is_tall = rows.iter().flatten().any(|cell| cell.len() > 1);
        for (at, row) in rows.iter().enumerate() {
            if is_tall && at > 0 {
                self.rule(&indent);
            }
            self.lines(row, &indent);
        }
    }

    fn row(&mut self, row: &[Text], style: Style, indent: &Indent) {
        let cells = self.cells(row, style);
        self.lines(&cells, indent);
    }

    /// The wrapped lines of each cell.
    fn cells(&self, row: &[Text], style: Style) -> Vec<Vec<Line<'static>>> {
        let empty = Text::default();
        let cell = |(at, width): (usize, &usize)| {
            let text = row.get(at).unwrap_or(&empty);
            let mut lines = Vec::new();
            for line in &text.lines {
                let spans = self.layout.spans(line, style);
                wrap(
                    &spans,
                    *width,
                    &Indent::default(),
                    Breaks::Words,
                    &mut lines,
                );
            }
            lines
        };
        self.widths.iter().enumerate().map(cell).collect()
    }

    fn lines(&mut self, cells: &[Vec<Line<'static>>], indent: &Indent) {
        let canvas = self.layout.canvas;
        let bar = format!(" {} ", canvas.symbols().vertical);
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let mut prefix = &indent.first;
        for at in 0..height {
            let mut line = prefix.clone();
            for (column, width) in self.widths.iter().enumerate() {
                if column > 0 {
                    line.push(canvas.span(Role::Border, bar.clone()));
                }
                let text = cells.get(column).and_then(|lines| lines.get(at));
                let spans = text.map_or(&[][..], |line| &line.spans);
                let is_last = column + 1 == self.widths.len();
                self.align(column, spans, *width, is_last, &mut line);
            }
            self.layout.lines.push(Line::from(line));
            prefix = &indent.rest;
        }
    }

    fn align(
        &self,
        column: usize,
        spans: &[Span<'static>],
        width: usize,
        is_last: bool,
        line: &mut Vec<Span<'static>>,
    ) {
        let free = width.saturating_sub(spans_width(spans));
        let before = match self.table.align.get(column) {
            Some(Alignment::Right) => free,
            Some(Alignment::Center) => free / 2,
            _ => 0,
        };
        let mut pad = |count: usize| {
            if count > 0 {
                line.push(Span::raw(" ".repeat(count)));
            }
        };
        pad(before);
        line.extend_from_slice(spans);
        if !is_last && free > before {
            line.push(Span::raw(" ".repeat(free - before)));
        }
    }

    fn rule(&mut self, indent: &Indent) {
        let symbols = self.layout.canvas.symbols();
        let (line, cross) = (symbols.horizontal, symbols.cross);
        let parts = self.widths.iter().map(|width| line.repeat(*width));
        let rule = parts
            .collect::<Vec<_>>()
            .join(&format!("{line}{cross}{line}"));
        let mut spans = indent.first.clone();
        spans.push(self.layout.canvas.span(Role::Border, rule));
        self.layout.lines.push(Line::from(spans));
    }
}

/// Each row as lines `head: cell`, with an empty line between rows.
fn records(layout: &mut Layout<'_>, table: &Table, indent: &Indent) {
    let head_style = layout.base.patch(layout.canvas.style(Role::TableHead));
    let mut indent = indent.clone();
    if table.rows.is_empty() {
        for cell in table.head.iter().take(MAX_COLUMNS) {
            let spans = layout.spans(&flat(cell), head_style);
            layout.wrap(&spans, &indent, Breaks::Words);
            indent = indent.following();
        }
    }
    let hanging = Indent {
        first: Vec::new(),
        rest: vec![Span::raw("  ")],
    };
    for (at, row) in table.rows.iter().enumerate() {
        if at > 0 {
            layout.wrap(&[], &indent.following(), Breaks::Words);
        }
        for (head, cell) in table.head.iter().zip(row).take(MAX_COLUMNS) {
            let mut spans = layout.spans(&flat(head), head_style);
            if !spans.is_empty() {
                spans.push(Span::styled(": ", head_style));
            }
            spans.extend(layout.spans(&flat(cell), layout.base));
            let around = layout.deeper(&indent, &hanging);
            layout.wrap(&spans, &around, Breaks::Words);
            indent = indent.following();
        }
    }
}

fn flat(text: &Text) -> Vec<super::model::Run> {
    let mut flat = Text::default();
    for (at, line) in text.lines.iter().enumerate() {
        if at > 0 {
            flat.push(" ", super::model::Mark::default());
        }
        for run in line {
            flat.push(&run.text, run.mark);
        }
    }
    flat.lines.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_columns_share_what_narrow_ones_leave() {
        let check = |wanted: &[usize], room: usize, expect: Option<&[usize]>| {
            assert_eq!(
                share(wanted, room).as_deref(),
                expect,
                "{wanted:?} in {room}"
            );
        };
        check(&[3, 40, 40], 43, Some(&[3, 20, 20]));
        check(&[3, 10, 100], 43, Some(&[3, 10, 30]));
        check(&[50, 50], 7, None);
        check(&[2, 50], 8, Some(&[2, 6]));
    }
}
