//! A text to look for, without regard to upper and lower case.

use std::ops::Range;

/// The most bytes of a text to look for.
const MAX_BYTES: usize = 1024;

/// A text to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needle {
    /// In lower case.
    text: String,
    /// Its words, in lower case.
    words: Vec<String>,
}

impl Needle {
    /// `None` when there is nothing to look for.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = zeug_stdx::text::prefix(text, MAX_BYTES).to_lowercase();
        if text.trim().is_empty() {
            return None;
        }
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty()).map(str::to_owned);
        Some(Self {
            words: words.collect(),
            text,
        })
    }

    /// What is looked for, in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Its words: a text without them all does not show it, whatever its markup.
    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether the text has it.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        is_in(&self.text, text)
    }

    /// Where it is in a line, without overlaps.
    #[must_use]
    pub fn ranges(&self, line: &str) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        let mut at = 0;
        while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
            match starts_with(rest, &self.text) {
                Some(len) => {
                    ranges.push(at..at + len);
                    at += len;
                }
                None => at += rest.chars().next().map_or(1, char::len_utf8),
            }
        }
        ranges
    }
}

/// Whether a text has `word`, which is in lower case.
pub(super) fn is_in(word: &str, text: &str) -> bool {
    let Some(first) = word.bytes().next() else {
        return true;
    };
    if !word.is_ascii() {
        return text.to_lowercase().contains(word);
    }
    let bytes = text.as_bytes();
    let found = memchr::memchr2_iter(first, first.to_ascii_uppercase(), bytes);
    for at in found {
        let there = bytes.get(at..at + word.len());
        if there.is_some_and(|there| there.eq_ignore_ascii_case(word.as_bytes())) {
            return true;
        }
    }
    false
}

/// How many bytes of `text` are `lower` in any case.
fn starts_with(text: &str, lower: &str) -> Option<usize> {
    let mut wanted = lower.chars();
    let mut len = 0;
    let mut next = wanted.next();
    for c in text.chars() {
        if next.is_none() {
            break;
        }
        for folded in c.to_lowercase() {
            if next != Some(folded) {
                return None;
            }
            next = wanted.next();
        }
        len += c.len_utf8();
    }
    next.is_none().then_some(len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter() {
        let check = |needle: &str, text: &str, expect: &[(usize, usize)]| {
            let needle = Needle::new(needle).expect("something to look for");
            let ranges = needle.ranges(text);
            let ranges: Vec<_> = ranges
                .iter()
                .map(|range| (range.start, range.end))
                .collect();
            assert_eq!(ranges, expect, "{text:?}");
            assert_eq!(needle.is_in(text), !expect.is_empty(), "{text:?}");
        };
        check("err", "An ERROR, an error", &[(3, 6), (13, 16)]);
        check("über", "Über über", &[(0, 5), (6, 11)]);
        check("日本", "日本語", &[(0, 6)]);
        check("aa", "aaaa", &[(0, 2), (2, 4)]);
        check("x", "abc", &[]);
        assert_eq!(Needle::new("  "), None);
    }
}
