//! A text to read: scrolls, and is closed. Pure.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A text to read.
#[derive(Debug)]
pub(crate) struct Sheet {
    /// Its headline.
    pub(crate) title: String,
    /// The text, plain.
    pub(crate) text: String,
    /// The first line that is seen.
    pub(crate) scroll: usize,
    /// How many lines had room when it was drawn.
    pub(crate) room: usize,
}

impl Sheet {
    pub(crate) fn new(title: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            text: text.into(),
            scroll: 0,
            room: 1,
        }
    }

    pub(crate) fn scroll_by(&mut self, lines: isize) {
        self.scroll = self.scroll.saturating_add_signed(lines);
    }

    /// Whether it is to be closed.
    pub(crate) fn key(&mut self, key: KeyEvent) -> bool {
        let page = self.room.saturating_sub(1).max(1).cast_signed();
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.scroll_by(-1),
            KeyCode::Down | KeyCode::Char('j') => self.scroll_by(1),
            KeyCode::PageUp => self.scroll_by(-page),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll_by(page),
            KeyCode::Home => self.scroll = 0,
            KeyCode::End => self.scroll = usize::MAX / 2,
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => return true,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return true,
            _ => {}
        }
        false
    }
}
