//! The entries that are not Markdown and not a tool call.

use ratatui_core::text::{Line, Span};
use zeug_rpc_protocol::NoteLevel;

use crate::canvas::Canvas;
use crate::cells;
use crate::markdown::Markdown;
use crate::picture::Picture;
use crate::safe;
use crate::theme::Role;
use crate::wrap::{Breaks, Indent, cut, wrap, wrapped};

/// What the user said: shown as it was typed, not as Markdown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct User {
    /// The text.
    pub text: String,
    /// What goes with it, each in a word or two: `image/png, 12 KiB`.
    pub attachments: Vec<String>,
    /// Images among them, once they are decoded.
    pub pictures: Vec<Picture>,
}

impl User {
    /// Text alone.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            attachments: Vec::new(),
            pictures: Vec::new(),
        }
    }

    pub(super) fn lines(&self, canvas: &Canvas, width: usize) -> Vec<Line<'static>> {
        let style = canvas.style(Role::User);
        let mark = canvas.span(Role::UserMark, format!("{} ", canvas.symbols().user));
        let indent = Indent::all(vec![mark]);
        let mut lines = Vec::new();
        for line in safe::plain(self.text.trim_end()).lines() {
            let span = Span::styled(line.to_owned(), style);
            wrap(&[span], width, &indent, Breaks::Words, &mut lines);
        }
        for attachment in &self.attachments {
            let text = format!("[{}]", safe::plain_line(attachment));
            let span = Span::styled(text, style.patch(canvas.style(Role::Dim)));
            wrap(&[span], width, &indent, Breaks::Words, &mut lines);
        }
        for line in &mut lines {
            line.style = style;
        }
        let room = width.saturating_sub(indent.width());
        let pictures = self.pictures.iter();
        for mut line in pictures.flat_map(|picture| picture.lines(canvas, room)) {
            line.spans.splice(0..0, indent.first.iter().cloned());
            lines.push(line);
        }
        lines
    }

    pub(super) fn guess(&self, width: usize) -> usize {
        1 + self.text.len() / width.saturating_sub(2).max(1) + self.attachments.len()
    }
}

/// What the model thought: its first line, or all of it.
#[derive(Debug, Clone)]
pub struct Thinking {
    /// The thoughts.
    pub text: Markdown,
    /// Whether all of it is seen.
    pub is_open: bool,
}

impl Default for Thinking {
    fn default() -> Self {
        Self {
            text: Markdown::new(Role::Thinking),
            is_open: false,
        }
    }
}

impl Thinking {
    pub(super) fn lines(&mut self, canvas: &Canvas, width: usize) -> Vec<Line<'static>> {
        let symbols = canvas.symbols();
        let style = canvas.style(Role::Thinking);
        if self.text.is_empty() {
            return Vec::new();
        }
        let sign = if self.is_open {
            symbols.unfolded
        } else {
            symbols.folded
        };
        let sign = canvas.span(Role::Dim, format!("{sign} "));
        if !self.is_open {
            // While it streams, what it thinks now; afterwards, what it began with.
            let is_finished = self.text.is_finished();
            let all = self.text.lines(canvas, width);
            let is_more = all.len() > 1;
            let mut lines = all.iter().filter(|line| !line.spans.is_empty());
            let shown = if is_finished {
                lines.next()
            } else {
                lines.next_back()
            };
            let mut spans = vec![sign];
            spans.extend(shown.into_iter().flat_map(|line| line.spans.clone()));
            if is_more {
                spans.push(Span::styled(format!(" {}", symbols.ellipsis), style));
            }
            return vec![cut(&Line::from(spans), width, symbols.ellipsis)];
        }
        let room = width.saturating_sub(2).max(1);
        let lines = self.text.lines(canvas, room).to_vec();
        let mut prefix = sign;
        let mut all = Vec::with_capacity(lines.len());
        for mut line in lines {
            if width > 2 {
                line.spans.insert(0, prefix);
            }
            prefix = Span::raw("  ");
            all.push(line);
        }
        all
    }

    pub(super) fn guess(&self, width: usize) -> usize {
        if self.is_open {
            self.text.guess(width)
        } else {
            usize::from(!self.text.is_empty())
        }
    }
}

/// What zeug or an extension has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// How serious it is.
    pub level: NoteLevel,
    /// The extension that says it; `None` for zeug itself.
    pub owner: Option<String>,
    /// The text; colours that it brings stay.
    pub text: String,
}

impl Note {
    pub(super) fn lines(&self, canvas: &Canvas, width: usize) -> Vec<Line<'static>> {
        let symbols = canvas.symbols();
        let (mark, role) = match self.level {
            NoteLevel::Info => (symbols.dot, Role::Info),
            NoteLevel::Success => (symbols.success, Role::Success),
            NoteLevel::Warn => ("!", Role::Warning),
            NoteLevel::Error => (symbols.failure, Role::Error),
        };
        let style = canvas.style(role);
        let mut first = vec![canvas.span(role, format!("{mark} "))];
        if let Some(owner) = &self.owner {
            let owner = safe::plain_line(owner);
            let owner = cells::shorten(&owner, width / 3, symbols.ellipsis);
            first.push(canvas.span(Role::Owner, format!("{owner}: ")));
        }
        let mut indent = Indent {
            first,
            rest: vec![Span::raw("  ")],
        };
        let mut lines = Vec::new();
        for line in safe::coloured(self.text.trim_end(), style, canvas.theme.depth) {
            wrap(&line.spans, width, &indent, Breaks::Words, &mut lines);
            indent = indent.following();
        }
        if lines.is_empty() {
            wrap(&[], width, &indent, Breaks::Words, &mut lines);
        }
        lines
    }
}

/// Lines with a look of their own. Whoever makes them sees to it that their text is safe.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Styled {
    /// The lines; longer ones are wrapped.
    pub lines: Vec<Line<'static>>,
}

impl Styled {
    pub(super) fn lines(&self, width: usize) -> Vec<Line<'static>> {
        let wrap = |line| wrapped(line, width, &Indent::default());
        self.lines.iter().flat_map(wrap).collect()
    }
}
