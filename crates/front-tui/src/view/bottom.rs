//! Everything between the conversation and the last row, the editor aside: what runs, prompts that
//! wait, notes, widgets, status items, the status line. And the rail at the right.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use zeug_app::{Position, Widget};
use zeug_paint::tool::duration;
use zeug_paint::wrap::{Indent, cut, spans_width, wrapped};
use zeug_paint::{Canvas, Role, cells, safe};
use zeug_rpc_protocol::NoteLevel;

use crate::model::{Model, level};

/// The most rows of all widgets.
const WIDGET_ROWS: usize = 12;
/// The most rows of all status items.
const STATUS_ROWS: usize = 6;
/// The most rows of notes.
const NOTE_ROWS: usize = 8;
/// The most rows of prompts that wait.
const QUEUE_ROWS: usize = 4;

/// A part with its lines.
#[derive(Debug)]
pub(super) struct Part {
    lines: Vec<Line<'static>>,
    is_status: bool,
}

impl Part {
    pub(super) fn rows(&self) -> u16 {
        u16::try_from(self.lines.len()).unwrap_or(u16::MAX)
    }

    /// Whether it is the last one, below the editor.
    pub(super) fn is_status(&self) -> bool {
        self.is_status
    }

    pub(super) fn paint(&self, frame: &mut Frame<'_>, area: Rect) {
        let buffer = frame.buffer_mut();
        for (line, y) in self.lines.iter().zip(area.y..area.bottom()) {
            buffer.set_style(Rect::new(area.x, y, area.width, 1), line.style);
            buffer.set_line(area.x, y, line, area.width);
        }
    }
}

/// The parts from the top; each keeps to its share of the screen.
pub(super) fn parts(model: &Model, area: Rect, has_rail: bool, writing: u16) -> Vec<Part> {
    let width = usize::from(area.width);
    // The status line takes one row, the conversation three.
    let mut room = usize::from(area.height.saturating_sub(writing)).saturating_sub(4);
    let mut take = |lines: Vec<Line<'static>>, most: usize, mark: &str| {
        let lines = bounded(&model.canvas, lines, most.min(room), mark);
        room -= lines.len();
        Part {
            lines,
            is_status: false,
        }
    };
    let working = take(working(model, width), 1, "");
    let notes = take(
        notes(model, width),
        NOTE_ROWS,
        "more notes, esc takes them away",
    );
    let queue = take(waiting(model, width), QUEUE_ROWS, "more prompts wait");
    let widgets = take(
        widgets(model, width, has_rail),
        WIDGET_ROWS,
        "extension widgets truncated",
    );
    let status = take(
        statuses(model, width),
        STATUS_ROWS,
        "extension statuses truncated",
    );
    vec![
        working,
        notes,
        queue,
        widgets,
        status,
        Part {
            lines: vec![status_line(model, width)],
            is_status: true,
        },
    ]
}

/// At most so many lines, the last of which says that there are more.
fn bounded(
    canvas: &Canvas,
    mut lines: Vec<Line<'static>>,
    most: usize,
    mark: &str,
) -> Vec<Line<'static>> {
    if lines.len() > most {
        lines.truncate(most.saturating_sub(1));
        if most > 0 {
            let dots = canvas.symbols().ellipsis;
            let mark = format!(" {dots} {mark} {dots}");
            lines.push(Line::from(canvas.span(Role::Dim, mark)));
        }
    }
    lines
}

/// What runs now.
fn working(model: &Model, width: usize) -> Vec<Line<'static>> {
    let canvas = &model.canvas;
    let symbols = canvas.symbols();
    let waits = !model.is_ready && model.queue.waiting().len() > 0;
    let what = if model.turn.is_stopping {
        "stopping".to_owned()
    } else if let Some(retry) = &model.turn.retry {
        format!("the provider failed: {retry}")
    } else if model.is_busy() {
        "working".to_owned()
    } else if waits {
        "extensions start".to_owned()
    } else if let Some(job) = model.jobs.first() {
        job.clone()
    } else {
        return Vec::new();
    };
    let frame = if model.look.calm {
        symbols.mark.to_owned()
    } else {
        canvas.theme.spinner.frame(model.age()).to_owned()
    };
    let mut spans = vec![
        canvas.span(Role::Spinner, format!(" {frame} ")),
        canvas.span(Role::Text, safe::plain_line(&what).into_owned()),
    ];
    if let Some(since) = model.turn.since {
        let seconds = model.now.duration_since(since).as_secs();
        if seconds > 0 {
            let time = duration(std::time::Duration::from_secs(seconds));
            spans.push(canvas.span(Role::Dim, format!(" {} {time}", symbols.dot)));
        }
    }
    if model.is_busy() && !model.turn.is_stopping {
        spans.push(canvas.span(Role::Dim, format!(" {} ", symbols.dot)));
        spans.push(canvas.span(Role::Key, "esc"));
        spans.push(canvas.span(Role::Dim, " stops"));
    }
    vec![cut(&Line::from(spans), width, symbols.ellipsis)]
}

