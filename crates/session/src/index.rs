//! Where each entry of a file stands and what it continues, without what it says.
//!
//! Built in one pass over the beginnings of the lines. Every row's parent is the row before it,
//! except where a branch begins or is returned to; so the last row is where the work goes on, and
//! a row whose parent is lost is taken to follow its neighbour. Does not know what rows mean for a
//! model.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize as _;
use serde::de::IgnoredAny;

use crate::EntryId;
use crate::entry::{Head, Kind};
use crate::error::{Problems, Trouble};
use crate::files::Section;
use crate::row::{self, RowHead};
use crate::scan::{self, Line};

/// No parent, no extension.
pub(crate) const NONE: u32 = u32::MAX;

/// How far numbers may jump where rows were lost. A wider jump is itself the damage.
const PLAUSIBLE_GAP: u64 = 1000;

/// The longest stretch that is searched for rows behind a damaged line break. Searched in memory.
const SEARCHED_BYTES: u64 = 64 * 1024 * 1024;

/// An entry's place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) id: EntryId,
    /// Where its row begins.
    pub(crate) at: u64,
    /// The row's length without the line break.
    pub(crate) len: u64,
    /// The slot that it continues, or [`NONE`]. Always a lower number: a tree by construction.
    pub(crate) parent: u32,
    /// The slot that its branch begins with, possibly itself.
    pub(crate) branch: u32,
    /// The owner of a state, as its place in the list of extensions, or [`NONE`].
    pub(crate) extension: u32,
    pub(crate) kind: Kind,
}

/// What stands behind the last line break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tail {
    /// Nothing.
    Clean,
    /// An entry that lacks but its line break.
    Unended,
    /// So many bytes of an entry that was not written to its end.
    Torn(u64),
}

/// All entries of a file.
#[derive(Debug)]
pub(crate) struct Index {
    slots: Vec<Slot>,
    /// The names of the extensions that keep states here.
    pub(crate) extensions: Vec<String>,
    /// The last slot of each branch, by the branch's first.
    tips: BTreeMap<u32, u32>,
    /// Whether ids ascend, as they do in an undamaged file.
    sorted: bool,
    /// The number of the last entry.
    counter: u64,
    /// What damaged rows just before seemed to continue.
    hint: Option<u32>,
    /// Where the file ends, or will when its tail is mended.
    pub(crate) end: u64,
    pub(crate) tail: Tail,
    pub(crate) problems: Problems,
}

impl Index {
    pub(crate) fn empty(path: Arc<Path>) -> Self {
        Self {
            slots: Vec::new(),
            extensions: Vec::new(),
            tips: BTreeMap::new(),
            sorted: true,
            counter: 0,
            hint: None,
            end: 0,
            tail: Tail::Clean,
            problems: Problems::new(path),
        }
    }

    /// Reads a file. Whatever is in it, this fails only when the file itself cannot be read.
    pub(crate) fn read(file: &File, path: Arc<Path>) -> io::Result<Self> {
        let mut index = Self::empty(path);
        index.end = scan::lines(file, 0, |line| index.take(file, line))?;
        // A row merged into the last line has no successor whose number shows the gap.
        index.search(file, index.end, u64::MAX)?;
        let rest = file.metadata()?.len().saturating_sub(index.end);
        if rest > 0 {
            index.take_tail(file, rest)?;
        }
        Ok(index)
    }

    fn take(&mut self, file: &File, line: Line<'_>) -> io::Result<()> {
        let Line { at, len, shown } = line;
        if shown.len() as u64 == len && shown.trim_ascii().is_empty() {
            return Ok(());
        }
        let parsed = match row::fast_head(shown) {
            Some(head) => Ok(head),
            None => row::slow_head(Section::new(file, at, len)),
        };
        match parsed {
            Ok(head) => {
                if head.id.number() > self.counter + 1 {
                    self.search(file, at, head.id.number())?;
                }
                self.push(&head, at, len);
            }
            Err(error) => {
                self.hint = row::seeming_parent(shown)
                    .and_then(|parent| self.find(parent))
                    .or(self.hint);
                let why = error.to_string();
                self.problems.push(at, Trouble::NoEntry { why });
            }
        }
        Ok(())
    }

    fn take_tail(&mut self, file: &File, len: u64) -> io::Result<()> {
        let at = self.end;
        let mut shown = Vec::with_capacity(scan::SHOWN);
        Section::new(file, at, len.min(scan::SHOWN as u64)).read_to_end(&mut shown)?;
        if is_value(file, at, len, Rubble::Allowed) && row::head(&shown).is_ok() {
            self.take(
                file,
                Line {
                    at,
                    len,
                    shown: &shown,
                },
            )?;
            self.end += len;
            self.tail = Tail::Unended;
        } else {
            self.tail = Tail::Torn(len);
        }
        Ok(())
    }

