//! Which session a run is in: flags and settings become an open session, or a clear refusal.
//!
//! Does not know what is said in it.

use zeug_app::{Access, Opened, Opening, SessionRefused, Sessions, Wanted};
use zeug_ext_host::Facts;
use zeug_session::{Catalog, Filter, SessionError};
use zeug_stdx::text;

use crate::args::SessionArgs;
use crate::world::World;

/// Sessions that `--resume` without an id lists.
const LISTED: usize = 10;

/// The sessions of this world's project.
pub(crate) fn sessions(world: &World) -> Sessions {
    Sessions {
        catalog: Catalog::new(world.paths.sessions()),
        cwd: world.cwd.clone(),
    }
}

/// Opens the session that is wanted, with what the user should be told about it.
///
/// A new session that cannot be written hinders nobody: the conversation is then not kept.
pub(crate) fn open(
    world: &World,
    args: &SessionArgs,
    facts: &Facts,
) -> anyhow::Result<(Opened, Option<String>)> {
    if args.no_session {
        return Ok((Opened::unkept(), None));
    }
    let sessions = sessions(world);
    let wanted = wanted(args, &sessions)?;
    let access = match args {
        _ if args.fork => Access::Fork,
        _ if args.read_only => Access::ReadOnly,
        _ => Access::Write,
    };
    anyhow::ensure!(
        wanted != Wanted::New || (access == Access::Write && args.branch.is_none()),
        "--branch, --read-only and --fork are about an older session: add --continue, --resume ID \
         or --session PATH"
    );
    let opening = Opening {
        wanted,
        access,
        branch: args.branch.clone(),
        provider: facts.provider.clone(),
        model: facts.model.clone(),
    };
    match sessions.open(&opening) {
        Ok(opened) if access == Access::ReadOnly => {
            let remark = "the session is open read-only: what is said now is not kept";
            Ok((opened, Some(remark.to_owned())))
        }
        Ok(opened) => Ok((opened, None)),
        Err(refused) if opening.wanted == Wanted::New => {
            let remark = format!(
                "this conversation is not kept: {refused}. Mend that, or choose another place with \
                 ZEUG_HOME"
            );
            Ok((Opened::unkept(), Some(remark)))
        }
        Err(refused) => Err(advised(refused)),
    }
}

fn wanted(args: &SessionArgs, sessions: &Sessions) -> anyhow::Result<Wanted> {
    Ok(match (&args.resume, &args.session) {
        (Some(id), _) if id.trim().is_empty() => anyhow::bail!(which(sessions)),
        (Some(id), _) => Wanted::Id(id.clone()),
        (None, Some(path)) => Wanted::File(std::path::absolute(path)?),
        (None, None) if args.continue_latest => Wanted::Latest,
        (None, None) => Wanted::New,
    })
}

/// Asks for an id, with those that there are.
fn which(sessions: &Sessions) -> String {
    let listing = sessions.catalog.list(&Filter::of(&sessions.cwd));
    let mut said = "which session? --resume takes its id, or the beginning of it".to_owned();
    for session in listing.sessions.iter().take(LISTED) {
        let label = text::one_line(session.label(), 60);
        said.push_str(&format!("\n  {}  {label}", session.id.short()));
    }
    if listing.sessions.is_empty() {
        said.push_str("; this project has no sessions yet");
    } else {
        said.push_str("\n`zeug sessions list` shows all of them");
    }
    said
}

/// Says what to type where another zeug has the session.
fn advised(refused: SessionRefused) -> anyhow::Error {
    let locked = matches!(
        &refused,
        SessionRefused::Session(SessionError::Locked { .. })
    );
    let error = anyhow::Error::from(refused);
    if locked {
        error.context("add --read-only to read it, or --fork to go on in a copy of it")
    } else {
        error
    }
}
