//! How many cells text takes in a terminal, counted as ratatui draws: cluster by cluster.
//!
//! A cluster is what a reader takes for one character: a letter with its marks, an emoji with its
//! joiners. It is never split. Knows no styles.

use ratatui_core::buffer::CellWidth as _;
use unicode_segmentation::UnicodeSegmentation as _;

/// What stands for a cluster that is wider than the room there is.
pub(crate) const TOO_WIDE: &str = "\u{fffd}";

/// The clusters of `text` with their widths, in order.
pub(crate) fn clusters(text: &str) -> Clusters<'_> {
    Clusters { rest: text }
}

/// See [`clusters`].
pub(crate) struct Clusters<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Clusters<'a> {
    type Item = (&'a str, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let len = match *self.rest.as_bytes() {
            [] => return None,
            [only] if only.is_ascii() => 1,
            // Two bytes of ASCII never make one cluster, except for a line end.
            [first, second, ..] if first.is_ascii() && second.is_ascii() && first != b'\r' => 1,
            _ => self.rest.graphemes(true).next().map_or(1, str::len),
        };
        let (cluster, rest) = self.rest.split_at(len);
        self.rest = rest;
        Some((cluster, cluster_width(cluster)))
    }
}

/// The cells of one cluster. A control character takes none: ratatui does not draw it.
fn cluster_width(cluster: &str) -> usize {
    match *cluster.as_bytes() {
        [byte] => usize::from(!byte.is_ascii_control()),
        _ if cluster.contains(char::is_control) => 0,
        _ => usize::from(cluster.cell_width()),
    }
}

/// The cells that `text` takes on one line.
#[must_use]
pub fn width(text: &str) -> usize {
    clusters(text).map(|(_, width)| width).sum()
}

/// The longest beginning of `text` that takes at most `cells`.
#[must_use]
pub fn clip(text: &str, cells: usize) -> &str {
    let (mut used, mut end) = (0, 0);
    for (cluster, width) in clusters(text) {
        if used + width > cells {
            break;
        }
        used += width;
        end += cluster.len();
    }
    &text[..end]
}

/// The longest end of `text` that takes at most `cells`.
#[must_use]
pub fn clip_start(text: &str, cells: usize) -> &str {
    let mut over = width(text).saturating_sub(cells);
    let mut start = 0;
    for (cluster, width) in clusters(text) {
        if over == 0 {
            break;
        }
        over = over.saturating_sub(width);
        start += cluster.len();
    }
    &text[start..]
}

/// `text` when it fits into `cells`, else its beginning and `mark`.
#[must_use]
pub fn shorten(text: &str, cells: usize, mark: &str) -> String {
    // Short enough in bytes is short enough in cells, unless a cluster is wider than its bytes,
    // and none is.
    if text.len() <= cells || width(text) <= cells {
        return text.to_owned();
    }
    let mark = clip(mark, cells);
    format!("{}{mark}", clip(text, cells - width(mark)))
}

/// `text` when it fits into `cells`, else `mark` and its end: for paths, whose end says more.
#[must_use]
pub fn shorten_start(text: &str, cells: usize, mark: &str) -> String {
    if text.len() <= cells || width(text) <= cells {
        return text.to_owned();
    }
    let mark = clip(mark, cells);
    format!("{mark}{}", clip_start(text, cells - width(mark)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_as_they_are_drawn() {
        let check = |text: &str, expect: usize| assert_eq!(width(text), expect, "{text:?}");
        check("", 0);
        check("abc", 3);
        check("日本", 4);
        check("e\u{301}", 1);
        check("👩‍👩‍👧", 2);
        check("🇩🇪", 2);
        check("a\u{200b}b", 2);
        check("ﾊﾞ", 2);
        check("\u{7}", 0);
    }

    #[test]
    fn a_cut_never_goes_through_a_cluster() {
        assert_eq!(clip("日本", 3), "日");
        assert_eq!(clip("e\u{301}x", 1), "e\u{301}");
        assert_eq!(clip_start("日本", 3), "本");
        assert_eq!(clip_start("ab👩‍👩‍👧", 2), "👩‍👩‍👧");
        assert_eq!(shorten("abcdef", 4, "…"), "abc…");
        assert_eq!(shorten("日本語", 4, "…"), "日…");
        assert_eq!(shorten("abc", 3, "…"), "abc");
        assert_eq!(shorten("abc", 0, "…"), "");
        assert_eq!(shorten_start("src/lib.rs", 7, "…"), "…lib.rs");
    }

    #[test]
    fn no_cluster_is_wider_than_its_bytes() {
        for text in ["日", "é", "👍🏽", "ﾞ", "\u{1f1e9}\u{1f1ea}", "\u{fdfd}"] {
            assert!(width(text) <= text.len(), "{text}");
        }
    }
}
