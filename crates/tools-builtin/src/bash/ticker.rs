//! The latest lines of a running command, for the eye.
//!
//! Does not keep anything for the model.

use zeug_stdx::text;
use zeug_tool::Progress;

/// The most bytes of a line that are shown.
const MAX_LINE_BYTES: usize = 300;
/// The most lines that are shown of one piece of output; more could not be read anyway.
const MAX_LINES: usize = 20;

/// Finds whole lines in output that comes in pieces.
#[derive(Debug, Default)]
pub(super) struct Ticker {
    /// The start of a line whose end is still to come.
    pending: String,
}

impl Ticker {
    pub(super) fn push(&mut self, piece: &str, progress: &Progress) {
        let Some((whole, rest)) = piece.rsplit_once('\n') else {
            self.wait_for_more(piece);
            return;
        };
        let mut lines: Vec<&str> = whole.rsplit('\n').take(MAX_LINES + 1).collect();
        let first = if lines.len() > MAX_LINES {
            lines.truncate(MAX_LINES);
            None
        } else {
            lines.pop()
        };
        if let Some(first) = first {
            self.wait_for_more(first);
            show(&self.pending, progress);
        }
        for line in lines.into_iter().rev() {
            show(line, progress);
        }
        self.pending.clear();
        self.wait_for_more(rest);
    }

    fn wait_for_more(&mut self, piece: &str) {
        // Escape sequences are taken out later, hence more than is shown.
        let room = (4 * MAX_LINE_BYTES).saturating_sub(self.pending.len());
        self.pending.push_str(text::prefix(piece, room));
    }
}

fn show(line: &str, progress: &Progress) {
    let part = text::prefix(line, 4 * MAX_LINE_BYTES);
    let plain = text::plain(part);
    let line = plain.trim_end();
    if !line.is_empty() {
        progress.show(text::one_line(line, MAX_LINE_BYTES));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc;

    fn shown(pieces: &[&str]) -> Vec<String> {
        let (sink, mut lines) = mpsc::channel(100);
        let progress = Progress::to(sink);
        let mut ticker = Ticker::default();
        for piece in pieces {
            ticker.push(piece, &progress);
        }
        std::iter::from_fn(|| lines.try_recv().ok()).collect()
    }

    #[test]
    fn lines_are_shown_when_they_are_whole() {
        assert_eq!(shown(&["a\nb", "c\nd\n\ne"]), ["a", "bc", "d"]);
        assert_eq!(shown(&["a", "b"]), Vec::<String>::new());
    }

    #[test]
    fn of_a_flood_the_latest_lines_are_shown() {
        let flood: String = (0..1000).map(|n| format!("{n}\n")).collect();
        let lines = shown(&[&flood]);
        assert_eq!(lines.len(), MAX_LINES);
        assert_eq!((lines[0].as_str(), lines[19].as_str()), ("980", "999"));
    }

    #[test]
    fn colours_and_long_lines_are_cut() {
        assert_eq!(shown(&["\u{1b}[31mred\u{1b}[0m\r\n"]), ["red"]);
        let lines = shown(&["x".repeat(9999).as_str(), "\n"]);
        assert_eq!(lines[0].len(), MAX_LINE_BYTES + 3);
    }
}
