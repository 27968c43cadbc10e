//! `zeug sessions`: what was said before, listed, read, named, copied and deleted. Starts no agent.
//!
//! Data goes to stdout, everything said about it to stderr. Exit codes: 0 done, 1 failed (no such
//! session, one that another zeug writes, a file in the way), 2 wrong usage or configuration.

mod change;
mod list;
mod show;
mod tree;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{CommandFactory as _, Subcommand};
use zeug_app::Sessions;
use zeug_session::{Filter, Located, SessionError, View};
use zeug_stdx::text;

use crate::args::Args;
use crate::session;
use crate::world::World;

/// Arguments of `zeug sessions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An ID is a session's id, enough of its beginning, or the path of its file.
Exit codes: 0 done, 1 failed (no such session, one that another zeug writes, a file in the way),
2 wrong usage or configuration.")]
pub(crate) struct SessionsArgs {
    #[command(subcommand)]
    command: Option<SessionsCommand>,
}

#[derive(Debug, Subcommand)]
enum SessionsCommand {
    /// List the sessions of this project, the latest first.
    List(list::ListArgs),
    /// Find words in what was said.
    Search(list::SearchArgs),
    /// Print a conversation.
    Show(show::ShowArgs),
    /// Print a session's branches, its user messages and its sub-agents.
    Tree(tree::TreeArgs),
    /// Give a session a title; an empty one takes it away.
    Rename {
        /// Which.
        id: String,
        /// The title.
        title: String,
    },
    /// Write a session into a file for others, with all branches and without the project
    /// directory. What was said may still name files.
    Export {
        /// Which.
        id: String,
        /// The file, which must not exist.
        file: PathBuf,
    },
    /// Take over an exported session as one of this project, under an id of its own.
    Import {
        /// The file.
        file: PathBuf,
    },
    /// Delete sessions that no zeug has open.
    Delete {
        /// Which.
        #[arg(required = true)]
        ids: Vec<String>,
    },
}

/// Which sessions.
#[derive(Debug, Clone, Copy, clap::Args)]
struct Scope {
    /// Those of all projects.
    #[arg(long)]
    all: bool,
    /// Those of sub-agents, too.
    #[arg(long)]
    subagents: bool,
}

impl Scope {
    fn filter(self, sessions: &Sessions) -> Filter {
        Filter {
            cwd: (!self.all).then(|| sessions.cwd.clone()),
            subagents: self.subagents,
        }
    }
}

/// Runs one command; the exit code.
pub(crate) async fn run(args: SessionsArgs) -> anyhow::Result<u8> {
    let Some(command) = args.command else {
        let mut help = Args::command();
        if let Some(sessions) = help.find_subcommand_mut("sessions") {
            sessions.print_help()?;
        }
        return Ok(crate::USAGE);
    };
    let sessions = session::sessions(&World::look(None)?);
    // The disk blocks; nothing else is to be done meanwhile.
    let work = move || act(command, &sessions);
    let done = tokio::task::spawn_blocking(work).await?;
    let Err(error) = done else {
        return Ok(0);
    };
    if is_broken_pipe(&error) {
        return Ok(0);
    }
    let message = text::plain(&format!("{error:#}"));
    drop(writeln!(io::stderr(), "zeug sessions: {message}"));
    Ok(1)
}

fn act(command: SessionsCommand, sessions: &Sessions) -> anyhow::Result<()> {
    let out = &mut io::BufWriter::new(io::stdout().lock());
    match command {
        SessionsCommand::List(args) => list::list(args, sessions, out)?,
        SessionsCommand::Search(args) => list::search(&args, sessions, out)?,
        SessionsCommand::Show(args) => show::run(&args, sessions, out)?,
        SessionsCommand::Tree(args) => tree::run(&args, sessions, out)?,
        SessionsCommand::Rename { id, title } => change::rename(&id, &title, sessions)?,
        SessionsCommand::Export { id, file } => change::export(&id, &file, sessions)?,
        SessionsCommand::Import { file } => change::import(&file, sessions, out)?,
        SessionsCommand::Delete { ids } => change::delete(&ids, sessions)?,
    }
    out.flush()?;
    Ok(())
}

/// A reader that has seen enough is no failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let cause = error.downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// The session that is meant: a file when it is one, else an id.
pub(crate) fn locate(id: &str, sessions: &Sessions) -> Result<Located, SessionError> {
    let path = std::path::Path::new(id);
    if path.is_file() {
        return View::open(path).map(|view| view.located());
    }
    sessions.catalog.find(id)
}

/// Text of others, in one line.
fn line(of: &str, max_bytes: usize) -> String {
    text::one_line(&text::plain(of), max_bytes)
}

/// Says something beside the data.
fn aside(words: &str) {
    // Without a reader there is nobody to tell.
    drop(writeln!(
        io::stderr(),
        "zeug sessions: {}",
        text::plain(words)
    ));
}
