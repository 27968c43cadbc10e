//! What keys do to the text: those of readline and of every text field.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use zeug_paint::cells;

use super::undo::Kind;
use super::{Editor, rows};

impl Editor {
    /// Does what a key means; false when it means nothing here. `Enter` with a modifier and ctrl+j
    /// begin a line; `Enter` alone is somebody else's.
    pub(crate) fn key(&mut self, key: KeyEvent) -> bool {
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let by_word = alt || ctrl;
        match key.code {
            KeyCode::Char(c) if ctrl && !alt => return self.control(c),
            KeyCode::Char(c) if alt && !ctrl => return self.alternative(c),
            // AltGr arrives as both.
            KeyCode::Char(c) => self.insert(c.encode_utf8(&mut [0; 4])),
            KeyCode::Enter if !key.modifiers.is_empty() => self.insert("\n"),
            KeyCode::Backspace if by_word => self.cut_to(Self::word_before),
            KeyCode::Delete if by_word => self.cut_to(Self::word_behind),
            KeyCode::Backspace => {
                let from = self.before(self.cursor);
                self.delete(from..self.cursor, Kind::Deleted);
            }
            KeyCode::Delete => {
                let to = self.behind(self.cursor);
                self.delete(self.cursor..to, Kind::Deleted);
            }
            KeyCode::Left if by_word => self.go(Self::word_before),
            KeyCode::Right if by_word => self.go(Self::word_behind),
            KeyCode::Left => self.go(Self::before),
            KeyCode::Right => self.go(Self::behind),
            KeyCode::Home if ctrl => self.go(|_, _| 0),
            KeyCode::End if ctrl => self.go(|editor, _| editor.text.len()),
            KeyCode::Home => self.go(Self::line_start),
            KeyCode::End => self.go(Self::line_end),
            KeyCode::Up => return self.rows_down(-1),
            KeyCode::Down => return self.rows_down(1),
            _ => return false,
        }
        true
    }

    fn control(&mut self, c: char) -> bool {
        match c.to_ascii_lowercase() {
            'a' => self.go(Self::line_start),
            'e' => self.go(Self::line_end),
            'b' => self.go(Self::before),
            'f' => self.go(Self::behind),
            'h' => {
                let from = self.before(self.cursor);
                self.delete(from..self.cursor, Kind::Deleted);
            }
            'j' => self.insert("\n"),
            'k' => self.cut_to(Self::line_end),
            'u' => self.cut_to(Self::line_start),
            'w' => self.cut_to(Self::word_before),
            'y' => {
                let cut = self.cut.clone();
                self.save(Kind::Other);
                self.put(&cut);
            }
            'z' | '_' | '-' => {
                self.undo.undo(&mut self.text, &mut self.cursor);
            }
            _ => return false,
        }
        true
    }

    fn alternative(&mut self, c: char) -> bool {
        match c.to_ascii_lowercase() {
            'b' => self.go(Self::word_before),
            'f' => self.go(Self::word_behind),
            'd' => self.cut_to(Self::word_behind),
            'z' => {
                self.undo.redo(&mut self.text, &mut self.cursor);
            }
            _ => return false,
        }
        true
    }

    fn go(&mut self, to: impl Fn(&Self, usize) -> usize) {
        self.cursor = to(self, self.cursor);
        self.column = None;
        self.undo.pause();
    }

    fn cut_to(&mut self, to: impl Fn(&Self, usize) -> usize) {
        let at = self.cursor;
        let end = to(self, at);
        let cut = self.delete(at.min(end)..at.max(end), Kind::Other);
        if !cut.is_empty() {
            self.cut = cut;
        }
    }

    /// Moves between rows of the screen; false at the first and the last.
    fn rows_down(&mut self, count: isize) -> bool {
        let rows = rows(self, self.width.max(1));
        let (row, column) = rows.cursor;
        let column = self.column.unwrap_or(column);
        let Some(to) = row
            .checked_add_signed(count)
            .and_then(|to| rows.rows.get(to))
        else {
            return false;
        };
        let mut cells = 0;
        let mut at = to.start;
        while at < to.end {
            let next = self.behind(at);
            let label = self.label(&self.text[at..next]);
            let width = cells::width(&label);
            if cells + width > column {
                break;
            }
            cells += width;
            at = next;
        }
        // The end of a wrapped row is the beginning of the next.
        if at == to.end && to.end > to.start && to.is_wrapped {
            at = self.before(at);
        }
        self.cursor = at;
        self.column = Some(column);
        self.undo.pause();
        true
    }
}
