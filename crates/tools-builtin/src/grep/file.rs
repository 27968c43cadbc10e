//! Searching one file after the other onto one page.
//!
//! Does not know which files are searched.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use grep_matcher::{LineTerminator, Matcher};
use grep_regex::RegexMatcher;
use grep_searcher::{
    BinaryDetection, Searcher as Engine, SearcherBuilder, Sink, SinkContext, SinkContextKind,
    SinkFinish, SinkMatch,
};
use tokio_util::sync::CancellationToken;
use zeug_stdx::text;

use crate::page::{MAX_BYTES, Page};

/// The most bytes of a line that are shown.
const MAX_LINE_BYTES: usize = 400;
/// How much of a long line is shown before its first match.
const LEAD_BYTES: usize = 100;
/// The longest line that is searched; a file with a longer one is not.
const MAX_HEAP_BYTES: usize = 32 * 1024 * 1024;
/// What separates groups of lines that are not neighbours.
const BREAK: &str = "--";

/// Searches files until it has enough.
pub(super) struct Searcher<'a> {
    engine: Engine,
    matcher: &'a RegexMatcher,
    context: usize,
    stop: &'a CancellationToken,
    /// How many matches are still wanted.
    left: usize,
    found: usize,
    full: bool,
}

impl<'a> Searcher<'a> {
    pub(super) fn new(
        matcher: &'a RegexMatcher,
        context: usize,
        limit: usize,
        stop: &'a CancellationToken,
    ) -> Self {
        let engine = SearcherBuilder::new()
            // Must be what the matcher was built with.
            .line_terminator(LineTerminator::crlf())
            .line_number(true)
            .before_context(context)
            .after_context(context)
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(MAX_HEAP_BYTES))
            .build();
        Self {
            engine,
            matcher,
            context,
            stop,
            left: limit,
            found: 0,
            full: false,
        }
    }

    /// Whether there are matches that had no room.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// How many matches were found.
    pub(super) fn matches(&self) -> usize {
        self.found
    }

    /// Adds the matches in a file to the page; those in a binary file do not count.
    pub(super) fn search(&mut self, path: &Path, shown: &str, page: &mut Page) -> io::Result<()> {
        self.search_in(File::open(path)?, shown, page)
    }

    fn search_in(&mut self, source: impl Read, shown: &str, page: &mut Page) -> io::Result<()> {
        let shown = text::one_line(shown, MAX_LINE_BYTES);
        let mut lines = Lines {
            matcher: self.matcher,
            shown: &shown,
            lines: Vec::new(),
            settled: 0,
            bytes: 0,
            matches: 0,
            left: self.left,
            full: false,
            binary: false,
        };
        let source = Stoppable {
            source,
            stop: self.stop,
        };
        self.engine
            .search_reader(self.matcher, source, &mut lines)?;
        if lines.binary {
            return Ok(());
        }
        self.full |= lines.full;
        if lines.lines.is_empty() {
            return Ok(());
        }
        if self.context > 0 && page.lines() > 0 {
            self.full |= !page.push(BREAK);
        }
        for (line, is_match) in &lines.lines {
            if !page.push(line) {
                self.full = true;
                break;
            }
            let one = usize::from(*is_match);
            self.found += one;
            self.left -= one;
        }
        Ok(())
    }
}

/// What is found in one file.
struct Lines<'a> {
    matcher: &'a RegexMatcher,
    shown: &'a str,
    lines: Vec<(String, bool)>,
    /// How many of the lines belong to a match that was found, not to the next one.
    settled: usize,
    bytes: usize,
    matches: usize,
    left: usize,
    full: bool,
    binary: bool,
}

impl Lines<'_> {
    fn add(&mut self, number: Option<u64>, mark: char, bytes: &[u8]) {
        let is_match = mark == ':';
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let from = if is_match && bytes.len() > MAX_LINE_BYTES {
            self.matcher
                .find(bytes)
                .ok()
                .flatten()
                .map_or(0, |found| found.start().saturating_sub(LEAD_BYTES))
        } else {
            0
        };
        let number = number.unwrap_or_default();
        let line = format!("{}{mark}{number}{mark}{}", self.shown, part(bytes, from));
        self.bytes += line.len();
        self.lines.push((line, is_match));
    }
}

/// At most [`MAX_LINE_BYTES`] of a line from a place on, with marks where something is missing.
fn part(bytes: &[u8], from: usize) -> String {
    let end = bytes.len().min(from + MAX_LINE_BYTES);
    let mut window = &bytes[from..end];
    if from > 0 {
        // The rest of a character that was cut.
        while let [0x80..=0xbf, rest @ ..] = window {
            window = rest;
        }
    }
    if end < bytes.len()
        && let Err(why) = std::str::from_utf8(window)
        && why.error_len().is_none()
    {
        window = &window[..why.valid_up_to()];
    }
    let text = String::from_utf8_lossy(window);
    let before = if from > 0 { "…" } else { "" };
    let after = if end < bytes.len() { "…" } else { "" };
    format!("{before}{text}{after}")
}

