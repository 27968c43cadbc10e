//! Prompts that wait in the face, and the one that is with the agent. Pure.
//!
//! The face gives the agent one prompt at a time, so that those that wait can be seen and taken
//! back.

use std::collections::VecDeque;

use zeug_app::{Prompt, PromptId};

/// The most prompts that wait.
const MAX_WAITING: usize = 64;
/// Ends of prompts that are remembered until their ids are known.
const MAX_ENDED: usize = 16;

/// A prompt that waits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Waiting {
    prompt: Prompt,
    /// As it is shown.
    pub(crate) shown: String,
    /// Whether the user typed it; else an extension wanted it.
    is_typed: bool,
}

/// Where the prompt is that the agent was given.
#[derive(Debug, Default, PartialEq)]
enum Out {
    /// None is out.
    #[default]
    None,
    /// The agent has not said whether it takes it.
    Sent,
    /// It waits or runs there.
    Taken(PromptId),
}

/// Prompts that wait.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: VecDeque<Waiting>,
    out: Out,
    /// Prompts that ended before the answer came that names them.
    ended: VecDeque<PromptId>,
}

impl Queue {
    /// Puts a prompt at the end; false when too many wait.
    pub(crate) fn push(&mut self, prompt: Prompt, shown: String, is_typed: bool) -> bool {
        if self.waiting.len() >= MAX_WAITING {
            return false;
        }
        self.waiting.push_back(Waiting {
            prompt,
            shown,
            is_typed,
        });
        true
    }

    /// The next prompt for the agent, when it has none.
    pub(crate) fn next(&mut self) -> Option<Prompt> {
        if self.out != Out::None {
            return None;
        }
        let next = self.waiting.pop_front()?;
        self.out = Out::Sent;
        Some(next.prompt)
    }

    /// The agent took it, or did not.
    pub(crate) fn prompted(&mut self, id: Option<PromptId>) {
        self.out = match id {
            Some(id) if self.ended.contains(&id) => Out::None,
            Some(id) => Out::Taken(id),
            None => Out::None,
        };
        self.ended.clear();
    }

    /// A prompt is over.
    pub(crate) fn ended(&mut self, id: PromptId) {
        match self.out {
            Out::Taken(out) if out == id => self.out = Out::None,
            Out::Sent if self.ended.len() < MAX_ENDED => self.ended.push_back(id),
            _ => {}
        }
    }

    /// Whether the agent has a prompt of ours.
    pub(crate) fn is_out(&self) -> bool {
        self.out != Out::None
    }

    /// Those that wait, the next first.
    pub(crate) fn waiting(&self) -> impl ExactSizeIterator<Item = &Waiting> {
        self.waiting.iter()
    }

    /// Takes the last one back that the user typed: its text.
    pub(crate) fn take_back(&mut self) -> Option<String> {
        let at = self.waiting.iter().rposition(|waiting| waiting.is_typed)?;
        self.waiting.remove(at).map(|waiting| waiting.prompt.text)
    }

    /// Takes everything back that waits: what the user typed of it.
    pub(crate) fn take_all_back(&mut self) -> Option<String> {
        let typed = self.waiting.drain(..).filter(|waiting| waiting.is_typed);
        let texts: Vec<String> = typed.map(|waiting| waiting.prompt.text).collect();
        (!texts.is_empty()).then(|| texts.join("\n\n"))
    }
}
