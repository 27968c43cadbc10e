//! Printing: the table, the JSON document, and remarks on the side.

use std::io::{self, Write};

use serde::Serialize;

use crate::effort::Effort;
use crate::row::{Row, Unit, Verdict};

const HEAD: [&str; 7] = [
    "what",
    "median",
    "p90",
    "compared with",
    "its median",
    "ratio",
    "limit",
];

/// Tells whoever waits; not part of the result.
pub(crate) fn remark(text: &str) {
    // Nobody is left to be told when stderr is closed.
    drop(writeln!(io::stderr(), "{text}"));
}

/// The table.
pub(crate) fn text(effort: Effort, rows: &[Row]) -> io::Result<()> {
    let cells: Vec<[String; 7]> = std::iter::once(HEAD.map(str::to_owned))
        .chain(rows.iter().map(cells))
        .collect();
    let width = |column: usize| {
        let widths = cells.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or(0)
    };
    let widths: [usize; 7] = std::array::from_fn(width);
    let mut out = io::stdout().lock();
    for row in &cells {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            // Words to the left, numbers to the right.
            line += &match column {
                0 | 3 => format!("{cell:<width$}  "),
                6 => cell.clone(),
                _ => format!("{cell:>width$}  "),
            };
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    let over = rows.iter().filter(|row| row.is_over()).count();
    writeln!(out, "{over} over, {} rows, {}", rows.len(), setting(effort))
}

#[derive(Serialize)]
struct Document<'a> {
    setting: String,
    smoke: bool,
    rows: &'a [Row],
}

/// The same as one JSON document; times in nanoseconds.
pub(crate) fn json(effort: Effort, rows: &[Row]) -> anyhow::Result<()> {
    let document = Document {
        setting: setting(effort),
        smoke: effort.smoke,
        rows,
    };
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &document)?;
    writeln!(out)?;
    Ok(())
}

/// What the figures depend on.
fn setting(effort: Effort) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let build = if cfg!(debug_assertions) {
        "unoptimised build"
    } else {
        "optimised build"
    };
    let length = if effort.smoke {
        "smoke run"
    } else {
        "full run"
    };
    format!("{cores} cores, {build}, {length}")
}

fn cells(row: &Row) -> [String; 7] {
    let shown = |value| match row.unit {
        Unit::Ns => time(value),
        Unit::Bytes => bytes(value),
    };
    let verdict = match (row.limit, row.verdict) {
        (Some(limit), Verdict::Over) => format!("{limit} OVER"),
        (Some(limit), _) => format!("{limit} ok"),
        (None, _) => "-".to_owned(),
    };
    [
        row.name.clone(),
        shown(row.median),
        shown(row.p90),
        row.against.clone(),
        shown(row.against_median),
        format!("{:.2}", row.ratio),
        verdict,
    ]
}

fn time(ns: f64) -> String {
    match ns {
        _ if ns < 1e3 => format!("{ns:.0} ns"),
        _ if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        _ if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}

fn bytes(count: f64) -> String {
    match count {
        _ if count < 1024.0 => format!("{count:.0} B"),
        _ if count < 1024.0 * 1024.0 => format!("{:.1} KiB", count / 1024.0),
        _ => format!("{:.2} MiB", count / 1024.0 / 1024.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_carry_their_units() {
        let shown = [
            time(12.0),
            time(1500.0),
            time(2.5e6),
            time(3e9),
            bytes(4096.0),
        ];
        assert_eq!(shown, ["12 ns", "1.50 µs", "2.50 ms", "3.00 s", "4.0 KiB"]);
    }
}
