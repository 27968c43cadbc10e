//! The text as rows of a width, and where the cursor is among them. Draws nothing.

use unicode_segmentation::UnicodeSegmentation as _;
use zeug_paint::cells;

use super::Editor;

/// A row of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    /// Its first byte in the text.
    pub(crate) start: usize,
    /// The byte behind its last.
    pub(crate) end: usize,
    /// Whether the line goes on in the next row.
    pub(crate) is_wrapped: bool,
}

/// All rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rows {
    /// At least one.
    pub(crate) rows: Vec<Row>,
    /// The row and the column of the cursor.
    pub(crate) cursor: (usize, usize),
}

impl Rows {
    /// The text of a row as it is shown.
    pub(crate) fn shown(&self, editor: &Editor, at: usize) -> String {
        let Some(row) = self.rows.get(at) else {
            return String::new();
        };
        let clusters = editor.text()[row.start..row.end].graphemes(true);
        clusters.map(|cluster| editor.label(cluster)).collect()
    }
}

/// Breaks the text into rows, at spaces where there are some.
pub(crate) fn rows(editor: &Editor, width: usize) -> Rows {
    let mut rows = Vec::new();
    let mut start = 0;
    for line in editor.text().split('\n') {
        wrap(editor, start, line, width.max(1), &mut rows);
        start += line.len() + 1;
    }
    let cursor = editor.cursor();
    let is_in = |row: &Row| {
        row.start <= cursor && (cursor < row.end || (cursor == row.end && !row.is_wrapped))
    };
    let row = rows.iter().position(is_in).unwrap_or(rows.len() - 1);
    let before = editor.text()[rows[row].start..cursor].graphemes(true);
    let column = before.map(|c| cells::width(&editor.label(c))).sum();
    let mut rows = Rows {
        rows,
        cursor: (row, column),
    };
    // Behind a full last row there is no room for the cursor.
    if column >= width.max(1) && width > 0 {
        let end = rows.rows[row].end;
        rows.rows[row].is_wrapped = true;
        let next = Row {
            start: end,
            end,
            is_wrapped: false,
        };
        rows.rows.insert(row + 1, next);
        rows.cursor = (row + 1, 0);
    }
    rows
}

fn wrap(editor: &Editor, offset: usize, line: &str, width: usize, rows: &mut Vec<Row>) {
    let mut start = offset;
    let mut used = 0;
    // Where a row may end: behind a space.
    let mut space = None;
    for (at, cluster) in line.grapheme_indices(true) {
        let at = offset + at;
        let cells = cells::width(&editor.label(cluster));
        if used + cells > width && at > start {
            let end = match space {
                Some(space) if cluster != " " => space,
                _ => at,
            };
            rows.push(Row {
                start,
                end,
                is_wrapped: true,
            });
            let moved = editor.text()[end..at].graphemes(true);
            used = moved.map(|c| cells::width(&editor.label(c))).sum();
            start = end;
            space = None;
        }
        used += cells;
        if cluster == " " {
            space = Some(at + 1);
        }
    }
    rows.push(Row {
        start,
        end: offset + line.len(),
        is_wrapped: false,
    });
}
