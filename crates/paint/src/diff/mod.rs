//! Changes of files as lines: numbers, what changed within a line, the rest folded.
//!
//! From a unified diff or from two texts. Untrusted: numbers may lie, lines may be endless, and
//! nothing of it is trusted to be a diff.

mod between;
mod paint;
mod parse;
mod parts;

use std::ops::Range;

/// What a line of a diff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The same on both sides.
    Same,
    /// New.
    Added,
    /// Gone.
    Removed,
}

/// A line of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    kind: Kind,
    /// In the old text for what is gone, else in the new one; counted from 1.
    number: usize,
    /// Safe, without its line feed.
    text: String,
    /// The bytes that differ from the line on the other side.
    parts: Vec<Range<usize>>,
}

/// Lines that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Hunk {
    rows: Vec<Row>,
    /// Lines of the new text between the hunk before and this one.
    skipped: usize,
}

/// The changes of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct File {
    /// Safe, on one line; empty when unknown.
    name: String,
    hunks: Vec<Hunk>,
}

/// Changes of files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    files: Vec<File>,
    /// What a cut diff says about its rest.
    rest: Option<String>,
}

impl Diff {
    /// How many lines are new, and how many are gone.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let rows = || {
            let hunks = self.files.iter().flat_map(|file| &file.hunks);
            hunks.flat_map(|hunk| &hunk.rows)
        };
        let count = |kind| rows().filter(|row| row.kind == kind).count();
        (count(Kind::Added), count(Kind::Removed))
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.iter().all(|file| file.hunks.is_empty())
    }
}
