//! Lines as text: what is in the cells, and how it is styled.

use ratatui_core::text::Line;
use zeug_paint::{Canvas, Role, Theme};

/// A canvas whose styles say which role they are: each role has a colour of its own.
pub(crate) fn canvas() -> Canvas {
    Canvas::new(Theme::dark())
}

/// The text of the lines, with `‹role›` marks where a style begins that is not that of plain text.
pub(crate) fn marked(canvas: &Canvas, lines: &[Line<'_>]) -> String {
    let mut out = String::new();
    for line in lines {
        for span in &line.spans {
            match name(canvas, span.style) {
                Some(name) => out.push_str(&format!("‹{name}:{}›", span.content)),
                None => out.push_str(&span.content),
            }
        }
        while out.ends_with(' ') {
            out.pop();
        }
        out.push('\n');
    }
    out
}

/// The text of the lines.
pub(crate) fn text(lines: &[Line<'_>]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| line.to_string().trim_end().to_owned())
        .collect();
    lines.join("\n")
}

fn name(canvas: &Canvas, style: ratatui_core::style::Style) -> Option<String> {
    if style == ratatui_core::style::Style::new() {
        return None;
    }
    let role = Role::ALL
        .into_iter()
        .find(|role| canvas.style(*role) == style);
    Some(role.map_or_else(
        || "mixed".to_owned(),
        |role| format!("{role:?}").to_lowercase(),
    ))
}
