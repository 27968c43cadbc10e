//! `zeug themes`: which themes there are, and what is wrong with those that cannot be used.
//!
//! Paints nothing. What a theme may say is decided in `zeug_skills::theme`.

use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};
use zeug_ext_catalog::{Found, Why};
use zeug_skills::Source;
use zeug_skills::theme::{self, ThemePlaces};
use zeug_stdx::text;

use crate::args::ExtensionArgs;
use crate::invite;
use crate::world::World;

/// What `zeug themes` was asked.
#[derive(Debug, clap::Args)]
pub(crate) struct ThemesArgs {
    /// Look at this directory instead of the working directory.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    extensions: ExtensionArgs,
}

/// Lists the themes; 1 when one of them cannot be used.
pub(crate) fn run(args: &ThemesArgs) -> anyhow::Result<u8> {
    let world = World::look(args.cwd.as_ref())?;
    let extensions = invite::find(&world, &args.extensions)?;
    let found = theme::find(&places(&world, &extensions));
    let mut out = std::io::stdout().lock();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &described(&found))?;
        writeln!(out)?;
    } else {
        for listed in &found.themes {
            let line = format!("{}  {}  ({})", listed.id, listed.label(), listed.source);
            writeln!(out, "{}", text::one_line(&line, usize::MAX))?;
        }
        let mut err = std::io::stderr();
        let ignored = found.themes.iter().flat_map(|listed| {
            let flaws = listed.checked.warnings.iter();
            flaws.map(|flaw| format!("theme: {}: {flaw} (ignored)", listed.path.display()))
        });
        let broken = found.problems.iter().map(ToString::to_string);
        for line in ignored.chain(broken) {
            writeln!(
                err,
                "zeug: {}",
                text::one_line(&text::plain(&line), usize::MAX)
            )?;
        }
    }
    out.flush()?;
    Ok(u8::from(!found.problems.is_empty()))
}

/// Where themes are: those of extensions count when the extension may start, or brings nothing but
/// its theme.
pub(crate) fn places(world: &World, extensions: &Found) -> ThemePlaces {
    let started = extensions.loadable.iter();
    let started = started.map(|candidate| (candidate.name().to_owned(), candidate.dir.clone()));
    let themes_only = extensions.skipped.iter();
    let themes_only = themes_only.filter(|skipped| matches!(skipped.why, Why::ThemeOnly));
    ThemePlaces {
        dirs: vec![
            (Source::User, world.paths.themes()),
            (Source::Project, zeug_config::project_themes(&world.cwd)),
        ],
        extensions: started
            .chain(themes_only.map(|skipped| (skipped.name.clone(), skipped.dir.clone())))
            .collect(),
    }
}

fn described(found: &theme::Found) -> Value {
    let themes = found.themes.iter().map(|listed| {
        let warnings = listed.checked.warnings.iter().map(ToString::to_string);
        json!({
            "id": listed.id,
            "name": listed.label(),
            "source": listed.source.to_string(),
            "path": listed.path,
            "warnings": warnings.collect::<Vec<_>>(),
        })
    });
    let problems = found.problems.iter().map(|problem| {
        json!({
            "source": problem.source.to_string(),
            "path": problem.path,
            "error": problem.what,
        })
    });
    json!({
        "themes": themes.collect::<Vec<_>>(),
        "problems": problems.collect::<Vec<_>>(),
    })
}
