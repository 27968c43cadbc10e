//! A bounded answer: lines are added until it is full.
//!
//! Does not know what the lines say or how the reader is told that there would be more.

/// The most bytes of text in one answer; the size that models of the field are used to.
pub(crate) const MAX_BYTES: usize = 50 * 1024;
/// The most lines in one answer.
pub(crate) const MAX_LINES: usize = 2000;

/// Lines up to a bound.
#[derive(Debug, Default)]
pub(crate) struct Page {
    text: String,
    lines: usize,
}

impl Page {
    /// Whether `lines` more lines of `bytes` bytes in all, line feeds included, have room.
    pub(crate) fn has_room(&self, lines: usize, bytes: usize) -> bool {
        self.lines + lines <= MAX_LINES && self.text.len() + bytes <= MAX_BYTES
    }

    /// Adds a line without its line feed; false when it has no room and was not added.
    pub(crate) fn push(&mut self, line: &str) -> bool {
        let room = self.has_room(1, line.len() + 1);
        if room {
            self.text.push_str(line);
            self.text.push('\n');
            self.lines += 1;
        }
        room
    }

    /// The number of lines.
    pub(crate) fn lines(&self) -> usize {
        self.lines
    }

    /// The text without the last line feed.
    pub(crate) fn into_text(mut self) -> String {
        self.text.pop();
        self.text
    }
}

/// A number of bytes for the eye.
pub(crate) fn size(bytes: u64) -> String {
    const KIB: u64 = 1024;
    const MIB: u64 = 1024 * KIB;
    // One decimal from integers, so that no rounding can surprise.
    let tenths = |unit: u64| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        0..KIB => format!("{bytes} bytes"),
        KIB..MIB => format!("{} KiB", tenths(KIB)),
        _ => format!("{} MiB", tenths(MIB)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_page_takes_no_more() {
        let mut page = Page::default();
        assert!(!page.push(&"x".repeat(MAX_BYTES)));
        assert!(page.push(&"x".repeat(MAX_BYTES - 1)));
        assert!(!page.push(""));
        assert_eq!(page.into_text().len(), MAX_BYTES - 1);

        let mut page = Page::default();
        assert_eq!((0..3000).filter(|_| page.push("x")).count(), MAX_LINES);
    }

    #[test]
    fn sizes_read_well() {
        assert_eq!(size(1023), "1023 bytes");
        assert_eq!(size(1536), "1.5 KiB");
        assert_eq!(size(7_200_000), "6.8 MiB");
    }
}
