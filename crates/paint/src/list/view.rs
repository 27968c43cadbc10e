//! The lines that are seen, with selection and search shown in them.

use std::ops::Range;

use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};

use super::{Extent, Item, List, Place};
use crate::theme::Role;

/// Entries so far from the view keep their painted lines, so that scrolling back is cheap.
const KEPT_ENTRIES: usize = 64;

/// Code that is coloured in one frame, at some microseconds a byte; the rest follows in the next
/// ones.
const COLOURED_BYTES: usize = 2 * 1024;

/// What a line of the view belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The entry.
    pub entry: usize,
    /// The line within it; `None` for the gap behind it.
    pub line: Option<usize>,
}

/// What is seen.
#[derive(Debug, Clone)]
pub struct View {
    /// The lines, from the top; fewer than there is room for when the list is short.
    pub lines: Vec<Line<'static>>,
    /// Of each line, what it belongs to: for a click.
    pub rows: Vec<Row>,
    /// For a scroll bar.
    pub extent: Extent,
    /// Whether there is nothing below.
    pub is_at_end: bool,
    /// Whether something seen is not yet as it will be (long code still gets its colours): ask
    /// for another view soon, though nothing happened.
    pub is_behind: bool,
}

impl<I: Item> List<I> {
    /// The lines that are seen now.
    pub fn view(&mut self) -> View {
        self.canvas.allowance.set(COLOURED_BYTES);
        let top = self.top();
        let selected = self.selected_lines();
        let mut lines = Vec::with_capacity(self.height);
        let mut rows = Vec::with_capacity(self.height);
        let mut from = top.line;
        let mut entry = top.entry;
        let mut is_behind = false;
        while lines.len() < self.height && entry < self.slots.len() {
            let span = self.span(entry);
            self.copy(entry, from..span, &selected, &mut lines, &mut rows);
            is_behind |= self.slots[entry].item.is_behind();
            entry += 1;
            from = 0;
        }
        self.forget(top.entry, entry);
        View {
            extent: self.extent(top, lines.len()),
            is_at_end: top == self.end_top(),
            is_behind,
            lines,
            rows,
        }
    }

    fn copy(
        &mut self,
        entry: usize,
        lines: Range<usize>,
        selected: &Option<(usize, Range<usize>)>,
        into: &mut Vec<Line<'static>>,
        rows: &mut Vec<Row>,
    ) {
        let room = self.height - into.len();
        let first = into.len();
        let painted = self.paint(entry);
        let end = lines.end.min(lines.start.saturating_add(room));
        for at in lines.start..end {
            let line = painted.get(at);
            rows.push(Row {
                entry,
                line: line.map(|_| at),
            });
            into.push(line.cloned().unwrap_or_default());
        }
        let Some(copied) = into.get_mut(first..) else {
            return;
        };
        self.mark_hits(
            Place {
                entry,
                line: lines.start,
            },
            copied,
        );
        if let Some((of, selected)) = selected
            && *of == entry
        {
            let style = self.canvas.style(Role::Selection);
            for (line, at) in copied.iter_mut().zip(lines.start..) {
                if selected.contains(&at) {
                    line.style = line.style.patch(style);
                    // What has a background of its own must show the selection, too.
                    for span in &mut line.spans {
                        span.style = span.style.patch(style);
                    }
                }
            }
        }
    }

    fn mark_hits(&self, first: Place, lines: &mut [Line<'static>]) {
        let Some(needle) = &self.needle else {
            return;
        };
        let found = self.canvas.style(Role::SearchHit);
        let current = self.canvas.style(Role::SearchCurrent);
        for (line, at) in lines.iter_mut().zip(first.line..) {
            for range in needle.ranges(&line.to_string()) {
                let is_current = self.hit.as_ref().is_some_and(|hit| {
                    hit.entry == first.entry && hit.line == at && hit.range == range
                });
                patch(line, &range, if is_current { current } else { found });
            }
        }
    }

    /// Lets entries far from the view drop their lines.
    fn forget(&mut self, first: usize, last: usize) {
        let kept = first.saturating_sub(KEPT_ENTRIES)..last + KEPT_ENTRIES;
        let far: Vec<usize> = self
            .painted
            .iter()
            .copied()
            .filter(|at| !kept.contains(at))
            .collect();
        for at in far {
            self.painted.remove(&at);
            if let Some(slot) = self.slots.get_mut(at) {
                slot.item.forget();
            }
        }
    }
}

/// Puts a style on top of some bytes of a line.
fn patch(line: &mut Line<'static>, range: &Range<usize>, style: Style) {
    let mut spans = Vec::with_capacity(line.spans.len() + 2);
    let mut at = 0;
    for span in line.spans.drain(..) {
        let end = at + span.content.len();
        let from = range.start.clamp(at, end) - at;
        let to = range.end.clamp(at, end) - at;
        at = end;
        if from == to {
            spans.push(span);
            continue;
        }
        let (before, rest) = span.content.split_at(from);
        let (within, after) = rest.split_at(to - from);
        for (text, style) in [
            (before, span.style),
            (within, span.style.patch(style)),
            (after, span.style),
        ] {
            if !text.is_empty() {
                spans.push(Span::styled(text.to_owned(), style));
            }
        }
    }
    line.spans = spans;
}
