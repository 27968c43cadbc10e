//! What changed within a line: the words that differ between a line that is gone and the one that
//! took its place.

use std::ops::Range;
use std::time::Duration;

use similar::{Algorithm, ChangeTag, TextDiff};

use super::{Diff, Hunk, Kind, Row};

/// Longer lines are compared as a whole.
const MAX_LINE_BYTES: usize = 1024;
/// Hunks with more changes are not compared by words: nobody reads them so.
const MAX_ROWS: usize = 400;
/// After this long a line counts as changed altogether.
const PATIENCE: Duration = Duration::from_millis(5);
/// Lines less alike than this have nothing in common that is worth a mark.
const ALIKE: f32 = 0.4;

/// Finds the parts of all lines that took another's place.
pub(super) fn mark(diff: &mut Diff) {
    for file in &mut diff.files {
        for hunk in &mut file.hunks {
            if hunk.rows.len() <= MAX_ROWS {
                mark_hunk(hunk);
            }
        }
    }
}

fn mark_hunk(hunk: &mut Hunk) {
    let mut at = 0;
    while at < hunk.rows.len() {
        let removed = run(&hunk.rows, at, Kind::Removed);
        let added = run(&hunk.rows, removed.end, Kind::Added);
        for (old, new) in removed.clone().zip(added.clone()) {
            if let Some((old_parts, new_parts)) =
                compare(&hunk.rows[old].text, &hunk.rows[new].text)
            {
                hunk.rows[old].parts = old_parts;
                hunk.rows[new].parts = new_parts;
            }
        }
        at = added.end.max(at + 1);
    }
}

/// The lines of a kind from here on.
fn run(rows: &[Row], from: usize, kind: Kind) -> Range<usize> {
    let count = rows[from.min(rows.len())..]
        .iter()
        .take_while(|row| row.kind == kind)
        .count();
    from..from + count
}

type Parts = Vec<Range<usize>>;

fn compare(old: &str, new: &str) -> Option<(Parts, Parts)> {
    if old.len().max(new.len()) > MAX_LINE_BYTES {
        return None;
    }
    let words = TextDiff::configure()
        .algorithm(Algorithm::Myers)
        .timeout(PATIENCE)
        .diff_unicode_words(old, new);
    if words.ratio() < ALIKE {
        return None;
    }
    let (mut old_at, mut new_at) = (0, 0);
    let (mut old_parts, mut new_parts) = (Parts::new(), Parts::new());
    for change in words.iter_all_changes() {
        let len = change.value().len();
        match change.tag() {
            ChangeTag::Equal => {
                old_at += len;
                new_at += len;
            }
            ChangeTag::Delete => {
                push(&mut old_parts, old_at..old_at + len);
                old_at += len;
            }
            ChangeTag::Insert => {
                push(&mut new_parts, new_at..new_at + len);
                new_at += len;
            }
        }
    }
    Some((old_parts, new_parts))
}

fn push(parts: &mut Parts, part: Range<usize>) {
    match parts.last_mut() {
        Some(last) if last.end == part.start => last.end = part.end,
        _ => parts.push(part),
    }
}
