//! A search in the conversation: what is typed, and the way from hit to hit. Pure.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use zeug_paint::Op;

/// A search.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// What is looked for.
    pub(crate) text: String,
}

/// What a key came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing.
    Used,
    /// The conversation shows another place.
    Go(Op),
    /// The search is over; the place stays.
    Closed,
}

impl Search {
    pub(crate) fn key(&mut self, key: KeyEvent) -> Found {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => return Found::Closed,
            KeyCode::Char('c') if ctrl => return Found::Closed,
            KeyCode::Enter | KeyCode::Up => return Found::Go(Op::FindPrevious),
            KeyCode::Down => return Found::Go(Op::FindNext),
            KeyCode::Char('f' | 'p') if ctrl => return Found::Go(Op::FindPrevious),
            KeyCode::Char('n') if ctrl => return Found::Go(Op::FindNext),
            KeyCode::Backspace => {
                self.text.pop();
            }
            KeyCode::Char(c) if !ctrl => self.text.push(c),
            _ => return Found::Used,
        }
        Found::Go(Op::Find(self.text.clone()))
    }

    /// A text was pasted.
    pub(crate) fn paste(&mut self, text: &str) -> Op {
        self.text.push_str(&zeug_paint::safe::plain_line(text));
        Op::Find(self.text.clone())
    }
}
