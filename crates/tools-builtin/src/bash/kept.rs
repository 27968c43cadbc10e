//! The head and the tail of an output of any length, as text.
//!
//! Does not know where the output comes from or where the rest of it goes.

use zeug_stdx::text;

use crate::page::{MAX_BYTES, MAX_LINES};

/// The head gets half of a page, the tail what the head leaves.
const HEAD_BYTES: usize = MAX_BYTES / 2;
const HEAD_LINES: usize = MAX_LINES / 2;

/// What is kept of an output.
#[derive(Debug, Default)]
pub(super) struct Kept {
    decoder: Decoder,
    head: String,
    head_is_full: bool,
    /// The latest text; cut now and then, so at most twice a page.
    tail: String,
    bytes: usize,
    lines: usize,
}

impl Kept {
    /// Adds output; gives back its text.
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        let text = self.decoder.decode(bytes);
        self.add(&text);
        text
    }

    /// Whether the output is longer than what is kept.
    pub(super) fn is_cut(&self) -> bool {
        self.bytes > MAX_BYTES || self.lines > MAX_LINES
    }

    /// The output, or its head and tail with a line between them that `gap` makes of the number
    /// of lines and bytes that are missing.
    pub(super) fn end(mut self, gap: impl FnOnce(usize, u64) -> String) -> String {
        let rest = self.decoder.rest();
        self.add(rest);
        if !self.is_cut() {
            return self.head + &self.tail;
        }
        let tail = last_lines(
            &self.tail,
            MAX_BYTES - self.head.len(),
            MAX_LINES - lines(&self.head),
        );
        let missing_bytes = self.bytes - self.head.len() - tail.len();
        let missing_lines = self.lines - lines(&self.head) - lines(tail);
        let gap = gap(missing_lines, missing_bytes as u64);
        let head = self.head.trim_end_matches('\n');
        format!("{head}\n{gap}\n{tail}")
    }

    fn add(&mut self, text: &str) {
        self.bytes += text.len();
        self.lines += lines(text);
        let mut rest = text;
        if !self.head_is_full {
            let room = HEAD_BYTES - self.head.len();
            let (first, after) = split(text, room, HEAD_LINES - lines(&self.head));
            self.head.push_str(first);
            self.head_is_full = !after.is_empty();
            rest = after;
        }
        self.tail.push_str(rest);
        if self.tail.len() > 2 * MAX_BYTES {
            self.tail = text::suffix(&self.tail, MAX_BYTES).to_owned();
        }
    }
}

fn lines(text: &str) -> usize {
    text.bytes().filter(|b| *b == b'\n').count()
}

/// Splits after at most `bytes` bytes and `lines` lines.
fn split(text: &str, bytes: usize, lines: usize) -> (&str, &str) {
    let end = match lines.checked_sub(1) {
        None => 0,
        Some(last) => text
            .match_indices('\n')
            .nth(last)
            .map_or(text.len(), |(at, _)| at + 1),
    };
    let end = text.floor_char_boundary(end.min(bytes));
    text.split_at(end)
}

/// At most the last `lines` lines and `bytes` bytes, from the start of a line if there is one.
fn last_lines(text: &str, bytes: usize, lines: usize) -> &str {
    let part = text::suffix(text, bytes);
    let body = part.strip_suffix('\n').unwrap_or(part);
    let by_lines = body
        .rmatch_indices('\n')
        .nth(lines.saturating_sub(1))
        .map(|(at, _)| &part[at + 1..]);
    if let Some(last) = by_lines {
        return last;
    }
    let starts_a_line = part.len() == text.len() || text[..text.len() - part.len()].ends_with('\n');
    match body.find('\n') {
        Some(at) if !starts_a_line => &part[at + 1..],
        _ => part,
    }
}

/// Bytes in pieces to text; what is not UTF-8 becomes a replacement character, and so does NUL,
/// which not everybody takes.
#[derive(Debug, Default)]
struct Decoder {
    /// The start of a character whose rest is still to come.
    torn: Vec<u8>,
}

impl Decoder {
    fn decode(&mut self, bytes: &[u8]) -> String {
        let mut all = std::mem::take(&mut self.torn);
        all.extend_from_slice(bytes);
        let mut text = String::with_capacity(all.len());
        let mut left = all.len();
        for chunk in all.utf8_chunks() {
            text.push_str(chunk.valid());
            left -= chunk.valid().len() + chunk.invalid().len();
            if chunk.invalid().is_empty() {
                continue;
            }
            let torn = left == 0
                && std::str::from_utf8(chunk.invalid()).is_err_and(|e| e.error_len().is_none());
            if torn {
                self.torn = chunk.invalid().to_vec();
            } else {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        if text.contains('\0') {
            text = text.replace('\0', "\u{fffd}");
        }
        text
    }

    fn rest(&mut self) -> &'static str {
        if std::mem::take(&mut self.torn).is_empty() {
            ""
        } else {
            "\u{fffd}"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (String, bool) {
        let mut kept = Kept::default();
        for piece in pieces {
            kept.push(piece);
        }
        let cut = kept.is_cut();
        let text = kept.end(|lines, bytes| format!("[{lines} {bytes}]"));
        (text, cut)
    }

    #[test]
    fn what_fits_on_a_page_is_kept_whole() {
        let check = |whole: String| {
            let pieces = whole.as_bytes().chunks(777);
            assert_eq!(keep(pieces), (whole.clone(), false));
        };
        check("x".repeat(MAX_BYTES));
        check("\n".repeat(MAX_LINES));
        // Many short lines first, then few long ones: the tail is larger than half a page.
        check("a\n".repeat(1000) + &"y".repeat(MAX_BYTES - 2000));
        check("é\n".repeat(1500));
        check(String::new());
    }

    #[test]
    fn of_a_long_output_head_and_tail_are_kept() {
        let all: String = (1..=1_000_000).map(|n| format!("{n}\n")).collect();
        let (text, cut) = keep(all.as_bytes().chunks(4096));
        assert!(cut);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), MAX_LINES + 1);
        assert_eq!((lines[0], lines[999]), ("1", "1000"));
        assert!(lines[1000].starts_with("[998000 "), "{}", lines[1000]);
        assert_eq!((lines[1001], lines[2000]), ("999001", "1000000"));
    }

    #[test]
    fn long_lines_are_bounded_by_bytes_and_the_tail_starts_with_a_line() {
        let all = format!("{}\n", "z".repeat(999)).repeat(100);
        let (text, _) = keep([all.as_bytes()]);
        assert!(text.len() < MAX_BYTES + 100);
        let (_, tail) = text.split_once("]\n").unwrap();
        assert!(tail.lines().all(|line| line.len() == 999));

        let (text, _) = keep(["é".repeat(MAX_BYTES).as_bytes()]);
        assert!(text.len() < MAX_BYTES + 100 && text.ends_with('é'));
    }

    #[test]
    fn a_character_in_two_pieces_is_one_character() {
        let (text, _) = keep([b"a\xc3".as_slice(), b"\xa9\xf0\x9f", b"\x98\x80b"]);
        assert_eq!(text, "aé😀b");
    }

    #[test]
    fn what_is_not_text_is_replaced() {
        let (text, _) = keep([b"a\xffb\0".as_slice(), b"\xc3"]);
        assert_eq!(text, "a\u{fffd}b\u{fffd}\u{fffd}");
    }
}
