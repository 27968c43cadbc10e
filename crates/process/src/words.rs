//! The last lines of a stream, bounded and fit to be shown; does not know where they come from.

/// Bytes kept of a stream, and the most that is shown of it.
const KEPT_BYTES: usize = 4 * 1024;

/// Lines shown.
const SHOWN_LINES: usize = 20;

/// Keeps the end of a stream.
#[derive(Debug, Default)]
pub(crate) struct LastWords {
    tail: Vec<u8>,
    cut: bool,
}

impl LastWords {
    /// Takes the next piece of the stream.
    pub(crate) fn push(&mut self, piece: &[u8]) {
        self.tail.extend_from_slice(piece);
        // Cut in large steps, so that small pieces do not move the whole tail each time.
        if self.tail.len() > 2 * KEPT_BYTES {
            self.tail.drain(..self.tail.len() - KEPT_BYTES);
            self.cut = true;
        }
    }

    /// At most 20 lines and 4 KiB, without control characters, escape sequences, blank lines and
    /// text that a carriage return wrote over. Oldest first; a line cut at its front begins `…`.
    pub(crate) fn lines(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.tail);
        let mut lines = Vec::new();
        let mut room = KEPT_BYTES;
        let mut rest = text.split('\n').rev().peekable();
        while let Some(raw) = rest.next() {
            if lines.len() == SHOWN_LINES {
                break;
            }
            let mut line = plain(raw);
            if line.trim().is_empty() {
                continue;
            }
            if self.cut && rest.peek().is_none() {
                line.insert(0, '…');
            }
            if line.len() > room {
                if lines.is_empty() {
                    lines.push(end_of(&line, room));
                }
                break;
            }
            room -= line.len();
            lines.push(line);
        }
        lines.reverse();
        lines
    }
}

/// The last bytes of `line`, together with the mark at most `room`, from a character on.
fn end_of(line: &str, room: usize) -> String {
    let from = line.ceil_char_boundary(line.len() - (room - '…'.len_utf8()));
    format!("…{}", &line[from..])
}

/// One line as a terminal would leave it, without what could command a terminal.
fn plain(raw: &str) -> String {
    let raw = raw.trim_end_matches('\r');
    let raw = raw.rsplit('\r').next().unwrap_or(raw);
    let mut plain = String::with_capacity(raw.len());
    let mut characters = raw.chars();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' => skip_escape(&mut characters),
            '\t' => plain.push(' '),
            _ if character.is_control() || is_bidi_control(character) => {}
            _ => plain.push(character),
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// Moves past the rest of an escape sequence (ECMA-48): `[` up to a final byte, `]` and its like
/// up to BEL or ESC and one more, else one character.
fn skip_escape(characters: &mut std::str::Chars<'_>) {
    match characters.next() {
        Some('[') => {
            characters.find(|character| ('\u{40}'..='\u{7e}').contains(character));
        }
        Some(']' | 'P' | '_' | '^' | 'X') => {
            let end = characters.find(|character| matches!(character, '\u{7}' | '\u{1b}'));
            if end == Some('\u{1b}') {
                characters.next();
            }
        }
        _ => {}
    }
}

/// Characters that turn the direction of the text around them.
fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: &[&str]) {
        let mut words = LastWords::default();
        words.push(input.as_bytes());
        assert_eq!(words.lines(), expected);
    }

    #[test]
    fn only_what_can_be_shown_is_kept() {
        check("", &[]);
        check("one\r\n\n  \ntwo", &["one", "two"]);
        check("\u{1b}[31mred\u{1b}[0m\u{7}\tend\u{0}", &["red end"]);
        check(
            "\u{1b}]0;title\u{7}text\u{1b}]8;;x\u{1b}\\link",
            &["textlink"],
        );
        check("10%\r20%\r30%\n", &["30%"]);
        check("a\u{202e}b", &["ab"]);
    }

    #[test]
    fn twenty_lines_are_shown() {
        let input: String = (0..100).map(|number| format!("{number}\n")).collect();
        let mut words = LastWords::default();
        words.push(input.as_bytes());
        let lines = words.lines();
        assert_eq!(
            (lines.len(), lines[0].as_str(), lines[19].as_str()),
            (20, "80", "99")
        );
    }

    #[test]
    fn four_kibibytes_are_shown_in_whatever_pieces_they_come() {
        let mut words = LastWords::default();
        for _ in 0..5_000 {
            words.push("é€".as_bytes());
        }
        let lines = words.lines();
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with('…') && lines[0].ends_with('€'));
        assert!(
            (4_000..=4_096).contains(&lines[0].len()),
            "{}",
            lines[0].len()
        );
    }

    #[test]
    fn bytes_that_are_no_text_do_not_make_it_longer() {
        let mut words = LastWords::default();
        words.push(&[0xff; 9_000]);
        let total: usize = words.lines().iter().map(String::len).sum();
        assert!(total <= 4_096, "{total}");
    }
}
