//! Calls that wait for the user: one is shown, the others wait behind it. Pure.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use zeug_app::Consent;

/// Keys typed into the editor just before a question came up are not meant for it.
const CALM: Duration = Duration::from_millis(500);

/// What can be answered, in order.
pub(crate) const CHOICES: [(&str, Consent); 4] = [
    ("Yes, once", Consent::Once),
    ("Yes, this tool from now on", Consent::Tool),
    ("Yes, everything from now on", Consent::Session),
    ("No", Consent::No),
];

/// A call that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    /// The call.
    pub(crate) id: String,
    /// The tool.
    pub(crate) tool: String,
    /// What it is about, on one line.
    pub(crate) summary: String,
    /// What it would do, in full.
    pub(crate) preview: Option<String>,
    /// Why somebody is asked although the policy would not.
    pub(crate) reason: Option<String>,
    /// The extension that wants the call.
    pub(crate) owner: Option<String>,
    /// The sub-agent that wants it.
    pub(crate) agent: Option<String>,
}

/// Calls that wait; never empty while it is a layer.
#[derive(Debug)]
pub(crate) struct Approval {
    questions: VecDeque<Question>,
    /// Which answer is marked.
    pub(crate) choice: usize,
    /// The first line of the preview that is seen.
    pub(crate) scroll: usize,
    /// The user writes something first.
    pub(crate) is_blurred: bool,
    /// Before then, keys still belong to the editor.
    armed: Instant,
}

/// What a key came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing to be done outside.
    Used,
    /// It is meant for the editor.
    Editor,
    /// The first question is answered.
    Answer(String, Consent),
}

impl Approval {
    /// `typed` is when the user typed last.
    pub(crate) fn new(question: Question, now: Instant, typed: Option<Instant>) -> Self {
        let is_typing = typed.is_some_and(|typed| now.duration_since(typed) < CALM);
        Self {
            questions: VecDeque::from([question]),
            choice: 0,
            scroll: 0,
            is_blurred: false,
            armed: if is_typing { now + CALM } else { now },
        }
    }

    /// The one that is shown.
    pub(crate) fn first(&self) -> Option<&Question> {
        self.questions.front()
    }

    /// How many wait behind it.
    pub(crate) fn more(&self) -> usize {
        self.questions.len().saturating_sub(1)
    }

    pub(crate) fn push(&mut self, question: Question) {
        self.questions.push_back(question);
    }

    /// Takes out those that need no answer any more; whether none is left.
    pub(crate) fn retain(&mut self, keep: impl Fn(&Question) -> bool) -> bool {
        let first = self.first().map(|question| question.id.clone());
        self.questions.retain(keep);
        if self.first().map(|question| question.id.clone()) != first {
            self.choice = 0;
            self.scroll = 0;
        }
        self.questions.is_empty()
    }

    pub(crate) fn key(&mut self, key: KeyEvent, now: Instant) -> Verdict {
        if now < self.armed && !matches!(key.code, KeyCode::Esc) {
            return Verdict::Editor;
        }
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Up | KeyCode::BackTab => self.choice = (self.choice + 3) % CHOICES.len(),
            KeyCode::Down | KeyCode::Tab => self.choice = (self.choice + 1) % CHOICES.len(),
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(8),
            KeyCode::PageDown => self.scroll += 8,
            KeyCode::Enter => return self.answer(self.choice),
            KeyCode::Esc => return self.answer(CHOICES.len() - 1),
            KeyCode::Char('c') if ctrl => return self.answer(CHOICES.len() - 1),
            KeyCode::Char(c) if !ctrl => match c {
                '1'..='4' => return self.answer(usize::from(c as u8 - b'1')),
                '/' => self.is_blurred = true,
                // Whoever writes without looking answers nothing: it is in the editor.
                _ => {
                    self.is_blurred = true;
                    return Verdict::Editor;
                }
            },
            _ => {}
        }
        Verdict::Used
    }

    fn answer(&mut self, choice: usize) -> Verdict {
        let (Some(question), Some((_, consent))) =
            (self.questions.pop_front(), CHOICES.get(choice))
        else {
            return Verdict::Used;
        };
        self.choice = 0;
        self.scroll = 0;
        Verdict::Answer(question.id, *consent)
    }

    /// Whether none is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }
}
