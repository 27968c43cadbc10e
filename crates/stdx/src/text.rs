//! Bounded and cleaned text: nothing an outsider sends is longer or louder than allowed.
//!
//! Does not know terminals; it only removes what could drive one.

/// The longest prefix of `text` of at most `max_bytes` bytes that ends at a character boundary.
#[must_use]
pub fn prefix(text: &str, max_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(max_bytes)]
}

/// The longest suffix of `text` of at most `max_bytes` bytes that starts at a character boundary.
#[must_use]
pub fn suffix(text: &str, max_bytes: usize) -> &str {
    let from = text.len().saturating_sub(max_bytes);
    &text[text.ceil_char_boundary(from)..]
}

/// `text` when it fits into `max_bytes`, else a prefix with `…`; always one line without control characters.
///
/// # Limits
/// The result is at most `max_bytes` bytes, plus three for the ellipsis.
#[must_use]
pub fn one_line(text: &str, max_bytes: usize) -> String {
    let clean: String = prefix(text, max_bytes)
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.len() > max_bytes {
        format!("{}…", clean.trim_end())
    } else {
        clean
    }
}

/// `text` without escape sequences and control characters; line feeds stay, tabs become spaces.
///
/// For text of an extension or a model that reaches a terminal: an escape sequence goes whole
/// (CSI, OSC, and two-character escapes), not just its first byte.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_escape(&mut chars),
            '\u{9b}' => skip_csi(&mut chars),
            '\n' => out.push('\n'),
            '\t' => out.push_str("    "),
            '\r' => {
                if chars.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            // Bidirectional overrides can make a line read differently from what it is.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// One line of text that may be coloured: like [`plain`], but SGR sequences (`ESC [ … m`) stay and
/// are reset at the end, and a line feed becomes ` ↩ `.
#[must_use]
pub fn coloured_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_coloured = false;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&uncoloured(&rest[..at]));
        rest = &rest[at..];
        let taken = match sgr(rest) {
            Some(sequence) => {
                out.push_str(sequence);
                is_coloured = true;
                sequence.len()
            }
            None => escape_len(rest),
        };
        rest = &rest[taken..];
    }
    out.push_str(&uncoloured(rest));
    if is_coloured {
        out.push_str("\u{1b}[0m");
    }
    out
}

fn uncoloured(text: &str) -> String {
    plain(text).replace('\n', " ↩ ")
}

/// The SGR sequence that `text` begins with.
fn sgr(text: &str) -> Option<&str> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';' && c != ':')?;
    // More parameters than this say nothing that a colour needs.
    (end <= SGR_BYTES && parameters[end..].starts_with('m')).then(|| &text[..end + 3])
}

/// Parameters of one SGR sequence: two colours in 24 bits and every attribute fit.
const SGR_BYTES: usize = 64;

/// How long the escape sequence is that `text` begins with.
fn escape_len(text: &str) -> usize {
    let mut chars = text.chars().peekable();
    chars.next();
    skip_escape(&mut chars);
    text.len() - chars.map(char::len_utf8).sum::<usize>()
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn skip_escape(chars: &mut Chars<'_>) {
    match chars.next() {
        Some('[') => skip_csi(chars),
        // OSC, DCS, SOS, PM and APC run to BEL or ST.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            while let Some(c) = chars.next() {
                match c {
                    '\u{7}' | '\u{9c}' => break,
                    '\u{1b}' => {
                        chars.next_if_eq(&'\\');
                        break;
                    }
                    _ => {}
                }
            }
        }
        // Intermediates (such as `ESC ( B`) are followed by one final character.
        Some('\u{20}'..='\u{2f}') => {
            chars.next();
        }
        _ => {}
    }
}

fn skip_csi(chars: &mut Chars<'_>) {
    for c in chars.by_ref() {
        if ('\u{40}'..='\u{7e}').contains(&c) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_respect_characters() {
        assert_eq!(prefix("héllo", 2), "h");
        assert_eq!(suffix("héllo", 4), "llo");
        assert_eq!(prefix("abc", 9), "abc");
        assert_eq!(one_line("a\nb\u{1b}", 10), "a b ");
        assert_eq!(one_line("abcdef", 3), "abc…");
    }

    #[test]
    fn of_escapes_only_colours_stay() {
        let check = |input: &str, expect: &str| {
            assert_eq!(coloured_line(input), expect, "{input:?}");
        };
        check("plain\tx", "plain    x");
        check("\u{1b}[1;31mred", "\u{1b}[1;31mred\u{1b}[0m");
        check(
            "\u{1b}[38:2::1:2:3mx\u{1b}[m",
            "\u{1b}[38:2::1:2:3mx\u{1b}[m\u{1b}[0m",
        );
        check("\u{1b}[2Jx\u{1b}]0;t\u{7}y", "xy");
        check("\u{1b}[?25lx", "x");
        check("\u{1b}[>4;1mx", "x");
        check("a\nb\r\nc", "a ↩ b ↩ c");
        check("\u{9b}31mx", "x");
        check("\u{1b}", "");
        check(&format!("\u{1b}[{}mx", "1;".repeat(99)), "x");
    }

    #[test]
    fn escapes_go_whole() {
        let check = |input: &str, expect: &str| assert_eq!(plain(input), expect, "{input:?}");
        check("\u{1b}[31mred\u{1b}[0m", "red");
        check("\u{1b}]0;title\u{7}x", "x");
        check("\u{1b}]8;;http://e\u{1b}\\link", "link");
        check("\u{1b}(Bx", "x");
        check("a\tb\r\nc\rd", "a    b\nc\nd");
        check("bell\u{7} nul\0 bidi\u{202e}", "bell nul bidi");
        check("\u{1b}", "");
        check("\u{1b}[12", "");
    }
}
