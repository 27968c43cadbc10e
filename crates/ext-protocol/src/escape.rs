//! Escapes that stand for no character: `\ud800` without its other half.
//!
//! The JSON parser notices them only in strings that it opens. Values that travel unopened would
//! carry them on to a peer that breaks on them.

/// Where the first half of a surrogate pair without its other half is escaped, in bytes.
///
/// `json` must be valid JSON: a backslash then only ever stands inside of a string.
pub(crate) fn lone_surrogate(json: &str) -> Option<usize> {
    let bytes = json.as_bytes();
    let mut at = memchr::memmem::find(bytes, b"\\u")
        .map(|first| first - backslashes_before(bytes, first))?;
    while let Some(skipped) = bytes.get(at..)?.iter().position(|&b| b == b'\\') {
        at += skipped;
        at += match unit(bytes, at) {
            Some(0xD800..=0xDBFF) => match unit(bytes, at + 6) {
                Some(0xDC00..=0xDFFF) => 12,
                _ => return Some(at),
            },
            Some(0xDC00..=0xDFFF) => return Some(at),
            Some(_) => 6,
            None => 2,
        };
    }
    None
}

/// How many backslashes end at `at`, so that reading can start where an escape does.
fn backslashes_before(bytes: &[u8], at: usize) -> usize {
    bytes[..at]
        .iter()
        .rev()
        .take_while(|&&b| b == b'\\')
        .count()
}

/// The UTF-16 unit that is escaped at `at`, if one is.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_half_pairs_are_found() {
        let check = |json: &str, expect| assert_eq!(lone_surrogate(json), expect, "{json}");
        check(r#"{"a":"b"}"#, None);
        check(r#"["\u003e\u00e9"]"#, None);
        check(r#"["\ud83d\ude00"]"#, None);
        check(r#"["\uD83D\uDE00\n"]"#, None);
        check(r#"["\\ud800"]"#, None);
        check(r#"["\\\\ud800"]"#, None);
        check(r#"["\ud800"]"#, Some(2));
        check(r#"["\\\ud800"]"#, Some(4));
        check(r#"["\udc00"]"#, Some(2));
        check(r#"["a\ud800\u0041"]"#, Some(3));
        check(r#"["\ud83d\ude00\ud83d"]"#, Some(14));
        check(r#"["\ud800\ud83d\ude00"]"#, Some(2));
    }
}
