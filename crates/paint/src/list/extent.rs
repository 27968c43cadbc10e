//! How long the list is, for a scroll bar: exact where it was seen, guessed elsewhere.

use super::{Item, List, Place};

/// How much there is above the view, in it, and in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Lines above the view.
    pub above: usize,
    /// Lines in the view.
    pub shown: usize,
    /// All lines.
    pub total: usize,
}

impl Extent {
    /// Whether there is more than the view shows.
    #[must_use]
    pub fn is_longer(&self) -> bool {
        self.total > self.shown
    }

    /// Where the thumb of a scroll bar of `height` cells is: its first cell and its length.
    #[must_use]
    pub fn thumb(&self, height: usize) -> (usize, usize) {
        if !self.is_longer() || height == 0 {
            return (0, height);
        }
        let length = (height * self.shown / self.total).clamp(1, height);
        let room = height - length;
        let below = (self.total - self.shown).max(1);
        // At either end only when there is nothing beyond it.
        let mut start = (room * self.above.min(below)).div_ceil(below);
        if self.above < below && start == room && room > 1 {
            start -= 1;
        }
        (start.min(room), length)
    }
}

impl<I: Item> List<I> {
    /// The known or guessed lines of an entry with its gap.
    fn rough(&self, at: usize) -> usize {
        match self.slots.get(at).map_or(0, |slot| slot.height) {
            0 => 0,
            height if at + 1 == self.slots.len() => height,
            height => height + self.gap,
        }
    }

    pub(super) fn extent(&self, top: Place, shown: usize) -> Extent {
        let spans = (0..self.slots.len()).map(|at| self.rough(at));
        let above: usize = spans.clone().take(top.entry).sum::<usize>() + top.line;
        Extent {
            above,
            shown,
            total: spans.sum::<usize>().max(above + shown),
        }
    }

    pub(super) fn scroll_to_share(&mut self, part: usize, whole: usize) {
        let total: usize = (0..self.slots.len()).map(|at| self.rough(at)).sum();
        let room = total.saturating_sub(self.height) as u128;
        let target = room * part.min(whole) as u128 / whole.max(1) as u128;
        let mut left = usize::try_from(target).unwrap_or(total);
        for entry in 0..self.slots.len() {
            let rough = self.rough(entry);
            if left < rough {
                let line = left.min(self.span(entry).saturating_sub(1));
                return self.go(Place { entry, line });
            }
            left -= rough;
        }
        self.apply(super::Op::Last);
    }
}