impl Sink for Lines<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Engine, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        if self.matches == self.left || self.bytes > MAX_BYTES {
            self.full = true;
            self.lines.truncate(self.settled);
            return Ok(false);
        }
        self.matches += 1;
        self.add(found.line_number(), ':', found.bytes());
        self.settled = self.lines.len();
        Ok(true)
    }

    fn context(&mut self, _: &Engine, around: &SinkContext<'_>) -> Result<bool, io::Error> {
        self.add(around.line_number(), '-', around.bytes());
        if *around.kind() == SinkContextKind::After {
            self.settled = self.lines.len();
        }
        Ok(true)
    }

    fn context_break(&mut self, _: &Engine) -> Result<bool, io::Error> {
        self.lines.push((BREAK.to_owned(), false));
        Ok(true)
    }

    fn finish(&mut self, _: &Engine, finish: &SinkFinish) -> Result<(), io::Error> {
        self.binary = finish.binary_byte_offset().is_some();
        Ok(())
    }
}

/// Ends a search of a big file as soon as nobody waits for it.
struct Stoppable<'a, R> {
    source: R,
    stop: &'a CancellationToken,
}

impl<R: Read> Read for Stoppable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_cancelled() {
            return Err(io::Error::other("the search was cancelled"));
        }
        self.source.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grep::matcher;

    fn search(pattern: &str, context: usize, limit: usize, source: impl Read) -> (String, bool) {
        let matcher = matcher(pattern, false).unwrap();
        let stop = CancellationToken::new();
        let mut searcher = Searcher::new(&matcher, context, limit, &stop);
        let mut page = Page::default();
        searcher.search_in(source, "f", &mut page).unwrap();
        (page.into_text(), searcher.is_full())
    }

    #[test]
    fn matches_and_the_lines_around_them_are_told_apart() {
        let file = "a\nb\nx\nc\nd\ne\nf\nx\n";
        let (text, full) = search("x", 1, 9, file.as_bytes());
        assert_eq!(text, "f-2-b\nf:3:x\nf-4-c\n--\nf-7-f\nf:8:x");
        assert!(!full);
    }

    #[test]
    fn the_limit_is_exact_and_full_means_that_there_is_more() {
        let (text, full) = search("x", 0, 2, "x\nx\nx\n".as_bytes());
        assert_eq!((text.as_str(), full), ("f:1:x\nf:2:x", true));
        let (text, full) = search("x", 1, 1, "x\na\nb\nc\nx\n".as_bytes());
        assert_eq!((text.as_str(), full), ("f:1:x\nf-2-a", true));
        let (_, full) = search("x", 0, 3, "x\nx\nx\n".as_bytes());
        assert!(!full);
    }

    #[test]
    fn a_binary_file_does_not_count() {
        let (text, _) = search("x", 0, 9, b"x\n\0x\n".as_slice());
        assert_eq!(text, "");
    }

    #[test]
    fn the_end_of_a_line_is_before_its_carriage_return() {
        let (text, _) = search("b$", 0, 9, "ab\r\nb c\r\nb\nx".as_bytes());
        assert_eq!(text, "f:1:ab\nf:3:b");
        let (text, _) = search("b", 0, 9, "b \t\n".as_bytes());
        assert_eq!(text, "f:1:b \t");
    }

    #[test]
    fn of_a_long_line_the_match_is_shown() {
        let line = format!("{}needle{}", "ä".repeat(5000), "ö".repeat(5000));
        let (text, _) = search("needle", 0, 9, line.as_bytes());
        assert!(text.contains("ääneedleöö"), "{text}");
        assert!(text.starts_with("f:1:…ä") && text.ends_with("ö…"), "{text}");
        assert!(text.len() < MAX_LINE_BYTES + 20);
    }

    #[test]
    fn a_search_ends_in_the_middle_of_an_endless_file_when_it_is_cancelled() {
        struct Endless<'a>(usize, &'a CancellationToken);
        impl Read for Endless<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                if self.0 == 100 {
                    self.1.cancel();
                }
                buffer.fill(b'\n');
                Ok(buffer.len())
            }
        }
        let stop = CancellationToken::new();
        let matcher = matcher("x", false).unwrap();
        let mut searcher = Searcher::new(&matcher, 0, 9, &stop);
        let endless = Endless(0, &stop);
        let ended = searcher.search_in(endless, "f", &mut Page::default());
        assert!(ended.is_err());
    }
}
