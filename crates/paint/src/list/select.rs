//! The entry or block that is selected, for copying.

use std::ops::Range;

use super::{Item, List};

/// What is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    /// The entry.
    pub entry: usize,
    /// A block of it, or all of it.
    pub block: Option<usize>,
}

impl<I: Item> List<I> {
    /// What is selected.
    #[must_use]
    pub fn selection(&self) -> Option<Selection> {
        self.selection
    }

    /// The text of what is selected: of an entry all, of a listing the code alone.
    pub fn selected_text(&mut self) -> Option<String> {
        let Selection { entry, block } = self.selection?;
        match block {
            None => self.get(entry).map(Item::text),
            Some(block) => {
                self.paint(entry);
                let (_, text) = self.get(entry)?.block(block)?;
                Some(text)
            }
        }
    }

    /// The lines of what is selected, within its entry.
    pub(super) fn selected_lines(&mut self) -> Option<(usize, Range<usize>)> {
        let Selection { entry, block } = self.selection?;
        let all = 0..self.measure(entry);
        let lines = match block {
            None => all,
            Some(block) => {
                self.paint(entry);
                self.get(entry)?
                    .block(block)
                    .map_or(all, |(lines, _)| lines)
            }
        };
        Some((entry, lines))
    }

    pub(super) fn select(&mut self, entry: usize) {
        if entry < self.slots.len() {
            self.selection = Some(Selection { entry, block: None });
            self.show_selection();
        }
    }

    pub(super) fn select_entries(&mut self, count: isize) {
        let Some(from) = self.selection else {
            return self.select_seen();
        };
        let step = if count < 0 { -1 } else { 1 };
        let mut entry = from.entry;
        let mut left = count.unsigned_abs();
        while left > 0
            && let Some(next) = entry.checked_add_signed(step)
            && next < self.slots.len()
        {
            entry = next;
            // Entries without lines are passed over.
            left -= usize::from(self.measure(entry) > 0);
        }
        if self.measure(entry) > 0 {
            self.select(entry);
        }
    }

    pub(super) fn select_blocks(&mut self, count: isize) {
        let Some(mut at) = self.selection else {
            self.select_seen();
            if let Some(selection) = &mut self.selection
                && let Some(slot) = self.slots.get_mut(selection.entry)
            {
                selection.block = slot.item.block_count().checked_sub(1);
            }
            return self.show_selection();
        };
        for _ in 0..count.unsigned_abs() {
            let Some(next) = self.next_block(at, count > 0) else {
                break;
            };
            at = next;
        }
        self.selection = Some(at);
        self.show_selection();
    }

    fn next_block(&mut self, at: Selection, is_down: bool) -> Option<Selection> {
        let blocks = self.slots.get_mut(at.entry)?.item.block_count();
        let within = match (at.block, is_down) {
            (Some(block), true) => Some(block + 1).filter(|block| *block < blocks),
            (Some(block), false) => block.checked_sub(1),
            (None, true) => (blocks > 0).then_some(0),
            (None, false) => blocks.checked_sub(1),
        };
        if within.is_some() {
            return Some(Selection {
                block: within,
                ..at
            });
        }
        let mut entry = at.entry;
        loop {
            entry = entry.checked_add_signed(if is_down { 1 } else { -1 })?;
            let blocks = self.slots.get_mut(entry)?.item.block_count();
            if self.measure(entry) > 0 {
                let block = if is_down { 0 } else { blocks.saturating_sub(1) };
                return Some(Selection {
                    entry,
                    block: (blocks > 0).then_some(block),
                });
            }
        }
    }

    /// Selects the last entry that begins in view.
    fn select_seen(&mut self) {
        if self.slots.is_empty() {
            return;
        }
        let top = self.top();
        let bottom = self.down(top, self.height - 1);
        self.select(bottom.entry);
    }

    fn show_selection(&mut self) {
        if let Some((entry, lines)) = self.selected_lines() {
            self.show(entry, lines);
        }
    }
}
