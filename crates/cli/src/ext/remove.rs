//! `zeug ext remove`.

use std::io::Write;

use anyhow::Context as _;
use tokio::sync::oneshot;
use zeug_ext_catalog::{CatalogError, find, remove};

use super::{Context, say};

#[derive(Debug, clap::Args)]
pub(crate) struct RemoveArgs {
    /// The extension's name, or its directory's; a project's wins over a global one.
    name: String,
    /// Do not ask.
    #[arg(short, long)]
    yes: bool,
}

/// Deletes an extension's directory after a question; its log stays.
pub(crate) async fn run(
    args: RemoveArgs,
    context: &Context<'_>,
    _: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let places = context.places();
    let entry = find(&places, &args.name)?;
    let dir = say::path(&entry.dir);
    if !args.yes {
        write!(err, "remove {dir} ? [y/N] ")?;
        err.flush()?;
        let answer = answer(context).await?;
        if !matches!(answer.trim(), "y" | "Y" | "yes") {
            writeln!(err, "aborted")?;
            return Ok(0);
        }
    }
    remove(&places, &entry)?;
    writeln!(err, "removed {dir}")?;
    Ok(0)
}

/// A line from the user. The thread that reads it is left to itself when the user interrupts:
/// nothing can end a read of a terminal.
async fn answer(context: &Context<'_>) -> anyhow::Result<String> {
    let (typed, line) = oneshot::channel();
    let read_line = context.read_line;
    std::thread::spawn(move || drop(typed.send(read_line())));
    tokio::select! {
        line = line => Ok(line.context("standard input")?.context("standard input")?),
        () = context.interrupt.cancelled() => Err(CatalogError::Cancelled.into()),
    }
}
