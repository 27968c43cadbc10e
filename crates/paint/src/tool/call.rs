//! A tool call from the first letter of its arguments to its end.

use std::time::Duration;

use ratatui_core::text::{Line, Span};
use zeug_transcript::Status;

use super::fold::{Fold, output};
use super::summary::{duration, summary};
use crate::canvas::Canvas;
use crate::diff::Diff;
use crate::picture::Picture;
use crate::safe;
use crate::theme::Role;
use crate::wrap::{Breaks, Indent, cut, spans_width, wrap};

/// Lines of changes that are seen before they are folded.
const FOLDED_DIFF_LINES: usize = 24;
/// Lines of a call's head when it is unfolded: a script may be long.
const MAX_HEAD_LINES: usize = 200;

/// How far a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The model writes its arguments.
    Written,
    /// Somebody is asked whether it may run.
    Asked,
    /// It runs.
    Running,
    /// It is over.
    Settled(Status),
}

/// A tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The tool.
    pub name: String,
    /// The arguments, as the model wrote them.
    pub args: String,
    /// How far it is.
    pub state: State,
    /// What it says of its progress while it runs.
    pub progress: String,
    /// What came of it.
    pub output: String,
    /// Images that came with it, once they are decoded.
    pub pictures: Vec<Picture>,
    /// How long it ran, or runs by now.
    pub elapsed: Option<Duration>,
    /// How much of the output is seen.
    pub fold: Fold,
    /// The key that opens and closes it, as it is shown: `ctrl+o`.
    pub key: Option<String>,
}

impl Call {
    /// A call that is being written.
    #[must_use]
    pub fn new(name: impl Into<String>, args: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            args: args.into(),
            state: State::Written,
            progress: String::new(),
            output: String::new(),
            pictures: Vec::new(),
            elapsed: None,
            fold: Fold::default(),
            key: None,
        }
    }

    /// What it is about, on one line.
    #[must_use]
    pub fn summary(&self) -> String {
        summary(&self.name, &self.args)
    }

    /// All of it as text: for the clipboard.
    #[must_use]
    pub fn text(&self) -> String {
        let head = format!("{} {}", self.name, self.summary());
        let text = format!("{}\n{}", head.trim_end(), self.output);
        safe::plain(text.trim_end()).into_owned()
    }

    /// The lines at a width.
    #[must_use]
    pub fn lines(&self, canvas: &Canvas, width: usize) -> Vec<Line<'static>> {
        let mut lines = self.head(canvas, width);
        let indent = Indent {
            first: vec![canvas.span(Role::Border, format!("{} ", canvas.symbols().branch))],
            rest: vec![Span::raw("  ")],
        };
        let room = width.saturating_sub(indent.width()).max(1);
        let pictures = self.pictures.iter();
        let pictures = pictures.flat_map(|picture| picture.lines(canvas, room));
        let body = self.body(canvas, room).into_iter().chain(pictures);
        let mut prefix = &indent.first;
        for mut line in body {
            if width > indent.width() {
                line.spans.splice(0..0, prefix.iter().cloned());
            }
            lines.push(line);
            prefix = &indent.rest;
        }
        lines
    }

    fn head(&self, canvas: &Canvas, width: usize) -> Vec<Line<'static>> {
        let symbols = canvas.symbols();
        let (mark, role) = match self.state {
            State::Written | State::Asked => (symbols.mark, Role::Dim),
            State::Running => (symbols.mark, Role::Running),
            State::Settled(Status::Completed) => (symbols.mark, Role::Success),
            State::Settled(_) => (symbols.failure, Role::Error),
        };
        let name = safe::plain_line(&self.name);
        let mut spans = vec![
            canvas.span(role, format!("{mark} ")),
            canvas.span(Role::Tool, name),
        ];
        let summary = self.summary();
        if !summary.is_empty() {
            spans.push(canvas.span(Role::ToolArgs, format!(" {summary}")));
        }
        let end = self.end(canvas);
        if self.fold.is_open {
            spans.extend(end);
            let indent = Indent {
                first: Vec::new(),
                rest: vec![Span::raw("  ")],
            };
            let mut lines = Vec::new();
            wrap(&spans, width, &indent, Breaks::Words, &mut lines);
            lines.truncate(MAX_HEAD_LINES);
            return lines;
        }
        let end_width = spans_width(&end);
        let room = width.saturating_sub(end_width);
        // Where there is little room, what is called counts more than how long it took.
        if end_width * 2 > width {
            return vec![cut(&Line::from(spans), width, symbols.ellipsis)];
        }
        let mut line = cut(&Line::from(spans), room, symbols.ellipsis);
        line.spans.extend(end);
        vec![line]
    }

    /// How it ended, if not well, and how long it took, if that is worth a word.
    fn end(&self, canvas: &Canvas) -> Vec<Span<'static>> {
        let word = match self.state {
            State::Asked => Some(("waits for an answer", Role::Warning)),
            State::Settled(Status::Failed) => Some(("failed", Role::Error)),
            State::Settled(Status::Blocked) => Some(("blocked", Role::Error)),
            State::Settled(Status::Cancelled) => Some(("cancelled", Role::Warning)),
            State::Settled(Status::TimedOut) => Some(("timed out", Role::Error)),
            State::Written | State::Running | State::Settled(Status::Completed) => None,
        };
        let mut spans = Vec::new();
        let dot = canvas.symbols().dot;
        if let Some((word, role)) = word {
            spans.push(canvas.span(Role::Dim, format!(" {dot} ")));
            spans.push(canvas.span(role, word));
        }
        if let Some(elapsed) = self.elapsed.filter(|time| *time >= Duration::from_secs(1)) {
            spans.push(canvas.span(Role::Dim, format!(" {dot} {}", duration(elapsed))));
        }
        spans
    }

    fn body(&self, canvas: &Canvas, width: usize) -> Vec<Line<'static>> {
        let key = self.key.as_deref();
        match self.state {
            State::Written | State::Asked => Vec::new(),
            State::Running => {
                // The end of what it says is what it does now.
                let fold = Fold {
                    head: 0,
                    ..self.fold
                };
                output(canvas, width, &self.progress, fold, key)
            }
            State::Settled(status) => match Diff::in_output(&self.output) {
                Some((before, diff)) if status == Status::Completed => {
                    let mut lines = output(canvas, width, before, self.fold, None);
                    let most = (!self.fold.is_open).then_some(FOLDED_DIFF_LINES);
                    lines.extend(diff.lines(canvas, width, most, key));
                    lines
                }
                _ => output(canvas, width, &self.output, self.fold, key),
            },
        }
    }
}
