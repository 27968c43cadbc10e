//! Models as a table or as JSON. Names come from servers: nothing in them may drive a terminal.

use std::io::{self, Write};

use zeug_stdx::text;

use super::Row;

const HEADER: [&str; 5] = ["provider", "model", "context", "price", "credential"];
/// The longest name that is shown, in bytes.
const NAME_BYTES: usize = 100;

/// Writes the models.
pub(super) fn rows(rows: &[Row], json: bool, out: &mut dyn Write) -> io::Result<()> {
    if json {
        serde_json::to_writer_pretty(&mut *out, rows)?;
        return writeln!(out);
    }
    let shown = rows.iter().filter(|row| row.is_of_use());
    let cells: Vec<_> = [HEADER.map(str::to_owned)]
        .into_iter()
        .chain(shown.map(cells))
        .collect();
    if cells.len() > 1 {
        table(&cells, out)?;
    }
    out.flush()
}

/// Writes what is to be said about them to stderr.
pub(super) fn notes(rows: &[Row], json: bool, notes: &[String]) -> io::Result<()> {
    let mut err = io::stderr();
    for note in notes {
        writeln!(
            err,
            "zeug: {}",
            text::one_line(&text::plain(note), usize::MAX)
        )?;
    }
    let hidden = rows.iter().filter(|row| !row.is_of_use()).count();
    if hidden > 0 && !json {
        writeln!(
            err,
            "zeug: {hidden} that are retired or call no tools are left out; --json has all"
        )?;
    }
    if rows.is_empty() {
        writeln!(err, "zeug: no models are known there")?;
    }
    Ok(())
}

impl Row {
    /// Whether an agent can work with it, as far as is known.
    fn is_of_use(&self) -> bool {
        self.source == "config" || !(self.deprecated || self.tools == Some(false))
    }
}

fn cells(row: &Row) -> [String; 5] {
    let name = |name: &str| text::one_line(&text::plain(name), NAME_BYTES);
    let model = name(&row.model);
    let price = match (row.input_price, row.output_price) {
        (Some(input), Some(output)) => format!("${} / ${}", dollars(input), dollars(output)),
        _ => "-".to_owned(),
    };
    let credential = match &row.credential {
        Some(source) => source.clone(),
        None if row.needs_key => "-".to_owned(),
        None => "not needed".to_owned(),
    };
    [
        name(&row.provider),
        if row.default {
            format!("{model} (default)")
        } else {
            model
        },
        row.context_window.map_or("-".to_owned(), tokens),
        price,
        credential,
    ]
}

/// `200k`, `1M`, `32768`.
fn tokens(count: u64) -> String {
    match count {
        0 => "-".to_owned(),
        _ if count.is_multiple_of(1_000_000) => format!("{}M", count / 1_000_000),
        _ if count.is_multiple_of(1000) => format!("{}k", count / 1000),
        _ => count.to_string(),
    }
}

/// At least two digits behind the point, and as many as there are.
fn dollars(price: f64) -> String {
    let text = format!("{price}");
    match text.split_once('.') {
        Some((_, cents)) if cents.len() >= 2 => text,
        _ => format!("{price:.2}"),
    }
}

/// Columns as wide as their widest cell, two spaces apart, the last one not padded.
fn table(rows: &[[String; 5]], out: &mut dyn Write) -> io::Result<()> {
    let last = HEADER.len() - 1;
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..last).map(width).collect();
    for row in rows {
        for (cell, width) in row.iter().zip(&widths) {
            write!(out, "{cell:width$}  ")?;
        }
        writeln!(out, "{}", row[last])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        let check = |price: f64, expect: &str| assert_eq!(dollars(price), expect);
        check(3.0, "3.00");
        check(0.5, "0.50");
        check(0.075, "0.075");
        assert_eq!(tokens(200_000), "200k");
        assert_eq!(tokens(1_000_000), "1M");
        assert_eq!(tokens(32_768), "32768");
        assert_eq!(tokens(0), "-");
    }
}
