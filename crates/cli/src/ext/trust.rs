//! `zeug ext trust`: the user says yes to what extensions of a project contain now.

use std::io::Write;
use std::path::{Path, PathBuf};

use zeug_ext_catalog::{Entry, Places, Scope, Standing, Trust, find, installed};
use zeug_ext_protocol::manifest;

use super::{Context, say};

#[derive(Debug, clap::Args)]
pub(crate) struct TrustArgs {
    /// An extension's directory or name, or a project; without it, this project.
    path: Option<PathBuf>,
    /// Take trust back.
    #[arg(long, conflicts_with = "list")]
    remove: bool,
    /// Print what is trusted, and since when.
    #[arg(long, conflicts_with = "path")]
    list: bool,
}

/// Trusts, takes trust back, or lists.
pub(crate) async fn run(
    args: TrustArgs,
    context: &Context<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let mut trust = Trust::load(&context.places().trust)?;
    if args.list {
        return list(&trust, out, err);
    }
    let dirs = directories(&args, context)?;
    for dir in dirs {
        let shown = say::path(&dir);
        if args.remove {
            let done = if trust.forget(&dir)? {
                "no longer trusted:"
            } else {
                "was not trusted:"
            };
            writeln!(err, "{done} {shown}")?;
            continue;
        }
        let before = trust.check(&dir)?;
        let content = trust.trust(&dir)?;
        let files = match content.files.len() {
            1 => "1 file".to_owned(),
            many => format!("{many} files"),
        };
        match before {
            Standing::Trusted => writeln!(err, "already trusted: {shown}")?,
            Standing::Unknown => writeln!(err, "trusted: {shown} ({files})")?,
            Standing::Changed(change) => {
                let change = say::lines(&change.to_string());
                writeln!(err, "trusted again: {shown} ({change})")?;
            }
        }
    }
    Ok(0)
}

fn list(trust: &Trust, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<u8> {
    if trust.trusted().next().is_none() {
        writeln!(err, "nothing is trusted")?;
    }
    for (dir, since) in trust.trusted() {
        let state = match trust.check(dir) {
            Ok(Standing::Trusted) => "trusted",
            Ok(_) => "changed",
            Err(_) if !dir.exists() => "gone",
            Err(_) => "unreadable",
        };
        let since = since.strftime("%Y-%m-%d");
        writeln!(out, "{state:10}  {since}  {}", say::path(dir))?;
    }
    Ok(0)
}

/// The directories that are meant.
fn directories(args: &TrustArgs, context: &Context<'_>) -> anyhow::Result<Vec<PathBuf>> {
    let Some(path) = &args.path else {
        let dirs = of_project(&context.world.cwd, context)?;
        anyhow::ensure!(
            !dirs.is_empty(),
            "this project has no extensions; name a directory that holds {}",
            manifest::FILE
        );
        return Ok(dirs);
    };
    let dir = context.world.cwd.join(path);
    if dir.join(manifest::FILE).is_file() || args.remove && !dir.exists() && path.is_absolute() {
        return Ok(vec![dir]);
    }
    if let Some(entry) = path.to_str().and_then(|name| by_name(name, context)) {
        return Ok(vec![entry.dir]);
    }
    let dirs = of_project(&dir, context)?;
    anyhow::ensure!(
        !dirs.is_empty(),
        "{} holds no extension; name a directory that holds {}",
        say::path(&dir),
        manifest::FILE
    );
    Ok(dirs)
}

fn by_name(name: &str, context: &Context<'_>) -> Option<Entry> {
    let only_project = Places {
        global: PathBuf::new(),
        ..context.places()
    };
    find(&only_project, name).ok()
}

fn of_project(project: &Path, context: &Context<'_>) -> anyhow::Result<Vec<PathBuf>> {
    let places = Places {
        project: zeug_config::project_extensions(project),
        ..context.places()
    };
    let entries = installed(&places)?.into_iter();
    let of_project =
        entries.filter(|entry| entry.scope == Scope::Project && entry.manifest.is_ok());
    Ok(of_project.map(|entry| entry.dir).collect())
}
