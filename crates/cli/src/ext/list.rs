//! `zeug ext list`: what is there, whether or not it starts.

use std::io::Write;

use serde::Serialize;
use zeug_ext_catalog::{Entry, Lock, Scope, Standing, Trust, installed};
use zeug_stdx::text;

use super::{Context, say};

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// As a JSON array.
    #[arg(long)]
    json: bool,
}

/// One extension. The field names are those of `--json`.
#[derive(Debug, Serialize)]
struct Row {
    scope: String,
    name: String,
    version: String,
    enabled: bool,
    /// Project: `trusted`, `untrusted`, `changed`. Global: `installed` as recorded, `modified`
    /// since, or `unrecorded`.
    trust: String,
    /// Whether the manifest declares no permissions.
    unrestricted: bool,
    language: String,
    dir: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

const HEADER: [&str; 8] = [
    "scope",
    "name",
    "version",
    "enabled",
    "trust",
    "language",
    "description",
    "dir",
];

/// Of a description, in the table; `--json` has it whole.
const DESCRIPTION_BYTES: usize = 60;

/// Prints the project's extensions by name, then the global ones by name.
pub(crate) async fn run(
    args: ListArgs,
    context: &Context<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let places = context.places();
    let trust = Trust::load(&places.trust)?;
    let lock = Lock::load(&places.lock)?;
    let rows: Vec<Row> = installed(&places)?
        .iter()
        .map(|entry| row(entry, &trust, &lock, context))
        .collect();
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &rows)?;
        writeln!(out)?;
        return Ok(0);
    }
    if rows.is_empty() {
        writeln!(err, "no extensions installed")?;
        writeln!(err, "install one with: zeug ext install PATH|GIT")?;
        return Ok(0);
    }
    let cells: Vec<_> = rows.iter().map(Row::cells).collect();
    table(&cells, out)?;
    for row in &rows {
        if let Some(error) = &row.error {
            writeln!(err, "{}: {}", say::word(&row.dir), say::lines(error))?;
        }
    }
    Ok(0)
}

fn row(entry: &Entry, trust: &Trust, lock: &Lock, context: &Context<'_>) -> Row {
    let settings = &context.world.loaded.settings.extensions;
    let disabled = &settings.disabled.value;
    let switched_off = disabled.contains(entry.name()) || disabled.contains(&entry.entry);
    let standing = match entry.scope {
        Scope::Project => match trust.check(&entry.dir) {
            Ok(Standing::Trusted) => Ok("trusted"),
            Ok(Standing::Unknown) => Ok("untrusted"),
            Ok(Standing::Changed(_)) => Ok("changed"),
            Err(error) => Err(error),
        },
        Scope::Global | Scope::Explicit => match lock.verify(&entry.entry, &entry.dir) {
            Ok(_) if lock.get(&entry.entry).is_none() => Ok("unrecorded"),
            Ok(None) => Ok("installed"),
            Ok(Some(_)) => Ok("modified"),
            Err(error) => Err(error),
        },
    };
    let manifest = entry.manifest.as_ref().ok();
    let broken = entry.manifest.as_ref().err().cloned();
    let unreadable = standing.as_ref().err().map(ToString::to_string);
    Row {
        scope: entry.scope.to_string(),
        name: entry.name().to_owned(),
        version: manifest.map(|m| m.version.clone()).unwrap_or_default(),
        enabled: manifest.is_some_and(|m| m.is_enabled() && !switched_off),
        trust: standing.unwrap_or("unreadable").to_owned(),
        unrestricted: manifest.is_some_and(|m| m.permissions.is_none() && !m.exec.is_empty()),
        language: manifest.map(|m| m.language.clone()).unwrap_or_default(),
        dir: entry.dir.display().to_string(),
        description: manifest.map(|m| m.description.clone()).unwrap_or_default(),
        error: broken.or(unreadable),
    }
}

impl Row {
    fn cells(&self) -> [String; 8] {
        let or_dash = |text: &str| match text.trim() {
            "" => "-".to_owned(),
            text => say::word(text),
        };
        let enabled = match (&self.error, self.enabled) {
            (Some(_), _) => "broken",
            (None, true) => "yes",
            (None, false) => "no",
        };
        let mut trust = self.trust.clone();
        if self.unrestricted {
            trust.push_str(", unrestricted");
        }
        [
            self.scope.clone(),
            say::word(&self.name),
            or_dash(&self.version),
            enabled.to_owned(),
            trust,
            or_dash(&self.language),
            text::one_line(&or_dash(&self.description), DESCRIPTION_BYTES),
            say::path(self.dir.as_ref()),
        ]
    }
}

/// Columns as wide as their widest cell, two spaces apart, the last one not padded.
fn table(rows: &[[String; 8]], out: &mut dyn Write) -> std::io::Result<()> {
    let header = HEADER.map(str::to_owned);
    let width = |column: usize| {
        let cells = rows.iter().chain([&header]).map(|row| &row[column]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..HEADER.len() - 1).map(width).collect();
    for row in [&header].into_iter().chain(rows) {
        for (cell, width) in row.iter().zip(&widths) {
            write!(out, "{cell:width$}  ")?;
        }
        writeln!(out, "{}", row[HEADER.len() - 1])?;
    }
    Ok(())
}
