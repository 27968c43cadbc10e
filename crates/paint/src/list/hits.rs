//! Where a text is found, and the way from one place to the next.

use std::ops::Range;

use super::{Item, List, Needle, Place, needle};

/// A place where the text that is looked for is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The entry.
    pub entry: usize,
    /// The line within it.
    pub line: usize,
    /// The bytes of the line's text; empty when the text is broken over lines.
    pub range: Range<usize>,
}

/// Entries that have all words of a text, but not the text as it was written, are painted to see
/// whether their markup hides it; not more of them than this in one search.
const MAX_TRIED: usize = 200;

impl Hit {
    fn place(&self) -> (usize, usize, usize) {
        (self.entry, self.line, self.range.start)
    }
}

impl<I: Item> List<I> {
    /// What is looked for.
    #[must_use]
    pub fn needle(&self) -> Option<&Needle> {
        self.needle.as_ref()
    }

    /// The place that was found last; `None` when there is none.
    #[must_use]
    pub fn hit(&self) -> Option<&Hit> {
        self.hit.as_ref()
    }

    pub(super) fn find(&mut self, text: &str) {
        self.needle = Needle::new(text);
        self.hit = None;
        if self.needle.is_none() || self.slots.is_empty() {
            return;
        }
        let top = self.top();
        let bottom = self.down(top, self.height - 1);
        self.hit = self.seek((bottom.entry, bottom.line + 1, 0), false);
        self.show_hit();
    }

    pub(super) fn find_on(&mut self, is_down: bool) {
        if self.needle.is_none() || self.slots.is_empty() {
            return;
        }
        let from = match &self.hit {
            Some(hit) => hit.place(),
            None => {
                let Place { entry, line } = self.top();
                (entry, line, 0)
            }
        };
        self.hit = self.seek(from, is_down);
        self.show_hit();
    }

    fn show_hit(&mut self) {
        if let Some(Hit { entry, line, .. }) = self.hit.clone() {
            self.show(entry, line..line + 1);
        }
    }

    /// The first place behind `from`, or before it, once around.
    fn seek(&mut self, from: (usize, usize, usize), is_down: bool) -> Option<Hit> {
        let count = self.slots.len();
        let start = from.0.min(count - 1);
        let mut tries = MAX_TRIED;
        for step in 0..=count {
            let entry = if is_down {
                (start + step) % count
            } else {
                (start + count - step % count) % count
            };
            let mut hits = self.hits(entry, &mut tries);
            // In the entry where the way begins, what lies behind; at the end of the way, the rest.
            let is_first = step == 0 && entry == from.0;
            let is_beyond = |hit: &Hit| {
                if is_down {
                    hit.place() > from
                } else {
                    hit.place() < from
                }
            };
            if is_first {
                hits.retain(is_beyond);
            }
            let hit = if is_down {
                hits.into_iter().next()
            } else {
                hits.pop()
            };
            if hit.is_some() {
                return hit;
            }
        }
        None
    }

    /// Where the text is in an entry; unfolds it when the text is in a folded part.
    fn hits(&mut self, entry: usize, tries: &mut usize) -> Vec<Hit> {
        let (Some(needle), Some(slot)) = (self.needle.clone(), self.slots.get_mut(entry)) else {
            return Vec::new();
        };
        let item = &mut slot.item;
        let has = |word: &String| item.any_text(&mut |text| needle::is_in(word, text));
        if !needle.words().iter().all(has) {
            return Vec::new();
        }
        let is_literal = item.any_text(&mut |text| needle.is_in(text));
        if !is_literal && *tries == 0 {
            return Vec::new();
        }
        let hits = self.seen_hits(entry, &needle);
        if !hits.is_empty() {
            return hits;
        }
        if !is_literal {
            *tries -= 1;
            return Vec::new();
        }
        let Some(slot) = self.slots.get_mut(entry) else {
            return Vec::new();
        };
        if slot.item.reveal() {
            slot.is_exact = false;
            let hits = self.seen_hits(entry, &needle);
            if !hits.is_empty() {
                return hits;
            }
        }
        if self.measure(entry) == 0 {
            return Vec::new();
        }
        vec![Hit {
            entry,
            line: 0,
            range: 0..0,
        }]
    }

    fn seen_hits(&mut self, entry: usize, needle: &Needle) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (line, painted) in self.paint(entry).iter().enumerate() {
            let ranges = needle.ranges(&painted.to_string());
            hits.extend(ranges.into_iter().map(|range| Hit { entry, line, range }));
        }
        hits
    }
}
