//! The changes from one text to another.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use super::{Diff, File, Hunk, Kind, Row, parts};
use crate::safe;

/// Lines that are the same, around each change.
const CONTEXT: usize = 3;
/// After this long a coarser result is good enough: somebody waits for the screen.
const PATIENCE: Duration = Duration::from_millis(50);

impl Diff {
    /// The changes from `old` to `new` of a file; empty when there are none.
    #[must_use]
    pub fn between(name: &str, old: &str, new: &str) -> Self {
        let lines = TextDiff::configure().timeout(PATIENCE).diff_lines(old, new);
        let mut file = File {
            name: safe::plain_line(name).into_owned(),
            hunks: Vec::new(),
        };
        let mut seen_to = 0;
        for group in lines.grouped_ops(CONTEXT) {
            let mut hunk = Hunk::default();
            for op in &group {
                for change in lines.iter_changes(op) {
                    let (kind, index) = match change.tag() {
                        ChangeTag::Equal => (Kind::Same, change.new_index()),
                        ChangeTag::Insert => (Kind::Added, change.new_index()),
                        ChangeTag::Delete => (Kind::Removed, change.old_index()),
                    };
                    let text = change.value();
                    hunk.rows.push(Row {
                        kind,
                        number: index.unwrap_or_default() + 1,
                        text: safe::plain_line(text.trim_end_matches(['\n', '\r'])).into_owned(),
                        parts: Vec::new(),
                    });
                }
            }
            let start = group.first().map_or(0, |op| op.new_range().start);
            hunk.skipped = start.saturating_sub(seen_to);
            seen_to = group.last().map_or(0, |op| op.new_range().end);
            file.hunks.push(hunk);
        }
        let mut diff = Self {
            files: Vec::new(),
            rest: None,
        };
        if !file.hunks.is_empty() {
            diff.files.push(file);
        }
        parts::mark(&mut diff);
        diff
    }
}
