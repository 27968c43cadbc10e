//! A unified diff, read with forgiveness.

use super::{Diff, File, Hunk, Kind, Row, parts};
use crate::safe;

/// Lines past this are left out; the tools' own diffs are shorter.
const MAX_ROWS: usize = 20_000;

impl Diff {
    /// Reads a unified diff; `None` when the text is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader::default();
        for line in text.lines() {
            reader.line(line);
        }
        let mut diff = reader.end();
        if diff.is_empty() {
            return None;
        }
        parts::mark(&mut diff);
        Some(diff)
    }

    /// The diff at the end of a tool's output, and the text before it.
    #[must_use]
    pub fn in_output(text: &str) -> Option<(&str, Self)> {
        let mut at = 0;
        let mut before = "";
        let mut start = None;
        for line in text.split_inclusive('\n') {
            if before.starts_with("--- ") && line.starts_with("+++ ") {
                start = Some(at - before.len());
                break;
            }
            at += line.len();
            before = line;
        }
        let start = start?;
        Some((&text[..start], Self::parse(&text[start..])?))
    }
}

#[derive(Default)]
struct Reader {
    diff: Diff,
    file: File,
    hunk: Option<Hunk>,
    /// The numbers of the next lines, and how many the hunk still has.
    old: usize,
    new: usize,
    old_left: usize,
    new_left: usize,
    /// The line of the new text behind the last hunk.
    seen_to: usize,
    rows: usize,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if self.hunk.is_some() && (self.old_left > 0 || self.new_left > 0) {
            return self.row(line);
        }
        if let Some(name) = line.strip_prefix("--- ") {
            self.end_file();
            self.file.name = file_name(name);
        } else if let Some(name) = line.strip_prefix("+++ ") {
            let name = file_name(name);
            if name != "/dev/null" {
                self.file.name = name;
            }
        } else if let Some(header) = line.strip_prefix("@@ ") {
            self.start_hunk(header);
        } else if line.starts_with('[') && line.ends_with(']') {
            // `[12 more lines are not shown]`
            self.diff.rest = Some(safe::plain_line(line).into_owned());
        }
    }

    fn start_hunk(&mut self, header: &str) {
        self.end_hunk();
        let mut sides = header.split(' ');
        let old = sides.next().and_then(|side| side.strip_prefix('-'));
        let new = sides.next().and_then(|side| side.strip_prefix('+'));
        let (Some(old), Some(new)) = (old.and_then(range), new.and_then(range)) else {
            return;
        };
        (self.old, self.old_left) = old;
        (self.new, self.new_left) = new;
        let skipped = self.new.saturating_sub(self.seen_to.max(1));
        self.hunk = Some(Hunk {
            rows: Vec::new(),
            skipped,
        });
    }

    fn row(&mut self, line: &str) {
        let (sign, text) = match line.split_at_checked(1) {
            Some((sign, text)) => (sign, text),
            // Some programs leave the space of an empty line out.
            None => (" ", ""),
        };
        let (kind, number) = match sign {
            "+" => (Kind::Added, self.new),
            "-" => (Kind::Removed, self.old),
            " " => (Kind::Same, self.new),
            // `\ No newline at end of file`
            "\\" => return,
            _ => {
                // Not a diff any more, whatever the numbers said.
                (self.old_left, self.new_left) = (0, 0);
                return self.line(line);
            }
        };
        if kind != Kind::Added {
            self.old = self.old.saturating_add(1);
            self.old_left = self.old_left.saturating_sub(1);
        }
        if kind != Kind::Removed {
            self.new = self.new.saturating_add(1);
            self.new_left = self.new_left.saturating_sub(1);
        }
        self.rows += 1;
        if self.rows > MAX_ROWS {
            return;
        }
        if let Some(hunk) = &mut self.hunk {
            hunk.rows.push(Row {
                kind,
                number,
                text: safe::plain_line(text).into_owned(),
                parts: Vec::new(),
            });
        }
    }

    fn end_hunk(&mut self) {
        if let Some(hunk) = self.hunk.take() {
            self.seen_to = self.new;
            if !hunk.rows.is_empty() {
                self.file.hunks.push(hunk);
            }
        }
    }

    fn end_file(&mut self) {
        self.end_hunk();
        self.seen_to = 0;
        let file = std::mem::take(&mut self.file);
        if !file.hunks.is_empty() {
            self.diff.files.push(file);
        }
    }

    fn end(mut self) -> Diff {
        self.end_file();
        if self.rows > MAX_ROWS {
            let more = self.rows - MAX_ROWS;
            self.diff.rest = Some(format!("[{more} more lines are not shown]"));
        }
        self.diff
    }
}

/// `12,7` or `12`: the first line and how many.
fn range(text: &str) -> Option<(usize, usize)> {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    Some((start.parse().ok()?, count.parse().ok()?))
}

/// The name without git's prefix and what follows a tab.
fn file_name(text: &str) -> String {
    let name = text.split('\t').next().unwrap_or_default().trim_end();
    let name = name
        .strip_prefix("a/")
        .or_else(|| name.strip_prefix("b/"))
        .unwrap_or(name);
    safe::plain_line(name).into_owned()
}
