//! Which part gets which rows.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use zeug_app::Position as Side;
use zeug_paint::{Op, Role};

use super::{bottom, boxes, input, question};
use crate::layer::Layer;
use crate::model::Model;
use crate::word::Effect;

/// Rows that the conversation keeps as long as there are so many.
const MIN_CHAT_ROWS: u16 = 3;
/// The narrowest screen with a rail at the right.
const MIN_RAIL_SCREEN: u16 = 24 + 1 + 48 + 1;

/// What painting found out.
#[derive(Debug, Default)]
pub(crate) struct Painted {
    /// Something is not yet as it will be.
    pub(crate) is_behind: bool,
    /// What the outside is to be told.
    pub(crate) effects: Vec<Effect>,
}

/// Paints everything.
pub(crate) fn view(model: &mut Model, frame: &mut Frame<'_>) -> Painted {
    let mut painted = Painted::default();
    let screen = frame.area();
    if screen.width < 4 || screen.height < 3 {
        return painted;
    }
    frame
        .buffer_mut()
        .set_style(screen, model.canvas.style(Role::Background));
    let (main, rail) = split_rail(model, screen);
    if let Some(rail) = rail {
        bottom::rail(model, frame, rail);
    }
    let has_rail = rail.is_some();
    let docked = question::rows(model, main);
    let writing = docked.unwrap_or_else(|| input::rows(model, main));
    let parts = bottom::parts(model, main, has_rail, writing);
    let below = writing + parts.iter().map(bottom::Part::rows).sum::<u16>();
    let chat = Rect {
        height: main.height.saturating_sub(below).max(1),
        ..main
    };
    painted.is_behind = paint_chat(model, frame, chat);
    let mut y = chat.bottom();
    let mut cursor = None;
    for part in parts {
        let area = Rect::new(main.x, y, main.width, part.rows()).intersection(screen);
        if part.is_status() {
            let area = Rect::new(main.x, y, main.width, writing).intersection(main);
            if docked.is_some() {
                question::paint(model, frame, area);
            } else {
                cursor = input::paint(model, frame, area);
            }
            y += writing;
        }
        let area = Rect { y, ..area }.intersection(main);
        part.paint(frame, area);
        y += part.rows();
    }
    input::pop_up(model, frame, chat);
    let room = boxes::room(chat, main);
    painted.effects.extend(model.panel_room(room.0, room.1));
    let over = boxes::paint(model, frame, main, chat);
    let cursor = over.or(cursor.filter(|_| model.is_writing()));
    if let Some((x, y)) = cursor {
        frame.set_cursor_position(Position::new(x, y));
    }
    painted
}

/// Gives widgets that want it a rail at the right, where there is room.
fn split_rail(model: &Model, screen: Rect) -> (Rect, Option<Rect>) {
    let wants = |widget: &zeug_app::Widget| widget.position == Side::RightBar;
    let is_wanted = model.has_rail && model.chrome.widgets().any(wants);
    if !is_wanted || screen.width < MIN_RAIL_SCREEN {
        return (screen, None);
    }
    let rail = (screen.width / 3).clamp(24, 36);
    let main = Rect {
        width: screen.width - rail - 2,
        ..screen
    };
    let rail = Rect {
        x: main.right() + 1,
        width: rail,
        ..screen
    };
    (main, Some(rail))
}

fn paint_chat(model: &mut Model, frame: &mut Frame<'_>, area: Rect) -> bool {
    // One column for what is beside the text.
    let width = area.width.saturating_sub(2).max(1);
    let list = model.chat.list();
    if list.width() != usize::from(width) || list.height() != usize::from(area.height) {
        list.apply(Op::Resize(usize::from(width), usize::from(area.height)));
    }
    let view = list.view();
    let buffer = frame.buffer_mut();
    // A short conversation begins at the top.
    for (line, y) in view.lines.iter().zip(area.y..area.bottom()) {
        let row = Rect::new(area.x + 1, y, width, 1);
        buffer.set_style(row, line.style);
        buffer.set_line(area.x + 1, y, line, width);
    }
    if !view.is_at_end && area.height > MIN_CHAT_ROWS {
        let words = format!(" {} more below, ctrl+end ", model.canvas.symbols().ellipsis);
        let line = Line::from(model.canvas.span(Role::Dim, words));
        let taken = u16::try_from(line.width()).unwrap_or(u16::MAX).min(width);
        let x = area.right().saturating_sub(taken + 1);
        buffer.set_line(x, area.bottom() - 1, &line, taken);
    }
    view.is_behind
}

/// Whether a layer takes the place of the editor.
pub(super) fn docked(model: &Model) -> Option<usize> {
    let is_docked = |layer: &Layer| layer.stance().is_some_and(|stance| !stance.is_blurred);
    model.layers.iter().rposition(is_docked)
}
