//! A message or a block of it is selected: to copy it, or to open and fold it. Pure.

use crossterm::event::{KeyCode, KeyEvent};
use zeug_paint::Op;

/// A message is selected.
#[derive(Debug, Default)]
pub(crate) struct Select;

/// What a key came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Selected {
    /// Another one is selected.
    Go(Op),
    /// It goes into the clipboard.
    Copy,
    /// It is opened or folded.
    Toggle,
    /// Nothing is selected any more.
    Closed,
    /// Nothing.
    Used,
}

impl Select {
    pub(crate) fn key(&mut self, key: KeyEvent) -> Selected {
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => Selected::Go(Op::SelectEntries(-1)),
            KeyCode::Down | KeyCode::Char('j') => Selected::Go(Op::SelectEntries(1)),
            KeyCode::Left | KeyCode::Char('h') => Selected::Go(Op::SelectBlocks(-1)),
            KeyCode::Right | KeyCode::Char('l') => Selected::Go(Op::SelectBlocks(1)),
            KeyCode::Char('y' | 'c') if key.modifiers.is_empty() => Selected::Copy,
            KeyCode::Enter => Selected::Copy,
            KeyCode::Char('o' | ' ') => Selected::Toggle,
            KeyCode::Esc | KeyCode::Char('c' | 'q') => Selected::Closed,
            _ => Selected::Used,
        }
    }
}
