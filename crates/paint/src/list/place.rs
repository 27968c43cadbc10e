//! A line of the list, as entry and line, and how to walk from one to another.

use super::{Anchor, Item, List};

/// A line: of which entry, and the how manieth of it. Lines behind an entry's last are its gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The entry.
    pub entry: usize,
    /// The line within it.
    pub line: usize,
}

impl<I: Item> List<I> {
    /// Where the view begins, as things are now.
    pub(super) fn top(&mut self) -> Place {
        let end = self.end_top();
        match self.anchor {
            Anchor::End => end,
            Anchor::At(place) => {
                let place = self.settle(place);
                // What was below may have become shorter.
                place.min(end)
            }
        }
    }

    /// Where the view begins when it shows the end.
    pub(super) fn end_top(&mut self) -> Place {
        let mut left = self.height;
        for entry in (0..self.slots.len()).rev() {
            let span = self.span(entry);
            if span >= left {
                return Place {
                    entry,
                    line: span - left,
                };
            }
            left -= span;
        }
        Place { entry: 0, line: 0 }
    }

    /// The same place if its entry still has that line, else the entry's last.
    fn settle(&mut self, place: Place) -> Place {
        let mut entry = place.entry.min(self.slots.len().saturating_sub(1));
        // The text as it is now decides, not a guess: else the view could begin behind its entry.
        let mut span = self.span(entry);
        let mut line = place.line;
        while span == 0 && entry + 1 < self.slots.len() {
            entry += 1;
            line = 0;
            span = self.span(entry);
        }
        Place {
            entry,
            line: line.min(span.saturating_sub(1)),
        }
    }

    /// The place so many lines further down, or the last there is.
    pub(super) fn down(&mut self, from: Place, lines: usize) -> Place {
        let Place { mut entry, line } = from;
        let mut line = line.saturating_add(lines);
        loop {
            let span = self.span(entry);
            if line < span || entry + 1 >= self.slots.len() {
                return Place {
                    entry,
                    line: line.min(span.saturating_sub(1)),
                };
            }
            line -= span;
            entry += 1;
        }
    }

    /// The place so many lines further up, or the first there is.
    pub(super) fn up(&mut self, from: Place, lines: usize) -> Place {
        let Place { mut entry, line } = from;
        let mut above = line;
        let mut left = lines;
        while left > above {
            if entry == 0 {
                return Place { entry: 0, line: 0 };
            }
            left -= above;
            entry -= 1;
            above = self.span(entry);
        }
        Place {
            entry,
            line: above - left,
        }
    }

    /// Lets the view begin here, or follow the end when that is no further up.
    pub(super) fn go(&mut self, place: Place) {
        self.mark = None;
        let end = self.end_top();
        self.anchor = if place >= end {
            Anchor::End
        } else {
            Anchor::At(place)
        };
    }

    /// Moves the view as little as possible so that these lines of an entry are seen; their first
    /// when there is no room for all.
    pub(super) fn show(&mut self, entry: usize, lines: std::ops::Range<usize>) {
        let top = self.top();
        let first = Place {
            entry,
            line: lines.start,
        };
        let last = Place {
            entry,
            line: lines.end.saturating_sub(1).max(lines.start),
        };
        if first < top || lines.len() >= self.height {
            return self.go(first);
        }
        let bottom = self.down(top, self.height - 1);
        if last > bottom {
            let place = self.up(last, self.height - 1);
            self.go(place);
        }
    }
}
