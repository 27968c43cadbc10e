//! `zeug ext enable` and `zeug ext disable`.

use std::io::Write;

use zeug_ext_catalog::{find, set_enabled};

use super::{Context, say};

#[derive(Debug, clap::Args)]
pub(crate) struct ToggleArgs {
    /// The extension's name, or its directory's; a project's wins over a global one.
    name: String,
}

/// Writes `enabled` into the manifest and says into which.
pub(crate) async fn run(
    args: ToggleArgs,
    enabled: bool,
    context: &Context<'_>,
    _: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let entry = find(&context.places(), &args.name)?;
    let changed = set_enabled(&entry, enabled)?;
    let (name, scope, dir) = (entry.name(), entry.scope, say::path(&entry.dir));
    let done = if enabled { "enabled" } else { "disabled" };
    if changed {
        writeln!(err, "{done} {name} [{scope}] ({dir})")?;
    } else {
        writeln!(err, "{name} [{scope}] is already {done} ({dir})")?;
    }
    let settings = &context.world.loaded.settings.extensions.disabled;
    if enabled && (settings.value.contains(name) || settings.value.contains(&entry.entry)) {
        let origin = &settings.origin;
        writeln!(err, "note: {origin} still disables it; take it out there")?;
    }
    Ok(0)
}
