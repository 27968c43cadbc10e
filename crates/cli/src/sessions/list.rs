//! `zeug sessions list` and `search`.

use std::io::Write;

use serde::Serialize;
use zeug_app::{Sessions, shapes};
use zeug_session::Summary;

use super::{Scope, aside, line};

/// The most bytes of a label in a list.
const LABEL_BYTES: usize = 70;

#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct ListArgs {
    #[command(flatten)]
    scope: Scope,
    /// As one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct SearchArgs {
    /// The words, as they stand in one message; capital letters do not matter.
    #[arg(required = true)]
    words: Vec<String>,
    #[command(flatten)]
    scope: Scope,
    /// The most places that are shown.
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// As one JSON object.
    #[arg(long)]
    json: bool,
}

/// Prints the sessions, the one with the latest activity first.
pub(super) fn list(args: ListArgs, sessions: &Sessions, out: &mut dyn Write) -> anyhow::Result<()> {
    let listing = sessions.catalog.list(&args.scope.filter(sessions));
    for problem in &listing.problems {
        aside(&problem.to_string());
    }
    if args.json {
        let rows: Vec<_> = listing.sessions.iter().map(shapes::summary).collect();
        return json(&serde_json::json!({ "sessions": rows }), out);
    }
    if listing.sessions.is_empty() {
        aside("this project has no sessions; --all looks at every project");
    }
    for session in &listing.sessions {
        writeln!(out, "{}", row(session))?;
    }
    Ok(())
}

fn row(session: &Summary) -> String {
    let of = match session.is_subagent() {
        true => " (sub-agent)",
        false => "",
    };
    format!(
        "{}  {}  {:>5}  {}{of}",
        session.id.short(),
        session.last_activity.strftime("%Y-%m-%d %H:%M"),
        session.messages,
        line(session.label(), LABEL_BYTES),
    )
}

/// Prints where the words stand.
pub(super) fn search(
    args: &SearchArgs,
    sessions: &Sessions,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let filter = args.scope.filter(sessions);
    let words = args.words.join(" ");
    let hits = sessions.catalog.search(&words, &filter, args.limit);
    let hits: Vec<_> = hits.iter().map(shapes::hit).collect();
    if args.json {
        return json(&serde_json::json!({ "hits": hits }), out);
    }
    if hits.is_empty() {
        aside("nothing found; --all looks at every project");
    }
    for hit in hits {
        let (id, entry) = (&hit.session_id[..8], &hit.entry);
        writeln!(out, "{id}  {entry}  {}", line(&hit.snippet, usize::MAX))?;
    }
    Ok(())
}

/// Prints one JSON value.
pub(super) fn json(value: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}
