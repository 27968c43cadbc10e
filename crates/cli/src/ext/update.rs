//! `zeug ext update`: the extensions only; zeug itself is renewed by whatever installed it.

use std::io::Write;

use zeug_ext_catalog::{Status, update};

use super::{Context, say};

#[derive(Debug, clap::Args)]
pub(crate) struct UpdateArgs {
    /// Only this one; without it all that are enabled.
    name: Option<String>,
    /// Only say what would be renewed.
    #[arg(long)]
    check: bool,
}

/// Prints one line for each extension; 1 when one of them failed.
pub(crate) async fn run(
    args: UpdateArgs,
    context: &Context<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let name = args.name.as_deref();
    let all = update(&context.places(), name, args.check, &context.tools()).await?;
    if all.is_empty() {
        writeln!(err, "no extensions installed")?;
        return Ok(0);
    }
    let width = all.iter().map(|one| one.name.len()).max().unwrap_or(0);
    for one in &all {
        let status = say::lines(&one.status.to_string()).replace('\n', "\n    ");
        writeln!(out, "{:width$}  {status}", say::word(&one.name))?;
    }
    let count = |wanted: fn(&Status) -> bool| all.iter().filter(|one| wanted(&one.status)).count();
    let failed = count(|status| matches!(status, Status::Failed(_)));
    writeln!(
        err,
        "{} updated, {} available, {} up-to-date, {} skipped, {failed} failed",
        count(|status| matches!(status, Status::Updated)),
        count(|status| matches!(status, Status::Available)),
        count(|status| matches!(status, Status::UpToDate)),
        count(|status| matches!(status, Status::Skipped(_))),
    )?;
    Ok(u8::from(failed > 0))
}
