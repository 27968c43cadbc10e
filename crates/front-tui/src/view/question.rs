//! A question in the place of the editor: what it is about, and the answers.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use zeug_paint::wrap::{Breaks, Indent, cut, wrap};
use zeug_paint::{Diff, Role, cells, safe};

use super::frame::docked;
use crate::layer::{Approval, Ask, CHOICES, Layer, Question, Stance};
use crate::model::Model;

/// Rows that are neither the answers nor what is asked about: two lines across, and the head.
const FRAME_ROWS: u16 = 3;
/// Rows of the conversation that stay in view.
const CHAT_ROWS: u16 = 3;
/// Lines of a preview that are painted.
const MAX_LINES: usize = 2000;

/// A question as it is painted.
struct Asked<'a> {
    head: Line<'static>,
    body: Vec<Line<'static>>,
    answers: Vec<Line<'static>>,
    stance: &'a Stance,
}

impl Asked<'_> {
    /// Rows that are not what is asked about.
    fn other_rows(&self) -> u16 {
        FRAME_ROWS + u16::try_from(self.answers.len()).unwrap_or(0)
    }
}

/// The question that is shown, and which layer it is.
fn asked(model: &Model, width: usize) -> Option<(usize, Asked<'_>)> {
    let at = docked(model)?;
    let asked = match model.layers.get(at)? {
        Layer::Approval(approval) => {
            let question = approval.first()?;
            Asked {
                head: head(model, approval, question, width),
                body: body(model, question, width),
                answers: answers(model, &approval.stance, CHOICES.map(|(words, _)| words)),
                stance: &approval.stance,
            }
        }
        Layer::Ask(ask) => Asked {
            head: own_head(model, ask, width),
            body: {
                let mut lines = Vec::new();
                plain(model, &ask.body, width, &mut lines);
                lines
            },
            answers: answers(model, &ask.stance, ask.answers.iter().copied()),
            stance: &ask.stance,
        },
        _ => return None,
    };
    Some((at, asked))
}

/// How many rows the question takes; `None` when there is none.
pub(super) fn rows(model: &Model, area: Rect) -> Option<u16> {
    let (_, asked) = asked(model, text_width(area))?;
    let other = asked.other_rows();
    let body = u16::try_from(asked.body.len()).unwrap_or(u16::MAX - other);
    // What runs and the status line stay in view, too.
    let most = area.height.saturating_sub(2 + CHAT_ROWS).max(other);
    Some((other + body).min(most).min(area.height))
}

fn text_width(area: Rect) -> usize {
    usize::from(area.width.saturating_sub(3)).max(1)
}

/// Paints it.
pub(super) fn paint(model: &mut Model, frame: &mut Frame<'_>, area: Rect) {
    let Some((at, asked)) = asked(model, text_width(area)) else {
        return;
    };
    let room = usize::from(area.height.saturating_sub(asked.other_rows()));
    let scroll = asked
        .stance
        .scroll
        .min(asked.body.len().saturating_sub(room));
    let hidden = asked.body.len().saturating_sub(scroll + room);
    let mut lines = vec![asked.head];
    lines.extend(asked.body.into_iter().skip(scroll).take(room));
    lines.extend(asked.answers);
    let canvas = &model.canvas;
    let symbols = canvas.symbols();
    let across = symbols.horizontal.repeat(usize::from(area.width));
    let across = canvas.span(Role::Warning, across);
    let buffer = frame.buffer_mut();
    buffer.set_span(area.x, area.y, &across, area.width);
    buffer.set_span(area.x, area.bottom() - 1, &across, area.width);
    if hidden > 0
        && room > 0
        && let Some(line) = lines.get_mut(room)
    {
        let words = format!(" {} {hidden} more lines, page down ", symbols.ellipsis);
        *line = Line::from(canvas.span(Role::Warning, words));
    }
    let rows = area.y + 1..area.bottom().saturating_sub(1);
    for (line, y) in lines.iter().zip(rows) {
        buffer.set_style(Rect::new(area.x, y, area.width, 1), line.style);
        buffer.set_line(area.x + 1, y, line, area.width.saturating_sub(2));
    }
    if let Some(stance) = model.layers.get_mut(at).and_then(Layer::stance_mut) {
        stance.scroll = scroll;
    }
}

fn own_head(model: &Model, ask: &Ask, width: usize) -> Line<'static> {
    let canvas = &model.canvas;
    let line = Line::from(canvas.span(Role::Warning, ask.head.clone()));
    cut(&line, width, canvas.symbols().ellipsis)
}

fn head(model: &Model, approval: &Approval, question: &Question, width: usize) -> Line<'static> {
    let canvas = &model.canvas;
    let dots = canvas.symbols().ellipsis;
    let mut spans = vec![canvas.span(Role::Warning, "May this run? ")];
    if let Some(owner) = &question.owner {
        let owner = safe::plain_line(owner).into_owned();
        spans.push(canvas.span(Role::Owner, format!("{owner} wants ")));
    }
    if question.agent.is_some() {
        spans.push(canvas.span(Role::Owner, "a sub-agent wants "));
    }
    let tool = safe::plain_line(&question.tool).into_owned();
    spans.push(canvas.span(Role::Tool, tool));
    let summary = safe::plain_line(&question.summary);
    spans.push(canvas.span(Role::ToolArgs, format!(" {summary}")));
    let mut more = String::new();
    if approval.more() > 0 {
        more = format!("  ({} more queued)", approval.more());
    }
    let mut line = cut(
        &Line::from(spans),
        width.saturating_sub(cells::width(&more)),
        dots,
    );
    line.spans.push(canvas.span(Role::Dim, more));
    line
}

/// What the call would do, and why somebody is asked.
fn body(model: &Model, question: &Question, width: usize) -> Vec<Line<'static>> {
    let canvas = &model.canvas;
    let mut lines = Vec::new();
    if let Some(reason) = &question.reason {
        let reason = safe::plain_line(reason).into_owned();
        let span = canvas.span(Role::Warning, reason);
        wrap(
            &[span],
            width,
            &Indent::default(),
            Breaks::Words,
            &mut lines,
        );
    }
    let Some(preview) = &question.preview else {
        return lines;
    };
    match Diff::in_output(preview).or_else(|| Some(("", Diff::parse(preview)?))) {
        Some((before, diff)) => {
            plain(model, before, width, &mut lines);
            lines.extend(diff.lines(canvas, width, Some(MAX_LINES), None));
        }
        None => plain(model, preview, width, &mut lines),
    }
    lines
}

fn plain(model: &Model, text: &str, width: usize, lines: &mut Vec<Line<'static>>) {
    for line in safe::plain(text).trim_end().lines().take(MAX_LINES) {
        let span = model.canvas.span(Role::CodeBlock, line.to_owned());
        wrap(&[span], width, &Indent::default(), Breaks::Anywhere, lines);
    }
}

fn answers(
    model: &Model,
    stance: &Stance,
    words: impl IntoIterator<Item = &'static str>,
) -> Vec<Line<'static>> {
    let canvas = &model.canvas;
    let symbols = canvas.symbols();
    let answer = |(at, words): (usize, &'static str)| {
        let is_marked = at == stance.choice;
        let mark = if is_marked { symbols.pointer } else { " " };
        let role = if is_marked { Role::Accent } else { Role::Text };
        Line::from(vec![
            canvas.span(Role::Accent, format!("{mark} ")),
            canvas.span(Role::Key, format!("{} ", at + 1)),
            canvas.span(role, words),
        ])
    };
    words.into_iter().enumerate().map(answer).collect()
}
