//! A listing at the end of a text that streams, whose closing fence has not come yet.
//!
//! Until then every line is code, whatever it looks like, so that nothing needs to be read again:
//! a listing of a thousand lines costs no more for each new one than a short one.

use super::build::Leaf;
use super::mend;
use super::model::{Block, Top};

/// An open fence that stands at the beginning of its line.
#[derive(Debug, Clone)]
pub(super) struct Fence {
    mark: u8,
    length: usize,
    /// How many bytes of the open text were read, up to a line end.
    read: usize,
    /// How many bytes of code these gave.
    code: usize,
}

impl Fence {
    /// The fence of `top`, when that is a listing without an end, and all that `open` holds.
    pub(super) fn open(open: &str, top: &Top) -> Option<Self> {
        let Block::Code(listing) = &top.block else {
            return None;
        };
        let mark = *open.as_bytes().first()?;
        let length = open.bytes().take_while(|byte| *byte == mark).count();
        let first_line = memchr::memchr(b'\n', open.as_bytes())? + 1;
        if !matches!(mark, b'`' | b'~') || length < 3 {
            return None;
        }
        let code = &open[first_line..];
        let fence = Self {
            mark,
            length,
            read: open.len(),
            code: code.len(),
        };
        let is_closed = code.lines().any(|line| fence.is_closed_by(line));
        (!is_closed && listing.code.starts_with(code)).then_some(fence)
    }

    /// Adds the lines of `open` that are new, and `partial` for now; `false` when the listing ends
    /// in them, and must be read as a whole.
    pub(super) fn grow(&mut self, open: &str, partial: &str, top: &mut Top) -> bool {
        let Block::Code(listing) = &mut top.block else {
            return false;
        };
        let new = &open[self.read..];
        if new.lines().any(|line| self.is_closed_by(line)) {
            return false;
        }
        listing.code.truncate(self.code);
        listing.code.push_str(new);
        self.read = open.len();
        self.code = listing.code.len();
        let shown = mend::presentable(open, partial, Leaf::Code(0));
        listing.code.push_str(shown);
        top.source.end = open.len();
        true
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let inner = line.trim_start_matches(' ');
        let mark = inner.bytes().take_while(|byte| *byte == self.mark).count();
        line.len() - inner.len() <= 3
            && mark >= self.length
            && inner[mark..].trim_matches(' ').is_empty()
    }
}
