//! How a question in the place of the editor stands, and what keys do to it. Pure.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Keys typed into the editor just before a question came up are not meant for it.
const CALM: Duration = Duration::from_millis(500);
/// Lines of a page of what is asked about.
const PAGE: usize = 8;

/// How a question stands.
#[derive(Debug)]
pub(crate) struct Stance {
    /// Which answer is marked.
    pub(crate) choice: usize,
    /// The first line that is seen of what is asked about.
    pub(crate) scroll: usize,
    /// The user writes something first.
    pub(crate) is_blurred: bool,
    /// Before then, keys still belong to the editor.
    armed: Instant,
}

/// What a key came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Pressed {
    /// Nothing to be done outside.
    Used,
    /// It is meant for the editor.
    Editor,
    /// This answer.
    Chosen(usize),
}

impl Stance {
    /// With an answer marked; `typed` is when the user typed last.
    pub(crate) fn new(choice: usize, now: Instant, typed: Option<Instant>) -> Self {
        let is_typing = typed.is_some_and(|typed| now.duration_since(typed) < CALM);
        Self {
            choice,
            scroll: 0,
            is_blurred: false,
            armed: if is_typing { now + CALM } else { now },
        }
    }

    /// Another question is asked from now on.
    pub(crate) fn begin_again(&mut self) {
        self.choice = 0;
        self.scroll = 0;
    }

    /// A key, for so many answers, of which the last one is no.
    pub(crate) fn key(&mut self, key: KeyEvent, now: Instant, answers: usize) -> Pressed {
        if now < self.armed && key.code != KeyCode::Esc {
            return Pressed::Editor;
        }
        let no = Pressed::Chosen(answers - 1);
        match key.code {
            KeyCode::Up | KeyCode::BackTab => self.choice = (self.choice + answers - 1) % answers,
            KeyCode::Down | KeyCode::Tab => self.choice = (self.choice + 1) % answers,
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(PAGE),
            KeyCode::PageDown => self.scroll += PAGE,
            KeyCode::Enter => return Pressed::Chosen(self.choice),
            KeyCode::Esc => return no,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return no,
            KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
                let digit = c.to_digit(10).and_then(|digit| usize::try_from(digit).ok());
                match digit.and_then(|digit| digit.checked_sub(1)) {
                    Some(answer) if answer < answers => return Pressed::Chosen(answer),
                    _ => self.is_blurred = true,
                }
                // Whoever writes without looking answers nothing: it is in the editor.
                if c != '/' {
                    return Pressed::Editor;
                }
            }
            _ => {}
        }
        Pressed::Used
    }
}
