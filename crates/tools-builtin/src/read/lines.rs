//! A window of lines out of a file of any size, with no more of it in memory than is shown.
//!
//! Does not know files: it reads from anything, so its tests need none.

use std::io::{self, BufRead, BufReader, Read};

use tokio_util::sync::CancellationToken;

use crate::page::{MAX_BYTES, MAX_LINES};

const BUFFER_BYTES: usize = 64 * 1024;

/// Which lines are wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Want {
    /// Counted from 1.
    pub(super) first: u64,
    /// The most lines; the bounds of a page hold as well.
    pub(super) count: u64,
}

/// The lines that were found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Window {
    /// The lines, joined by line feeds.
    pub(super) text: String,
    /// How many.
    pub(super) lines: u64,
    /// The number of the line after the last one that was shown or skipped.
    pub(super) next: u64,
    /// Whether there is a line `next`.
    pub(super) more: bool,
    /// The bytes of the only line, when it was too long to be shown whole.
    pub(super) cut: Option<u64>,
    /// Whether a shown line ended with CR LF.
    pub(super) crlf: bool,
    /// Whether a shown line was not UTF-8.
    pub(super) lossy: bool,
    /// Whether a shown line contains a NUL byte.
    pub(super) binary: bool,
}

/// Reads the window. When `stop` is set it ends early with whatever it has.
pub(super) fn window(
    source: impl Read,
    want: Want,
    stop: &CancellationToken,
) -> io::Result<Window> {
    let mut lines = Lines {
        source: BufReader::with_capacity(BUFFER_BYTES, source),
        stop,
    };
    let mut found = Window {
        next: 1,
        ..Window::default()
    };
    let mut bytes = Vec::new();
    while found.next < want.first {
        if lines.next(0, &mut bytes)?.is_none() {
            return Ok(found);
        }
        found.next += 1;
    }
    let most = want.count.min(MAX_LINES as u64);
    loop {
        if found.lines == most {
            found.more = lines.has_more()?;
            return Ok(found);
        }
        let Some(whole) = lines.next(MAX_BYTES, &mut bytes)? else {
            return Ok(found);
        };
        if !found.take(&mut bytes, whole) {
            found.more = true;
            return Ok(found);
        }
        if found.binary {
            return Ok(found);
        }
        if found.cut.is_some() {
            found.more = lines.has_more()?;
            return Ok(found);
        }
    }
}

impl Window {
    /// Adds a line of which `bytes` are the kept ones of `whole`; false when it has no room.
    fn take(&mut self, bytes: &mut Vec<u8>, whole: u64) -> bool {
        let cut = whole > bytes.len() as u64;
        let crlf = !cut && bytes.last() == Some(&b'\r');
        if crlf {
            bytes.pop();
        }
        if cut {
            drop_torn_character(bytes);
        }
        let start = usize::from(self.next == 1 && bytes.starts_with(b"\xef\xbb\xbf")) * 3;
        let line = String::from_utf8_lossy(&bytes[start..]);
        let lossy = matches!(line, std::borrow::Cow::Owned(_));
        let room = MAX_BYTES.saturating_sub(self.text.len());
        if line.len() < room || (self.lines == 0 && line.len() == room) {
            if self.lines > 0 {
                self.text.push('\n');
            }
            self.text.push_str(&line);
        } else if self.lines == 0 {
            // Replacement characters can be longer than what they replace.
            self.text
                .push_str(zeug_stdx::text::prefix(&line, MAX_BYTES));
        } else {
            return false;
        }
        self.cut = (cut || line.len() > room).then_some(whole);
        self.crlf |= crlf;
        self.lossy |= lossy;
        self.binary |= bytes.contains(&0);
        self.lines += 1;
        self.next += 1;
        true
    }
}

/// Takes away the first bytes of a character that was cut.
fn drop_torn_character(bytes: &mut Vec<u8>) {
    if let Err(why) = std::str::from_utf8(bytes)
        && why.error_len().is_none()
    {
        bytes.truncate(why.valid_up_to());
    }
}

