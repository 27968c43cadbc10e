//! Calls that wait for the user: one is shown, the others wait behind it. Pure.

use std::collections::VecDeque;
use std::time::Instant;

use crossterm::event::KeyEvent;
use zeug_app::Consent;

use crate::layer::{Pressed, Stance};

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
    /// How the one that is shown stands.
    pub(crate) stance: Stance,
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
        Self {
            questions: VecDeque::from([question]),
            stance: Stance::new(0, now, typed),
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
            self.stance.begin_again();
        }
        self.questions.is_empty()
    }

    pub(crate) fn key(&mut self, key: KeyEvent, now: Instant) -> Verdict {
        match self.stance.key(key, now, CHOICES.len()) {
            Pressed::Used => Verdict::Used,
            Pressed::Editor => Verdict::Editor,
            Pressed::Chosen(choice) => self.answer(choice),
        }
    }

    fn answer(&mut self, choice: usize) -> Verdict {
        let (Some(question), Some((_, consent))) =
            (self.questions.pop_front(), CHOICES.get(choice))
        else {
            return Verdict::Used;
        };
        self.stance.begin_again();
        Verdict::Answer(question.id, *consent)
    }

    /// Whether none is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }
}
