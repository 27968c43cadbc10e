//! What lies on top, in boxes: panels, texts, lists to choose from, the search.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;
use zeug_paint::wrap::{Indent, cut, wrapped};
use zeug_paint::{Canvas, Role, cells, safe};

use crate::layer::{Layer, PanelLayer, Picker, Sheet, is_marked};
use crate::model::Model;

/// The widest box.
const MAX_WIDTH: u16 = 100;
/// Columns of a box that are not its text: borders and a space at both sides.
const FRAME_COLUMNS: u16 = 4;
/// Rows of a box that are not its text.
const FRAME_ROWS: u16 = 2;

/// The room of a panel's body: columns and lines.
pub(super) fn room(chat: Rect, main: Rect) -> (u16, u16) {
    let width = main.width.min(MAX_WIDTH).saturating_sub(FRAME_COLUMNS);
    // A line between the body and the footer, and the footer.
    let height = chat
        .height
        .max(main.height / 2)
        .saturating_sub(FRAME_ROWS + 2);
    (width.max(1), height.max(1))
}

/// Paints the topmost box, the others being below it; where the cursor is, if it is in there.
pub(super) fn paint(
    model: &mut Model,
    frame: &mut Frame<'_>,
    main: Rect,
    chat: Rect,
) -> Option<(u16, u16)> {
    let at = model.top()?;
    let canvas = model.canvas.clone();
    match model.layers.get_mut(at)? {
        Layer::Panel(panel) => {
            panel_box(&canvas, panel, frame, main, chat);
            None
        }
        Layer::Sheet(sheet) => {
            let height = chat.height.max(main.height / 2 + main.height / 4);
            sheet_box(&canvas, sheet, frame, Rect { height, ..chat });
            None
        }
        Layer::Picker(picker) => picker_box(&canvas, picker, frame, main, chat),
        Layer::Search(search) => {
            let text = search.text.clone();
            let is_found = model.chat.list().hit().is_some();
            Some(search_row(&canvas, &text, is_found, frame, chat))
        }
        Layer::Approval(_) | Layer::Ask(_) | Layer::Select(_) => None,
    }
}

/// Draws a box of a body of so many lines at the bottom of the room; the rows for the body.
fn boxed(canvas: &Canvas, frame: &mut Frame<'_>, title: &str, lines: u16, room: Rect) -> Rect {
    let width = room.width.min(MAX_WIDTH);
    let height = (lines + FRAME_ROWS).min(room.height);
    let area = Rect {
        x: room.x + (room.width - width) / 2,
        y: room.bottom() - height,
        width,
        height,
    };
    frame.render_widget(Clear, area);
    let buffer = frame.buffer_mut();
    buffer.set_style(area, canvas.style(Role::Background));
    let symbols = canvas.symbols();
    let border = |text: String| canvas.span(Role::BorderActive, text);
    let across = usize::from(width).saturating_sub(2);
    let [top_left, top_right, bottom_left, bottom_right] = symbols.corners;
    let title = cells::shorten(title, across.saturating_sub(4), symbols.ellipsis);
    let rest = across.saturating_sub(cells::width(&title) + 3);
    let top = Line::from(vec![
        border(format!("{top_left}{} ", symbols.horizontal)),
        canvas.span(Role::Heading, title),
        border(format!(" {}{top_right}", symbols.horizontal.repeat(rest))),
    ]);
    buffer.set_line(area.x, area.y, &top, width);
    let bottom = symbols.horizontal.repeat(across);
    let bottom = border(format!("{bottom_left}{bottom}{bottom_right}"));
    buffer.set_span(area.x, area.bottom() - 1, &bottom, width);
    let side = border(symbols.vertical.to_owned());
    for y in area.y + 1..area.bottom() - 1 {
        buffer.set_span(area.x, y, &side, 1);
        buffer.set_span(area.right() - 1, y, &side, 1);
    }
    Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: width.saturating_sub(FRAME_COLUMNS),
        height: height.saturating_sub(FRAME_ROWS),
    }
}

fn put(frame: &mut Frame<'_>, area: Rect, lines: &[Line<'static>]) {
    let buffer = frame.buffer_mut();
    for (line, y) in lines.iter().zip(area.y..area.bottom()) {
        buffer.set_style(Rect::new(area.x, y, area.width, 1), line.style);
        buffer.set_line(area.x, y, line, area.width);
    }
}

fn rows(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX - FRAME_ROWS)
}

fn panel_box(
    canvas: &Canvas,
    layer: &mut PanelLayer,
    frame: &mut Frame<'_>,
    main: Rect,
    chat: Rect,
) {
    let (columns, lines) = room(chat, main);
    let width = usize::from(columns);
    let dots = canvas.symbols().ellipsis;
    let plain = |line: &Line<'_>| line.to_string();
    let mut marked = None;
    let mut body = Vec::with_capacity(layer.panel.lines.len());
    for text in &layer.panel.lines {
        let painted = safe::coloured(text, canvas.style(Role::Text), canvas.theme.depth);
        let line = painted.into_iter().next().unwrap_or_default();
        let mut line = cut(&line, width, dots);
        if is_marked(&plain(&line)) {
            marked.get_or_insert(body.len());
            line = line.style(canvas.style(Role::Selection));
        }
        body.push(line);
    }
    let footer = layer.panel.footer.as_deref().map(|footer| {
        let painted = safe::coloured(footer, canvas.style(Role::Dim), canvas.theme.depth);
        cut(&painted.into_iter().next().unwrap_or_default(), width, dots)
    });
    let extra = if footer.is_some() { 2 } else { 0 };
    let seen = body.len().min(usize::from(lines));
    // It may cover the editor, which has no keys now, but not the status line.
    let height = chat.height.max(main.height / 2);
    let room = Rect {
        height: height.min(main.height.saturating_sub(1)),
        ..chat
    };
    let title = panel_title(canvas, layer, body.len(), seen);
    let area = boxed(canvas, frame, &title, rows(seen + extra), room);
    let seen = usize::from(area.height).saturating_sub(extra).min(seen);
    let top = layer.top(body.len(), seen, marked);
    let mut shown: Vec<Line<'static>> = body.into_iter().skip(top).take(seen).collect();
    if let Some(footer) = footer {
        shown.push(Line::default());
        shown.push(footer);
    }
    put(frame, area, &shown);
}

