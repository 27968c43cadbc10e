//! A list of entries that scrolls: only what is seen is painted.
//!
//! The view hangs on an entry, not on a line count: what changes above or below it does not move
//! it. Heights are guessed until an entry is seen; a wrong guess moves the scroll bar a little and
//! the text not at all. At the end, the view follows what comes in. Knows no terminal, and of its
//! entries only [`Item`].

mod apply;
mod extent;
mod hits;
mod needle;
mod place;
mod select;
mod view;

use std::collections::BTreeSet;
use std::ops::Range;

use ratatui_core::text::Line;

use crate::canvas::Canvas;

pub use apply::Op;
pub use extent::Extent;
pub use hits::Hit;
pub use needle::Needle;
pub use place::Place;
pub use select::Selection;
pub use view::{Row, View};

/// What a list holds.
pub trait Item {
    /// The lines at a width. An item keeps them until something changes; asking again is cheap.
    fn lines(&mut self, canvas: &Canvas, width: usize) -> &[Line<'static>];

    /// About how many lines there will be, found without painting.
    fn guess(&self, width: usize) -> usize;

    /// Calls `test` with pieces of the text until it says yes; whether it did.
    fn any_text(&self, test: &mut dyn FnMut(&str) -> bool) -> bool;

    /// The whole text, for the clipboard.
    fn text(&self) -> String;

    /// Unfolds everything; whether something was folded.
    fn reveal(&mut self) -> bool {
        false
    }

    /// How many parts can be selected by themselves.
    fn block_count(&mut self) -> usize {
        0
    }

    /// Where the lines of such a part are, of those asked for last, and its text.
    fn block(&self, at: usize) -> Option<(Range<usize>, String)> {
        let _ = at;
        None
    }

    /// Whether the lines are not yet what they will be, and should be asked for again.
    fn is_behind(&self) -> bool {
        false
    }

    /// Drops what can be painted again.
    fn forget(&mut self) {}
}

/// An entry and how many lines it takes.
#[derive(Debug)]
struct Slot<I> {
    item: I,
    /// At the list's width, without the gap.
    height: usize,
    /// Whether the height was seen and nothing changed since.
    is_exact: bool,
}

/// Where the view begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Anchor {
    /// Wherever it must for the end to be seen.
    End,
    /// Here.
    At(Place),
}

/// A list of entries that scrolls.
#[derive(Debug)]
pub struct List<I> {
    slots: Vec<Slot<I>>,
    canvas: Canvas,
    width: usize,
    height: usize,
    /// Empty lines between two entries.
    gap: usize,
    anchor: Anchor,
    /// The letters before the view's first line within its entry, so that several changes of the
    /// width in a row do not add up to a drift.
    mark: Option<usize>,
    selection: Option<Selection>,
    needle: Option<Needle>,
    hit: Option<Hit>,
    /// Entries that keep painted lines.
    painted: BTreeSet<usize>,
}

impl<I: Item> List<I> {
    /// No entries, following the end; sizes are in cells.
    #[must_use]
    pub fn new(canvas: Canvas, width: usize, height: usize) -> Self {
        Self {
            slots: Vec::new(),
            canvas,
            width: width.max(1),
            height: height.max(1),
            gap: 1,
            anchor: Anchor::End,
            mark: None,
            selection: None,
            needle: None,
            hit: None,
            painted: BTreeSet::new(),
        }
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// An entry.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<&I> {
        self.slots.get(at).map(|slot| &slot.item)
    }

    /// An entry, to be changed.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut I> {
        let slot = self.slots.get_mut(at)?;
        slot.is_exact = false;
        Some(&mut slot.item)
    }

    /// The last entry, to be changed: what streams.
    pub fn last_mut(&mut self) -> Option<&mut I> {
        self.get_mut(self.slots.len().checked_sub(1)?)
    }

    /// The entries, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &I> {
        self.slots.iter().map(|slot| &slot.item)
    }

    /// Adds an entry at the end and says where it is.
    pub fn push(&mut self, item: I) -> usize {
        let height = item.guess(self.width);
        self.slots.push(Slot {
            item,
            height,
            is_exact: false,
        });
        self.slots.len() - 1
    }

    /// Puts an entry before another. What is seen stays where it is.
    pub fn insert(&mut self, at: usize, item: I) {
        let at = at.min(self.slots.len());
        let slot = Slot {
            height: item.guess(self.width),
            item,
            is_exact: false,
        };
        self.slots.insert(at, slot);
        self.renumber(|entry| Some(if entry >= at { entry + 1 } else { entry }));
    }

    /// Takes an entry out. What is seen stays where it is, but for its lines.
    pub fn remove(&mut self, at: usize) -> Option<I> {
        if at >= self.slots.len() {
            return None;
        }
        let slot = self.slots.remove(at);
        self.renumber(|entry| match entry.cmp(&at) {
            std::cmp::Ordering::Less => Some(entry),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(entry - 1),
        });
        if let Anchor::At(place) = &mut self.anchor
            && place.entry >= self.slots.len()
        {
            self.anchor = Anchor::End;
        }
        Some(slot.item)
    }

    /// Takes all entries out and follows the end again.
    pub fn clear(&mut self) {
        let canvas = self.canvas.clone();
        let (width, height, gap) = (self.width, self.height, self.gap);
        *self = Self::new(canvas, width, height);
        self.gap = gap;
    }

    /// Sets the empty lines between entries; one at first.
    pub fn set_gap(&mut self, lines: usize) {
        self.gap = lines;
    }

    /// What the entries are painted with.
    #[must_use]
    pub fn canvas(&self) -> &Canvas {
        &self.canvas
    }

    /// Paints with something else from now on.
    pub fn set_canvas(&mut self, canvas: Canvas) {
        self.canvas = canvas;
        for slot in &mut self.slots {
            slot.is_exact = false;
        }
    }

    /// Whether the view follows the end.
    #[must_use]
    pub fn is_following(&self) -> bool {
        self.anchor == Anchor::End
    }

    /// The width in cells.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The height in lines.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Gives everything that remembers an entry its new number; `None` for one that is gone.
    fn renumber(&mut self, new: impl Fn(usize) -> Option<usize>) {
        if let Anchor::At(place) = &mut self.anchor {
            match new(place.entry) {
                Some(entry) => place.entry = entry,
                None => place.line = 0,
            }
        }
        self.selection = self.selection.and_then(|selection| {
            let entry = new(selection.entry)?;
            Some(Selection { entry, ..selection })
        });
        self.hit = self.hit.take().and_then(|hit| {
            let entry = new(hit.entry)?;
            Some(Hit { entry, ..hit })
        });
        self.painted = self.painted.iter().filter_map(|at| new(*at)).collect();
    }

    /// The lines of an entry, painted if need be.
    fn paint(&mut self, at: usize) -> &[Line<'static>] {
        let Some(slot) = self.slots.get_mut(at) else {
            return &[];
        };
        let lines = slot.item.lines(&self.canvas, self.width);
        slot.height = lines.len();
        slot.is_exact = true;
        self.painted.insert(at);
        lines
    }

    /// The lines that an entry takes, exactly.
    fn measure(&mut self, at: usize) -> usize {
        match self.slots.get(at) {
            Some(slot) if slot.is_exact => slot.height,
            Some(_) => self.paint(at).len(),
            None => 0,
        }
    }

    /// The lines that an entry takes, exactly, with the gap behind it. An entry without lines has
    /// no gap, nor has the last.
    fn span(&mut self, at: usize) -> usize {
        match self.measure(at) {
            0 => 0,
            height if at + 1 == self.slots.len() => height,
            height => height + self.gap,
        }
    }
}
