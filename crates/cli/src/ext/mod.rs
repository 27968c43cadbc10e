//! `zeug ext`: the commands that manage extensions (`list` to `trust`, which start none) and
//! those that start some (`doctor`, `call`, `command`).
//!
//! Data goes to stdout, everything said about it to stderr. Exit codes: 0 done, 1 failed, 2
//! wrong usage or configuration, 130 interrupted.

mod call;
mod doctor;
mod install;
mod list;
mod logs;
mod remove;
mod say;
mod toggle;
mod trace;
mod trust;
mod update;

#[cfg(test)]
mod tests;

use std::io::{self, Write};

use clap::{CommandFactory as _, Subcommand};
use tokio_util::sync::CancellationToken;
use zeug_ext_catalog::{CatalogError, Places, Tools};

use crate::args::{Args, ExtensionArgs};
use crate::compose;
use crate::signals::INTERRUPTED;
use crate::world::World;

/// Arguments of `zeug ext`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExtArgs {
    #[command(subcommand)]
    command: Option<ExtCommand>,
}

#[derive(Debug, Subcommand)]
enum ExtCommand {
    #[command(flatten)]
    Files(FileCommand),
    /// Start all extensions and say what is wrong with them.
    Doctor {
        /// Only this one.
        name: Option<String>,
        /// As JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        extensions: ExtensionArgs,
    },
    /// Run one tool without a model.
    Call {
        /// The tool.
        tool: String,
        /// Its arguments, a JSON object.
        #[arg(default_value = "{}")]
        json: String,
        #[command(flatten)]
        extensions: ExtensionArgs,
    },
    /// Run one slash command without a model.
    Command {
        /// The command, with or without its slash.
        name: String,
        /// What would be typed after it.
        args: Vec<String>,
        #[command(flatten)]
        extensions: ExtensionArgs,
    },
}

/// The commands that start no extension.
#[derive(Debug, Subcommand)]
enum FileCommand {
    /// List the extensions of this project and the installed ones.
    List(list::ListArgs),
    /// Install an extension from a directory or a git repository.
    Install(install::InstallArgs),
    /// Renew installed extensions from where they came.
    Update(update::UpdateArgs),
    /// Delete an extension.
    #[command(visible_alias = "rm")]
    Remove(remove::RemoveArgs),
    /// Switch an extension on; takes effect at the next start.
    Enable(toggle::ToggleArgs),
    /// Switch an extension off without removing it; takes effect at the next start.
    Disable(toggle::ToggleArgs),
    /// Print what an extension wrote to its log.
    Logs(logs::LogsArgs),
    /// Print who decided what about the last calls of a session.
    Trace(trace::TraceArgs),
    /// Trust the content that extensions of a project have now.
    Trust(trust::TrustArgs),
}

/// What the file commands work with.
struct Context<'a> {
    world: &'a World,
    interrupt: &'a CancellationToken,
    /// One line of standard input, empty at its end.
    read_line: fn() -> io::Result<String>,
}

impl Context<'_> {
    fn places(&self) -> Places {
        self.world.places()
    }

    /// Variables with keys: neither git nor a build gets them.
    fn withheld(&self) -> Vec<String> {
        let names = self.world.loaded.settings.withheld().into_iter();
        names.map(str::to_owned).collect()
    }

    fn tools(&self) -> Tools {
        Tools {
            spawner: compose::spawner(),
            cancel: self.interrupt.clone(),
            path: self.world.env.path.clone(),
            withheld: self.withheld(),
        }
    }
}

/// Runs one subcommand.
pub(crate) async fn run(ext: ExtArgs) -> anyhow::Result<u8> {
    let mut out = io::stdout();
    let Some(command) = ext.command else {
        help(&mut io::stderr())?;
        return Ok(0);
    };
    let world = World::look(None)?;
    let _log = crate::logging::start(world.env.log.as_deref(), &world.paths.logs());
    let interrupt = crate::signals::interrupted()?;
    match command {
        ExtCommand::Files(command) => {
            let context = Context {
                world: &world,
                interrupt: &interrupt,
                read_line: || {
                    let mut line = String::new();
                    io::stdin().read_line(&mut line).map(|_| line)
                },
            };
            Ok(files(command, &context, &mut out, &mut io::stderr()).await)
        }
        ExtCommand::Doctor {
            name,
            json,
            extensions,
        } => {
            let name = name.as_deref();
            doctor::run(name, json, &extensions, &world, &interrupt, &mut out).await
        }
        ExtCommand::Call {
            tool,
            json,
            extensions,
        } => call::tool(&tool, &json, &extensions, &world, &interrupt, &mut out).await,
        ExtCommand::Command {
            name,
            args,
            extensions,
        } => {
            let args = args.join(" ");
            call::command(&name, &args, &extensions, &world, &interrupt, &mut out).await
        }
    }
}

fn help(err: &mut dyn Write) -> io::Result<()> {
    let mut zeug = Args::command();
    zeug.build();
    match zeug.find_subcommand_mut("ext") {
        Some(ext) => write!(err, "{}", ext.render_help()),
        None => Ok(()),
    }
}

/// Runs a file command; a failure is told on `err` and becomes the exit code.
async fn files(
    command: FileCommand,
    context: &Context<'_>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let done = match command {
        FileCommand::List(args) => list::run(args, context, out, err).await,
        FileCommand::Install(args) => install::run(args, context, out, err).await,
        FileCommand::Update(args) => update::run(args, context, out, err).await,
        FileCommand::Remove(args) => remove::run(args, context, out, err).await,
        FileCommand::Enable(args) => toggle::run(args, true, context, out, err).await,
        FileCommand::Disable(args) => toggle::run(args, false, context, out, err).await,
        FileCommand::Logs(args) => logs::run(args, context, out, err).await,
        FileCommand::Trace(args) => trace::run(&args, context, out),
        FileCommand::Trust(args) => trust::run(args, context, out, err).await,
    };
    match done {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) => {
            // A closed stderr leaves the exit code, which says the same.
            drop(writeln!(err, "zeug: {}", say::lines(&format!("{error:#}"))));
            let cancelled = matches!(error.downcast_ref(), Some(CatalogError::Cancelled));
            if cancelled { INTERRUPTED } else { 1 }
        }
    }
}

/// Whoever reads our stdout, such as `head`, has seen enough.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io: Option<&io::Error> = error.downcast_ref();
    io.is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
