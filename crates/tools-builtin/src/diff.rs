//! What changes in a file, as a unified diff that is bounded in size and in time.
//!
//! Does not know whether the change was made or is only wanted.

use std::time::Duration;

use similar::TextDiff;

use crate::page::Page;

/// After this long a coarser diff is good enough.
const PATIENCE: Duration = Duration::from_millis(500);

/// A unified diff from `before` to `after`; empty when there is no difference.
///
/// # Limits
/// As long as a [`Page`]; a last line says how many lines were left out.
pub(crate) fn unified(before: &str, after: &str, shown: &str) -> String {
    let diff = TextDiff::configure()
        .timeout(PATIENCE)
        .diff_lines(before, after);
    let whole = diff
        .unified_diff()
        .context_radius(3)
        .header(shown, shown)
        .to_string();
    bounded(&whole)
}

/// `text` as far as it fits on a page.
pub(crate) fn bounded(text: &str) -> String {
    let mut page = Page::default();
    let all = text.lines().count();
    for line in text.lines() {
        if !page.push(line) {
            break;
        }
    }
    let left = all - page.lines();
    let text = page.into_text();
    if left == 0 {
        text
    } else {
        format!("{text}\n[{left} more lines are not shown]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_shows_what_changed_and_its_surroundings() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let diff = unified(before, &before.replace('5', "five"), "a.txt");
        assert_eq!(
            diff,
            "--- a.txt\n+++ a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8"
        );
        assert_eq!(unified(before, before, "a.txt"), "");
    }

    #[test]
    fn a_long_diff_is_cut_and_says_so() {
        let after: String = (0..5000).map(|n| format!("{n}\n")).collect();
        let diff = unified("", &after, "a.txt");
        assert!(diff.len() < 60_000);
        assert!(diff.ends_with("[3003 more lines are not shown]"), "{diff}");
    }
}