    /// Looks for rows with numbers below `limit` that damaged line breaks hide between the last
    /// known row and `to`.
    fn search(&mut self, file: &File, to: u64, limit: u64) -> io::Result<()> {
        let mut from = 0;
        if let Some(last) = self.slots.last() {
            from = last.at;
            if is_value(file, last.at, last.len, Rubble::Refused) {
                from += last.len;
            }
        }
        // At most the line break lies between.
        if to <= from + 1 || to - from > SEARCHED_BYTES {
            return Ok(());
        }
        let bytes = Section::new(file, from, to - from).bytes()?;
        for place in memchr::memmem::find_iter(&bytes, br#"{"id":""#) {
            let row = &bytes[place..];
            let row = &row[..memchr::memchr(b'\n', row).unwrap_or(row.len())];
            let Some(head) = row::fast_head(row) else {
                continue;
            };
            if head.id.number() > self.counter && head.id.number() < limit {
                let at = from + place as u64;
                self.problems.push(at, Trouble::Merged { id: head.id });
                self.push(&head, at, row.len() as u64);
            }
        }
        Ok(())
    }

    /// Adds the entry whose row stands at `at`.
    pub(crate) fn push(&mut self, head: &RowHead<'_>, at: u64, len: u64) {
        let here = self.slots.len() as u32;
        let parent = self.resolve(head, at);
        let beside = |parent: u32| self.slots[parent as usize].branch;
        let branch = match parent {
            NONE => here,
            _ if head.kind == Kind::Branch => here,
            // A row beside the tip, which only other hands write, begins a branch as well.
            parent if self.tips.get(&beside(parent)) != Some(&parent) => here,
            parent => beside(parent),
        };
        self.tips.insert(branch, here);
        self.sorted &= self.slots.last().is_none_or(|last| last.id < head.id);
        let number = head.id.number();
        if number > self.counter {
            self.counter = if number - self.counter > PLAUSIBLE_GAP {
                self.counter + 1
            } else {
                number
            };
        }
        let extension = head
            .extension
            .as_ref()
            .map_or(NONE, |name| self.intern(name));
        self.slots.push(Slot {
            id: head.id,
            at,
            len,
            parent,
            branch,
            extension,
            kind: head.kind,
        });
    }

    fn resolve(&mut self, head: &RowHead<'_>, at: u64) -> u32 {
        let hint = self.hint.take();
        let known = head.parent.and_then(|parent| self.find(parent));
        let last = self.last();
        // Only the first row has no parent by right.
        if known.is_none() && (head.parent.is_some() || last.is_some()) {
            let (id, parent) = (head.id, head.parent);
            self.problems.push(at, Trouble::LostParent { id, parent });
        }
        known.or(hint).or(last).unwrap_or(NONE)
    }

    fn intern(&mut self, name: &str) -> u32 {
        let known = self.extensions.iter().position(|e| e == name);
        known.unwrap_or_else(|| {
            self.extensions.push(name.to_owned());
            self.extensions.len() - 1
        }) as u32
    }

    /// The slot of an entry.
    pub(crate) fn find(&self, id: EntryId) -> Option<u32> {
        let last = self.slots.last()?;
        let place = if last.id == id {
            self.slots.len() - 1
        } else if self.sorted {
            self.slots.binary_search_by_key(&id, |slot| slot.id).ok()?
        } else {
            self.slots.iter().rposition(|slot| slot.id == id)?
        };
        Some(place as u32)
    }

    /// The number of the next entry.
    pub(crate) fn next_number(&self) -> u64 {
        self.counter + 1
    }

    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    pub(crate) fn slot(&self, place: u32) -> &Slot {
        &self.slots[place as usize]
    }

    /// The last entry: where the work goes on.
    pub(crate) fn last(&self) -> Option<u32> {
        self.slots.len().checked_sub(1).map(|last| last as u32)
    }

    /// The branches, each by its first slot, with its last.
    pub(crate) fn branches(&self) -> impl Iterator<Item = (u32, u32)> {
        self.tips.iter().map(|(first, tip)| (*first, *tip))
    }

    /// The last slot of a branch.
    pub(crate) fn tip(&self, first: u32) -> Option<u32> {
        self.tips.get(&first).copied()
    }

    /// `from` and everything it continues, newest first.
    pub(crate) fn chain(&self, from: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(from), |at| {
            let parent = self.slot(*at).parent;
            (parent != NONE).then_some(parent)
        })
    }

    pub(crate) fn head(&self, place: u32) -> Head {
        let slot = self.slot(place);
        Head {
            id: slot.id,
            parent: (slot.parent != NONE).then(|| self.slot(slot.parent).id),
            kind: slot.kind,
            bytes: slot.len,
        }
    }
}

/// Whether anything may follow a value on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rubble {
    Allowed,
    Refused,
}

/// Whether the bytes are one JSON value.
fn is_value(file: &File, at: u64, len: u64, rubble: Rubble) -> bool {
    let reader = io::BufReader::new(Section::new(file, at, len));
    let mut parser = serde_json::Deserializer::from_reader(reader);
    IgnoredAny::deserialize(&mut parser).is_ok()
        && (rubble == Rubble::Allowed || parser.end().is_ok())
}
