//! The page that people read: every row, and first of all what is missing.

use std::fmt::Write as _;

use super::FILE;
use super::table::{Row, Table};
use super::tests_there::Tests;

const HEAD: &str = "\
# Compatibility with zot and zut

<!-- made by `cargo xtask coverage` from protocol/coverage.toml: edit that -->

zeug runs extensions that were written for [zot](../protocol/SPEC.md#5-handshake-and-dialects) (protocol version 1) and for zut (version 2), unchanged. This page lists what those two promise their extensions, every frame, field and rule, and the tests that would fail if zeug broke the promise. `cargo xtask coverage --check` fails when a row has no test, or names one that does not exist or does not run; `.ci/run` runs both that and the tests.

The rules are in our own words, and short: [protocol/SPEC.md](../protocol/SPEC.md) is what zeug does, in full. *asked by* says which section of whose page it comes from; [the sections](#the-sections) are listed at the end.

";

/// The whole page.
pub(super) fn write(table: &Table, tests: &Tests) -> String {
    let mut page = HEAD.to_owned();
    let covered = table.rows().filter(|row| !row.tests.is_empty()).count();
    let (pending, outside) = (
        table.rows().filter(|row| row.pending.is_some()).count(),
        table.rows().filter(|row| row.outside.is_some()).count(),
    );
    let _ = writeln!(
        page,
        "{} rows: **{covered} covered by tests**, [{pending} not there yet](#not-there-yet), \
         [{outside} that bind no host, or not this one](#what-binds-no-host).\n",
        covered + pending + outside
    );
    reasons(&mut page, "Not there yet", table, |row| {
        row.pending.as_ref()
    });
    for part in &table.part {
        covered_rows(&mut page, &part.title, &part.row, tests);
    }
    reasons(&mut page, "What binds no host", table, |row| {
        row.outside.as_ref()
    });
    sections(&mut page, table);
    page
}

fn covered_rows(page: &mut String, title: &str, rows: &[Row], tests: &Tests) {
    let mut rows = rows.iter().filter(|row| !row.tests.is_empty()).peekable();
    if rows.peek().is_none() {
        return;
    }
    let _ = writeln!(page, "## {title}\n");
    page.push_str("| id | rule | asked by | seen by |\n| --- | --- | --- | --- |\n");
    for row in rows {
        let note = row.note.as_ref().map(|note| format!(" *Here: {note}*"));
        let seen: Vec<String> = row.tests.iter().map(|name| link(name, tests)).collect();
        let _ = writeln!(
            page,
            "| `{}` | {}{} | {} | {} |",
            row.id,
            row.rule,
            note.unwrap_or_default(),
            row.from.join(", "),
            seen.join(", ")
        );
    }
    page.push('\n');
}

/// The test's own name, as a link to its file.
fn link(name: &str, tests: &Tests) -> String {
    let short = name.rsplit("::").next().unwrap_or(name);
    match tests.find_one(name) {
        Ok(test) => format!("[{short}](../{})", test.path),
        Err(_) => short.to_owned(),
    }
}

fn reasons(page: &mut String, title: &str, table: &Table, why: fn(&Row) -> Option<&String>) {
    let _ = writeln!(page, "## {title}\n");
    if !table.rows().any(|row| why(row).is_some()) {
        page.push_str("Nothing.\n\n");
        return;
    }
    page.push_str("| id | rule | asked by | why |\n| --- | --- | --- | --- |\n");
    for row in table.rows() {
        if let Some(why) = why(row) {
            let from = row.from.join(", ");
            let _ = writeln!(page, "| `{}` | {} | {from} | {why} |", row.id, row.rule);
        }
    }
    page.push('\n');
}

fn sections(page: &mut String, table: &Table) {
    let _ = writeln!(
        page,
        "## The sections\n\nThe words of *asked by*, as in `{FILE}`.\n"
    );
    for (word, of) in &table.page {
        let _ = writeln!(page, "**{word}**: {}\n", of.title);
        page.push_str("| word | section |\n| --- | --- |\n");
        for [section, title] in &of.sections {
            let _ = writeln!(page, "| {word}.{section} | {title} |");
        }
        page.push('\n');
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
}