struct Lines<'a, R> {
    source: BufReader<R>,
    stop: &'a CancellationToken,
}

impl<R: Read> Lines<'_, R> {
    /// Reads a line and keeps at most `keep` bytes of it, without the line feed. Says how many
    /// bytes the line has, or `None` at the end.
    fn next(&mut self, keep: usize, kept: &mut Vec<u8>) -> io::Result<Option<u64>> {
        kept.clear();
        let mut whole = 0u64;
        let mut any = false;
        loop {
            let bytes = self.fill()?;
            if bytes.is_empty() {
                return Ok(any.then_some(whole));
            }
            any = true;
            let end = bytes.iter().position(|b| *b == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            whole += part.len() as u64;
            let room = keep - kept.len();
            kept.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.source.consume(used);
            if end.is_some() {
                return Ok(Some(whole));
            }
        }
    }

    fn has_more(&mut self) -> io::Result<bool> {
        Ok(!self.fill()?.is_empty())
    }

    fn fill(&mut self) -> io::Result<&[u8]> {
        if self.stop.is_cancelled() {
            return Ok(&[]);
        }
        self.source.fill_buf()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: impl AsRef<[u8]>, first: u64, count: u64) -> Window {
        let want = Want { first, count };
        window(source.as_ref(), want, &CancellationToken::new()).unwrap()
    }

    #[test]
    fn a_window_says_where_to_go_on() {
        let check = |first, count, text: &str, next, more| {
            let found = read("a\nb\nc\n", first, count);
            assert_eq!(
                (found.text.as_str(), found.next, found.more),
                (text, next, more),
                "{first} {count}"
            );
        };
        check(1, 9, "a\nb\nc", 4, false);
        check(2, 1, "b", 3, true);
        check(3, 1, "c", 4, false);
        check(4, 1, "", 4, false);
        check(9, 1, "", 4, false);
    }

    #[test]
    fn the_offset_is_applied_before_the_cap() {
        let file: String = (1..=100_000).map(|n| format!("line {n}\n")).collect();
        let found = read(&file, 90_000, 2);
        assert_eq!(found.text, "line 90000\nline 90001");
        let found = read(&file, 1, u64::MAX);
        assert_eq!((found.lines, found.next, found.more), (2000, 2001, true));
    }

    #[test]
    fn a_window_that_is_full_stops_before_the_line_that_has_no_room() {
        let file = format!("{}\n{}\nlast", "x".repeat(30_000), "y".repeat(30_000));
        let found = read(&file, 1, 9);
        assert_eq!((found.lines, found.next, found.more), (1, 2, true));
        let found = read(&file, 2, 9);
        assert_eq!((found.lines, found.next, found.more), (2, 4, false));
        assert_eq!(found.cut, None);
    }

    #[test]
    fn a_line_longer_than_the_cap_is_cut_at_a_character() {
        let file = format!("a\nx{}\nb", "é".repeat(MAX_BYTES));
        let found = read(&file, 2, 9);
        assert_eq!(found.text.len(), MAX_BYTES - 1);
        assert!(found.text.ends_with('é') && !found.lossy);
        assert_eq!(found.cut, Some(2 * MAX_BYTES as u64 + 1));
        assert_eq!((found.next, found.more), (3, true));
    }

    #[test]
    fn a_byte_that_is_not_utf8_cannot_break_the_bound() {
        let found = read(vec![0xff; MAX_BYTES], 1, 9);
        assert!(found.lossy && found.text.len() <= MAX_BYTES);
        assert_eq!(found.cut, Some(MAX_BYTES as u64));
    }

    #[test]
    fn bom_and_carriage_returns_are_not_shown() {
        let found = read("\u{feff}a\r\nb\r\n", 1, 9);
        assert_eq!(found.text, "a\nb");
        assert!(found.crlf);
        assert!(!read("a\n", 1, 9).crlf);
    }

    #[test]
    fn a_nul_in_a_shown_line_is_noticed() {
        assert!(read("a\nb\0\n", 2, 1).binary);
        assert!(!read("a\0\nb\n", 2, 1).binary);
    }
}
