//! What a conversation is made of, ready for a [`List`](crate::List).

mod kinds;

use std::ops::Range;

use ratatui_core::text::Line;

use crate::canvas::{Canvas, Stamp};
use crate::list::Item;
use crate::markdown::Markdown;
use crate::theme::Role;
use crate::tool::Call;

pub use kinds::{Note, Styled, Thinking, User};

/// What an entry is.
#[derive(Debug, Clone)]
pub enum Kind {
    /// What the user said.
    User(User),
    /// What the model said.
    Assistant(Markdown),
    /// What the model thought.
    Thinking(Thinking),
    /// A tool call.
    Tool(Call),
    /// What zeug or an extension has to say.
    Note(Note),
    /// Lines with a look of their own: a banner, a list of what is loaded.
    Styled(Styled),
}

/// A piece of a conversation.
#[derive(Debug, Clone)]
pub struct Entry {
    kind: Kind,
    painted: Option<(Stamp, usize)>,
    lines: Vec<Line<'static>>,
}

impl From<Kind> for Entry {
    fn from(kind: Kind) -> Self {
        Self {
            kind,
            painted: None,
            lines: Vec::new(),
        }
    }
}

impl Entry {
    /// What the user said.
    #[must_use]
    pub fn user(text: &str) -> Self {
        Kind::User(User::new(text)).into()
    }

    /// What the model begins to say.
    #[must_use]
    pub fn assistant() -> Self {
        Kind::Assistant(Markdown::new(Role::Assistant)).into()
    }

    /// What the model begins to think.
    #[must_use]
    pub fn thinking() -> Self {
        Kind::Thinking(Thinking::default()).into()
    }

    /// A tool call.
    #[must_use]
    pub fn tool(call: Call) -> Self {
        Kind::Tool(call).into()
    }

    /// A note.
    #[must_use]
    pub fn note(note: Note) -> Self {
        Kind::Note(note).into()
    }

    /// Lines with a look of their own.
    #[must_use]
    pub fn styled(lines: Vec<Line<'static>>) -> Self {
        Kind::Styled(Styled { lines }).into()
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// What it is, to be changed.
    pub fn kind_mut(&mut self) -> &mut Kind {
        self.painted = None;
        &mut self.kind
    }

    /// The text of an answer or of thoughts, to be added to.
    pub fn markdown_mut(&mut self) -> Option<&mut Markdown> {
        match self.kind_mut() {
            Kind::Assistant(text) | Kind::Thinking(Thinking { text, .. }) => Some(text),
            _ => None,
        }
    }

    /// The call, to be changed.
    pub fn call_mut(&mut self) -> Option<&mut Call> {
        match self.kind_mut() {
            Kind::Tool(call) => Some(call),
            _ => None,
        }
    }

    /// Whether something is folded that could be opened, or open that could be folded.
    #[must_use]
    pub fn is_open(&self) -> Option<bool> {
        match &self.kind {
            Kind::Thinking(thinking) => Some(thinking.is_open),
            Kind::Tool(call) => Some(call.fold.is_open),
            _ => None,
        }
    }

    /// Opens or folds it; nothing for what cannot be folded.
    pub fn set_open(&mut self, is_open: bool) {
        match self.kind_mut() {
            Kind::Thinking(thinking) => thinking.is_open = is_open,
            Kind::Tool(call) => call.fold.is_open = is_open,
            _ => {}
        }
    }
}

impl Item for Entry {
    fn lines(&mut self, canvas: &Canvas, width: usize) -> &[Line<'static>] {
        let stamp = (canvas.stamp(), width);
        let is_old = self.painted.as_ref() != Some(&stamp) || self.is_behind();
        match &mut self.kind {
            // It keeps its own lines, and knows which of them are old.
            Kind::Assistant(text) => return text.lines(canvas, width),
            Kind::User(user) if is_old => self.lines = user.lines(canvas, width),
            Kind::Thinking(thinking) if is_old => self.lines = thinking.lines(canvas, width),
            Kind::Tool(call) if is_old => self.lines = call.lines(canvas, width),
            Kind::Note(note) if is_old => self.lines = note.lines(canvas, width),
            Kind::Styled(styled) if is_old => self.lines = styled.lines(width),
            _ => {}
        }
        self.painted = Some(stamp);
        &self.lines
    }

    fn guess(&self, width: usize) -> usize {
        match &self.kind {
            Kind::User(user) => user.guess(width),
            Kind::Assistant(text) => text.guess(width),
            Kind::Thinking(thinking) => thinking.guess(width),
            // A head, and half of a fold on average.
            Kind::Tool(call) if call.fold.is_open => 1 + call.output.len() / width.max(1),
            Kind::Tool(_) => 4,
            Kind::Note(note) => 1 + note.text.len() / width.max(1),
            Kind::Styled(styled) => styled.lines.len(),
        }
    }

    fn any_text(&self, test: &mut dyn FnMut(&str) -> bool) -> bool {
        match &self.kind {
            Kind::User(user) => test(&user.text),
            Kind::Assistant(text) | Kind::Thinking(Thinking { text, .. }) => {
                test(text.source()) || (!text.is_finished() && test(&text.text()))
            }
            Kind::Tool(call) => [&call.name, &call.args, &call.output]
                .into_iter()
                .any(|text| test(text)),
            Kind::Note(note) => test(&note.text) || note.owner.as_deref().is_some_and(test),
            Kind::Styled(styled) => styled.lines.iter().any(|line| test(&line.to_string())),
        }
    }

    fn text(&self) -> String {
        match &self.kind {
            Kind::User(user) => user.text.clone(),
            Kind::Assistant(text) | Kind::Thinking(Thinking { text, .. }) => text.text(),
            Kind::Tool(call) => call.text(),
            Kind::Note(note) => note.text.clone(),
            Kind::Styled(styled) => {
                let lines = styled.lines.iter().map(Line::to_string);
                lines.collect::<Vec<_>>().join("\n")
            }
        }
    }

    fn reveal(&mut self) -> bool {
        if self.is_open() == Some(false) {
            self.set_open(true);
            return true;
        }
        false
    }

    fn block_count(&mut self) -> usize {
        match &mut self.kind {
            Kind::Assistant(text) => text.block_count(),
            _ => 0,
        }
    }

    fn block(&self, at: usize) -> Option<(Range<usize>, String)> {
        match &self.kind {
            Kind::Assistant(text) => text.block(at),
            _ => None,
        }
    }

    fn is_behind(&self) -> bool {
        match &self.kind {
            Kind::Assistant(text) | Kind::Thinking(Thinking { text, .. }) => text.is_behind(),
            _ => false,
        }
    }

    fn forget(&mut self) {
        self.painted = None;
        self.lines = Vec::new();
        if let Kind::Assistant(text) | Kind::Thinking(Thinking { text, .. }) = &mut self.kind {
            text.forget();
        }
    }
}