fn notes(model: &Model, width: usize) -> Vec<Line<'static>> {
    let canvas = &model.canvas;
    let mut lines = Vec::new();
    for note in model.notes.iter() {
        let role = level_role(note.level);
        let owner = note.owner.as_deref().map(|owner| {
            let owner = safe::plain_line(owner);
            let owner = cells::shorten(&owner, width / 3, canvas.symbols().ellipsis);
            canvas.span(Role::Owner, format!("[{owner}] "))
        });
        let mut first = vec![Span::raw(" ")];
        first.extend(owner);
        let indent = Indent::all(first);
        for line in safe::coloured(note.text.trim_end(), canvas.style(role), canvas.theme.depth) {
            lines.extend(wrapped(&line, width, &indent));
        }
    }
    // The latest are the ones to be read.
    let over = lines.len().saturating_sub(NOTE_ROWS);
    if over > 0 {
        lines.rotate_left(over);
    }
    lines
}

/// How a level looks.
pub(super) fn level_role(level: NoteLevel) -> Role {
    match level {
        NoteLevel::Info => Role::Dim,
        NoteLevel::Success => Role::Success,
        NoteLevel::Warn => Role::Warning,
        NoteLevel::Error => Role::Error,
    }
}

fn waiting(model: &Model, width: usize) -> Vec<Line<'static>> {
    let canvas = &model.canvas;
    let symbols = canvas.symbols();
    let mut lines: Vec<Line<'static>> = model
        .queue
        .waiting()
        .map(|waiting| {
            let text = zeug_stdx::text::one_line(&waiting.shown, 4 * width);
            let spans = vec![
                canvas.span(Role::Dim, format!(" {} ", symbols.arrow)),
                canvas.span(Role::Dim, text),
            ];
            cut(&Line::from(spans), width, symbols.ellipsis)
        })
        .collect();
    if let Some(last) = lines.last_mut() {
        let hint = "   up takes it back";
        if spans_width(&last.spans) + hint.len() <= width {
            last.spans.push(canvas.span(Role::Dim, hint));
        }
    }
    lines
}

fn widgets(model: &Model, width: usize, has_rail: bool) -> Vec<Line<'static>> {
    let is_here = |widget: &&Widget| !has_rail || widget.position == Position::AboveInput;
    let widgets = model.chrome.widgets().filter(is_here);
    widgets
        .flat_map(|widget| widget_lines(model, widget, width, true))
        .collect()
}

fn widget_lines(
    model: &Model,
    widget: &Widget,
    width: usize,
    has_owner: bool,
) -> Vec<Line<'static>> {
    let canvas = &model.canvas;
    let dots = canvas.symbols().ellipsis;
    let mut lines = Vec::new();
    let owner = safe::plain_line(&widget.extension);
    let title = widget.title.as_deref().unwrap_or_default();
    let mut head = vec![Span::raw(" ")];
    if has_owner {
        head.push(canvas.span(Role::Owner, format!("[{owner}] ")));
    }
    head.push(canvas.span(Role::Strong, safe::plain_line(title).into_owned()));
    if has_owner || !title.is_empty() {
        lines.push(cut(&Line::from(head), width, dots));
    }
    for text in &widget.lines {
        let style = canvas.style(checklist(text));
        let painted = safe::coloured(text, style, canvas.theme.depth);
        let mut line = painted.into_iter().next().unwrap_or_default();
        line.spans.insert(0, Span::raw(" "));
        lines.push(cut(&line, width, dots));
    }
    lines
}

/// Marks of a checklist: what is done matters less, what is at work more.
fn checklist(line: &str) -> Role {
    let line = line.trim_start();
    if line.starts_with("[x]") || line.starts_with("[X]") {
        Role::Dim
    } else if line.starts_with("[>]") {
        Role::Accent
    } else {
        Role::Text
    }
}

/// The rail at the right.
pub(super) fn rail(model: &Model, frame: &mut Frame<'_>, area: Rect) {
    let canvas = &model.canvas;
    let buffer = frame.buffer_mut();
    let border = canvas.span(Role::Border, canvas.symbols().vertical);
    for y in area.y..area.bottom() {
        buffer.set_span(area.x - 1, y, &border, 1);
    }
    let is_here = |widget: &&Widget| widget.position == Position::RightBar;
    let widgets = model.chrome.widgets().filter(is_here);
    let lines = widgets.flat_map(|widget| {
        let mut lines = widget_lines(model, widget, usize::from(area.width), true);
        lines.push(Line::default());
        lines
    });
    let room = usize::from(area.height);
    let lines = bounded(canvas, lines.collect(), room, "extension widgets truncated");
    for (line, y) in lines.iter().zip(area.y..area.bottom()) {
        buffer.set_line(area.x, y, line, area.width);
    }
}

