//! What can be done to a list, as values.

use ratatui_core::text::Line;

use super::{Anchor, Item, List, Place};

/// Something to do. Counts below zero go up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// The room is now so many cells wide and lines high. What is read stays in view.
    Resize(usize, usize),
    /// Scroll by lines.
    Lines(isize),
    /// Scroll by pages, which overlap by a line.
    Pages(isize),
    /// Scroll by half pages.
    HalfPages(isize),
    /// Scroll to the beginning of entries before or behind.
    Entries(isize),
    /// Scroll to the first line.
    First,
    /// Scroll to the end and follow it.
    Last,
    /// Scroll so that an entry is on top.
    To(usize),
    /// Scroll to a part of the whole: `Share(1, 4)` is a quarter of the way.
    Share(usize, usize),
    /// Select an entry before or behind the selected one, or the last that is seen.
    SelectEntries(isize),
    /// Select a block before or behind the selected one, across entries.
    SelectBlocks(isize),
    /// Select this entry.
    Select(usize),
    /// Select nothing.
    Deselect,
    /// Look for a text and go to where it is, nearest to the end of the view. Without text, stop.
    Find(String),
    /// Go to the next place where it is, from the last on to the first.
    FindNext,
    /// Go to the place before.
    FindPrevious,
}

impl<I: Item> List<I> {
    /// Does something; afterwards [`List::view`] shows it.
    pub fn apply(&mut self, op: Op) {
        match op {
            Op::Resize(width, height) => self.resize(width.max(1), height.max(1)),
            Op::Lines(count) => self.scroll(count),
            Op::Pages(count) => {
                let page = self.height.saturating_sub(1).max(1).cast_signed();
                self.scroll(page.saturating_mul(count));
            }
            Op::HalfPages(count) => {
                let half = (self.height / 2).max(1).cast_signed();
                self.scroll(half.saturating_mul(count));
            }
            Op::Entries(count) => self.scroll_entries(count),
            Op::First => self.go(Place { entry: 0, line: 0 }),
            Op::Last => {
                self.anchor = Anchor::End;
                self.mark = None;
            }
            Op::To(entry) => self.go(Place { entry, line: 0 }),
            Op::Share(part, whole) => self.scroll_to_share(part, whole),
            Op::SelectEntries(count) => self.select_entries(count),
            Op::SelectBlocks(count) => self.select_blocks(count),
            Op::Select(entry) => self.select(entry),
            Op::Deselect => self.selection = None,
            Op::Find(text) => self.find(&text),
            Op::FindNext => self.find_on(true),
            Op::FindPrevious => self.find_on(false),
        }
    }

    fn scroll(&mut self, count: isize) {
        let top = self.top();
        let lines = count.unsigned_abs();
        let place = if count < 0 {
            self.up(top, lines)
        } else {
            self.down(top, lines)
        };
        self.go(place);
    }

    fn scroll_entries(&mut self, count: isize) {
        let top = self.top();
        let mut entry = top.entry;
        if count < 0 {
            // From within an entry, its own beginning comes first.
            let steps = count.unsigned_abs() - usize::from(top.line > 0);
            entry = entry.saturating_sub(steps);
        } else {
            entry = entry.saturating_add(count.unsigned_abs());
        }
        if entry >= self.slots.len() {
            return self.apply(Op::Last);
        }
        self.go(Place { entry, line: 0 });
    }

    fn resize(&mut self, width: usize, height: usize) {
        if width != self.width {
            let mark = self.read_mark();
            self.width = width;
            for slot in &mut self.slots {
                slot.height = slot.item.guess(width);
                slot.is_exact = false;
            }
            if let Some((place, mark)) = mark {
                self.mark = Some(mark);
                let line = self.line_of(place.entry, mark);
                self.anchor = Anchor::At(Place { line, ..place });
            }
        }
        self.height = height;
    }

    /// Where the view begins, and how many letters of the entry come before.
    fn read_mark(&mut self) -> Option<(Place, usize)> {
        let Anchor::At(place) = self.anchor else {
            return None;
        };
        let known = self.mark;
        let before = self.paint(place.entry).iter().take(place.line);
        Some((place, known.unwrap_or_else(|| before.map(letters).sum())))
    }

    /// The line of an entry that holds its letter of this number.
    fn line_of(&mut self, entry: usize, mark: usize) -> usize {
        let lines = self.paint(entry);
        let mut seen = 0;
        for (at, line) in lines.iter().enumerate() {
            seen += letters(line);
            if seen > mark {
                return at;
            }
        }
        lines.len()
    }
}

/// The letters and digits of a line: unlike bars, bullets and spaces, they are the same at every
/// width.
fn letters(line: &Line<'_>) -> usize {
    let count = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    line.spans.iter().map(|span| count(&span.content)).sum()
}
