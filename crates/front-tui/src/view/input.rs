//! The editor between two lines across, and the pop-up above it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;
use zeug_paint::wrap::cut;
use zeug_paint::{Canvas, Role, cells};

use crate::editor::rows as editor_rows;
use crate::model::{Model, PopUp, Subject};

/// Columns before the text.
const MARK_COLUMNS: u16 = 3;
/// The most rows of a pop-up.
const POP_UP_ROWS: usize = 10;

/// How many rows the editor takes, its lines across included.
pub(super) fn rows(model: &mut Model, area: Rect) -> u16 {
    let width = text_width(area);
    model.editor.set_width(width);
    let rows = editor_rows(&model.editor, width).rows.len();
    let most = usize::from(area.height / 3).max(1);
    u16::try_from(rows.min(most)).unwrap_or(1) + 2
}

fn text_width(area: Rect) -> usize {
    usize::from(area.width.saturating_sub(MARK_COLUMNS + 1)).max(1)
}

/// Paints the editor; where the cursor is.
pub(super) fn paint(model: &Model, frame: &mut Frame<'_>, area: Rect) -> Option<(u16, u16)> {
    let canvas = &model.canvas;
    let border = if model.is_writing() {
        Role::BorderActive
    } else {
        Role::Border
    };
    across(canvas, frame, area, border);
    let inner = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(2),
        ..area
    };
    let buffer = frame.buffer_mut();
    let is_shell = model.editor.text().starts_with('!');
    let (mark, role) = if is_shell {
        ("!", Role::Warning)
    } else {
        (canvas.symbols().pointer, Role::Accent)
    };
    buffer.set_span(inner.x + 1, inner.y, &canvas.span(role, mark), 1);
    let rows = editor_rows(&model.editor, text_width(area));
    let room = usize::from(inner.height);
    let first = (rows.cursor.0 + 1).saturating_sub(room);
    if model.editor.is_empty() {
        let words = if model.is_busy() {
            "type on: it waits for its turn"
        } else {
            "ask, or type / for commands"
        };
        let line = Line::from(canvas.span(Role::Dim, words));
        let room = inner.width.saturating_sub(MARK_COLUMNS);
        buffer.set_line(inner.x + MARK_COLUMNS, inner.y, &line, room);
    }
    for (at, y) in (first..rows.rows.len()).zip(inner.y..inner.bottom()) {
        let text = rows.shown(&model.editor, at);
        let span = canvas.span(Role::Text, text);
        let room = inner.width.saturating_sub(MARK_COLUMNS);
        buffer.set_span(inner.x + MARK_COLUMNS, y, &span, room);
    }
    if room == 0 {
        return None;
    }
    let row = u16::try_from(rows.cursor.0.checked_sub(first)?).ok()?;
    let column = u16::try_from(rows.cursor.1).ok()?;
    let x = (inner.x + MARK_COLUMNS + column).min(inner.right().saturating_sub(1));
    Some((x, inner.y + row))
}

/// Lines across at the top and the bottom of an area.
fn across(canvas: &Canvas, frame: &mut Frame<'_>, area: Rect, role: Role) {
    let line = canvas.symbols().horizontal.repeat(usize::from(area.width));
    let span = canvas.span(role, line);
    let buffer = frame.buffer_mut();
    buffer.set_span(area.x, area.y, &span, area.width);
    if area.height > 1 {
        buffer.set_span(area.x, area.bottom() - 1, &span, area.width);
    }
}

/// Paints the pop-up over the last rows of the conversation.
pub(super) fn pop_up(model: &Model, frame: &mut Frame<'_>, chat: Rect) {
    let Some(pop_up) = model.pop_up.as_ref().filter(|pop_up| pop_up.is_open()) else {
        return;
    };
    if !model.is_writing() {
        return;
    }
    let most = POP_UP_ROWS.min(usize::from(chat.height));
    let lines = pop_up_lines(&model.canvas, pop_up, usize::from(chat.width), most);
    let height = u16::try_from(lines.len()).unwrap_or(0);
    let area = Rect {
        y: chat.bottom() - height,
        height,
        ..chat
    };
    frame.render_widget(Clear, area);
    let buffer = frame.buffer_mut();
    buffer.set_style(area, model.canvas.style(Role::Background));
    for (line, y) in lines.iter().zip(area.y..area.bottom()) {
        buffer.set_style(Rect::new(area.x, y, area.width, 1), line.style);
        buffer.set_line(area.x, y, line, area.width);
    }
}

fn pop_up_lines(canvas: &Canvas, pop_up: &PopUp, width: usize, most: usize) -> Vec<Line<'static>> {
    let symbols = canvas.symbols();
    if pop_up.is_waiting {
        let words = format!("   looking for files {}", symbols.ellipsis);
        return vec![Line::from(canvas.span(Role::Dim, words))];
    }
    let widest = pop_up.lines.iter().map(|line| cells::width(&line.label));
    let widest = widest.max().unwrap_or(0).min(width / 2);
    let mut lines = Vec::new();
    let mut marked = 0;
    for (at, line) in pop_up.lines.iter().enumerate() {
        if let Some(under) = line.under {
            let dash = symbols.horizontal;
            let rest = dash.repeat(width.saturating_sub(cells::width(under) + 6));
            let divider = format!("   {dash} {under} {rest}");
            let divider = Line::from(canvas.span(Role::Border, divider));
            lines.push(cut(&divider, width, ""));
        }
        let is_marked = at == pop_up.at;
        if is_marked {
            marked = lines.len();
        }
        let pointer = if is_marked { symbols.pointer } else { " " };
        let label = match pop_up.subject {
            Subject::Command => cells::shorten(&line.label, widest, symbols.ellipsis),
            Subject::File => cells::shorten_start(&line.label, width - 4, symbols.ellipsis),
        };
        let gap = " ".repeat(widest.saturating_sub(cells::width(&label)) + 2);
        let role = if is_marked { Role::Accent } else { Role::Text };
        let spans = vec![
            canvas.span(Role::Accent, format!(" {pointer} ")),
            canvas.span(role, label),
            Span::raw(gap),
            canvas.span(Role::Dim, line.detail.clone()),
        ];
        lines.push(cut(&Line::from(spans), width, symbols.ellipsis));
    }
    let first = (marked + 1).saturating_sub(most.saturating_sub(usize::from(lines.len() > most)));
    let more = lines.len().saturating_sub(first + most);
    let mut seen: Vec<Line<'static>> = lines.into_iter().skip(first).take(most).collect();
    if more > 0 && seen.len() > 1 {
        seen.pop();
        let words = format!("   {} {} more", symbols.ellipsis, more + 1);
        seen.push(Line::from(canvas.span(Role::Dim, words)));
    }
    seen
}