/// Status items side by side, over as many rows as they need.
fn statuses(model: &Model, width: usize) -> Vec<Line<'static>> {
    let canvas = &model.canvas;
    let dots = canvas.symbols().ellipsis;
    let mut lines: Vec<Line<'static>> = Vec::new();
    let mut used = width;
    for item in model.chrome.status() {
        let style = match level_role(level(item.level)) {
            Role::Dim => canvas.style(Role::Text),
            role => canvas.style(role),
        };
        let text = safe::coloured(&item.text, style, canvas.theme.depth);
        let owner = safe::plain_line(&item.extension);
        let mut spans = vec![canvas.span(Role::Owner, format!(" [{owner}] "))];
        spans.extend(text.into_iter().next().unwrap_or_default().spans);
        let line = cut(&Line::from(spans), width, dots);
        let cells = spans_width(&line.spans);
        match lines.last_mut().filter(|_| used + 1 + cells <= width) {
            Some(last) => {
                last.spans.push(Span::raw(" "));
                last.spans.extend(line.spans);
                used += 1 + cells;
            }
            None => {
                lines.push(line);
                used = cells;
            }
        }
    }
    lines
}

/// The last row: who answers and what was spent at the left, what can be done at the right.
fn status_line(model: &Model, width: usize) -> Line<'static> {
    let canvas = &model.canvas;
    let symbols = canvas.symbols();
    let style = canvas.style(Role::Status);
    if model.is_leaving() {
        let words = " ctrl+c once more leaves";
        return Line::from(canvas.span(Role::Warning, words)).style(style);
    }
    let facts = &model.facts;
    let dot = format!(" {} ", symbols.dot);
    let mut left = vec![safe::plain_line(&facts.model).into_owned()];
    if let Some(name) = title(model) {
        left.push(name);
    }
    left.extend(spent(model));
    let left = format!(" {}", left.join(&dot));
    let right = hints(model);
    let room = width.saturating_sub(cells::width(&right) + 1);
    let (left, right) = if room < 12 {
        (
            cells::shorten(&left, width, symbols.ellipsis),
            String::new(),
        )
    } else {
        (cells::shorten(&left, room, symbols.ellipsis), right)
    };
    let gap = width.saturating_sub(cells::width(&left) + cells::width(&right));
    Line::from(vec![
        Span::styled(left, Style::default()),
        Span::raw(" ".repeat(gap)),
        canvas.span(Role::Dim, right),
    ])
    .style(style)
}

fn title(model: &Model) -> Option<String> {
    let session = model.facts.session.as_ref()?;
    let title = session.title.as_deref()?;
    Some(zeug_stdx::text::one_line(
        &zeug_stdx::text::plain(title),
        60,
    ))
}

/// Tokens and dollars so far.
fn spent(model: &Model) -> Vec<String> {
    let usage = &model.facts.usage;
    let tokens = usage.input_tokens + usage.output_tokens + usage.cache_read_tokens;
    let mut parts = Vec::new();
    if tokens > 0 {
        parts.push(match tokens {
            0..1000 => format!("{tokens} tokens"),
            _ => format!("{}.{} k tokens", tokens / 1000, tokens % 1000 / 100),
        });
    }
    let dollars = usage.cost_usd.map_or(0.0, zeug_transcript::Usd::dollars);
    if dollars > 0.0 {
        parts.push(format!("${dollars:.2}"));
    }
    parts
}

fn hints(model: &Model) -> String {
    use crate::layer::Layer;
    let top = model.top().and_then(|at| model.layers.get(at));
    let words = match top {
        Some(Layer::Panel(_)) => "esc closes the panel",
        Some(Layer::Sheet(_)) => "up and down scroll, esc closes",
        Some(Layer::Picker(_)) => "type to narrow, enter chooses, esc closes",
        Some(Layer::Search(_)) => "enter goes up, down goes down, esc closes",
        Some(Layer::Select(_)) => "enter copies, left and right choose a block, o opens, esc",
        Some(Layer::Approval(_)) => "1 to 4 answers, / writes first",
        Some(Layer::Ask(_)) => "1 or 2 answers, / writes first",
        None if model.has_question() => "a question waits, esc shows it",
        None if !model.has_mouse => "mouse is the terminal's, ctrl+t",
        None => "/help",
    };
    format!("{words} ")
}