/// The panel's title, and whose it is when it does not say so.
fn panel_title(canvas: &Canvas, layer: &PanelLayer, all: usize, seen: usize) -> String {
    let title = safe::plain_line(&layer.panel.title).into_owned();
    let more = if all > seen {
        format!(" {} {all} lines", canvas.symbols().dot)
    } else {
        String::new()
    };
    if title == layer.panel.extension {
        format!("{title}{more}")
    } else {
        let owner = safe::plain_line(&layer.panel.extension);
        format!("{title} [{owner}]{more}")
    }
}

fn sheet_box(canvas: &Canvas, sheet: &mut Sheet, frame: &mut Frame<'_>, chat: Rect) {
    let width = usize::from(chat.width.min(MAX_WIDTH).saturating_sub(FRAME_COLUMNS)).max(1);
    let indent = Indent {
        first: Vec::new(),
        rest: vec![Span::raw("    ")],
    };
    let mut lines = Vec::new();
    for line in safe::plain(&sheet.text).lines() {
        let span = canvas.span(Role::Text, line.to_owned());
        lines.extend(wrapped(&Line::from(span), width, &indent));
    }
    let mut title = safe::plain_line(&sheet.title).into_owned();
    let room = usize::from(chat.height.saturating_sub(FRAME_ROWS));
    if lines.len() > room && room > 0 {
        let last = (sheet.scroll.min(lines.len() - room) + room).min(lines.len());
        title = format!("{title} {} {last}/{}", canvas.symbols().dot, lines.len());
    }
    let area = boxed(canvas, frame, &title, rows(lines.len()), chat);
    sheet.room = usize::from(area.height);
    sheet.scroll = sheet.scroll.min(lines.len().saturating_sub(sheet.room));
    let shown: Vec<Line<'static>> = lines.into_iter().skip(sheet.scroll).collect();
    put(frame, area, &shown);
}

fn picker_box(
    canvas: &Canvas,
    picker: &mut Picker,
    frame: &mut Frame<'_>,
    main: Rect,
    chat: Rect,
) -> Option<(u16, u16)> {
    let (shown, all) = picker.counts();
    let title = format!("{} {shown}/{all}", picker.title);
    let height = chat.height.max(main.height / 2);
    let room = Rect { height, ..chat };
    let area = boxed(canvas, frame, &title, rows(all + 1), room);
    let width = usize::from(area.width);
    let symbols = canvas.symbols();
    let query = cells::clip_start(&picker.query, width.saturating_sub(3)).to_owned();
    let column = 2 + cells::width(&query);
    let mut lines = vec![Line::from(vec![
        canvas.span(Role::Accent, format!("{} ", symbols.pointer)),
        canvas.span(Role::Text, query),
    ])];
    picker.room = usize::from(area.height).saturating_sub(1);
    let first = (picker.at + 1).saturating_sub(picker.room);
    for (at, row) in picker.shown().enumerate().skip(first).take(picker.room) {
        let detail = cells::shorten(&row.detail, width / 2, symbols.ellipsis);
        let room = width.saturating_sub(cells::width(&detail) + 3);
        let label = cells::shorten(&row.label, room, symbols.ellipsis);
        let gap = room.saturating_sub(cells::width(&label)) + 1;
        let mark = if at == picker.at {
            symbols.pointer
        } else {
            " "
        };
        let mut line = Line::from(vec![
            canvas.span(Role::Accent, format!("{mark} ")),
            canvas.span(Role::Text, label),
            Span::raw(" ".repeat(gap)),
            canvas.span(Role::Dim, detail),
        ]);
        if at == picker.at {
            line = line.style(canvas.style(Role::Selection));
        }
        lines.push(line);
    }
    if shown == 0 {
        lines.push(Line::from(canvas.span(Role::Dim, "  nothing fits")));
    }
    put(frame, area, &lines);
    let column = u16::try_from(column).ok()?;
    Some((area.x + column, area.y))
}

/// The row in which a search is typed; where the cursor is.
fn search_row(
    canvas: &Canvas,
    text: &str,
    is_found: bool,
    frame: &mut Frame<'_>,
    chat: Rect,
) -> (u16, u16) {
    let width = usize::from(chat.width);
    let shown = cells::clip_start(text, width.saturating_sub(24)).to_owned();
    let column = u16::try_from(7 + cells::width(&shown)).unwrap_or(7);
    let mut spans = vec![
        canvas.span(Role::Accent, " find: "),
        canvas.span(Role::Text, shown),
    ];
    if !text.is_empty() && !is_found {
        spans.push(canvas.span(Role::Warning, "  not found"));
    }
    let y = chat.bottom() - 1;
    let area = Rect::new(chat.x, y, chat.width, 1);
    frame.render_widget(Clear, area);
    let line = Line::from(spans).style(canvas.style(Role::Background));
    put(frame, area, &[line]);
    (chat.x + column, y)
}
