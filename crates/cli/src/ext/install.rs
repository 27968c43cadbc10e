//! `zeug ext install`.

use std::io::Write;

use clap::ValueEnum;
use zeug_ext_catalog::{Builder, Request, Source, install};

use super::{Context, say};
use crate::world::VERSION;

#[derive(Debug, clap::Args)]
pub(crate) struct InstallArgs {
    /// A directory, or a git address with an optional branch, tag or commit: `GIT[@REF]`.
    source: String,
    /// Build a directory's source first; nothing is built unless this is given.
    #[arg(long, value_enum, value_name = "BUILDER")]
    build: Option<BuildArg>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BuildArg {
    /// `go build` in the source.
    Go,
    /// `cargo build --release` in the source.
    Cargo,
    /// `npm ci` (or `npm install`) in the installed copy.
    Npm,
}

impl From<BuildArg> for Builder {
    fn from(arg: BuildArg) -> Self {
        match arg {
            BuildArg::Go => Self::Go,
            BuildArg::Cargo => Self::Cargo,
            BuildArg::Npm => Self::Npm,
        }
    }
}

/// Installs one extension for all projects.
pub(crate) async fn run(
    args: InstallArgs,
    context: &Context<'_>,
    _: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let build = args.build.map(Builder::from);
    let request = Request {
        source: Source::parse(&args.source, &context.world.cwd)?,
        build,
        version: VERSION.to_owned(),
    };
    if let Some(builder) = build {
        let source = say::word(&args.source);
        writeln!(err, "building {source} with {}", builder.name())?;
    }
    let installed = install(&context.places(), &request, &context.tools()).await?;
    let dir = say::path(&installed.dir);
    writeln!(err, "installed {} to {dir}", installed.name)?;
    for note in &installed.notes {
        writeln!(err, "note: {}", say::lines(note))?;
    }
    Ok(0)
}
