//! Words for a terminal, from texts that others wrote: nothing in them may drive it.

use std::path::Path;

use zeug_stdx::text;

/// One line, at most 200 bytes.
pub(super) fn word(text: &str) -> String {
    text::one_line(&text::plain(text), 200)
}

/// A path, whole, on one line.
pub(super) fn path(path: &Path) -> String {
    text::one_line(&text::plain(&path.to_string_lossy()), usize::MAX)
}

/// A message, which may have several lines.
pub(super) fn lines(text: &str) -> String {
    text::plain(text)
}
