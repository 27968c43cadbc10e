//! `zeug ext`. (Being completed: the file commands are added beside these.)

mod call;
mod doctor;

use clap::Subcommand;

use crate::args::ExtensionArgs;
use crate::world::World;

/// Arguments of `zeug ext`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExtArgs {
    #[command(subcommand)]
    command: ExtCommand,
}

#[derive(Debug, Subcommand)]
enum ExtCommand {
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

/// Runs one subcommand.
pub(crate) async fn run(ext: ExtArgs) -> anyhow::Result<u8> {
    let world = World::look(None)?;
    let _log = crate::logging::start(world.env.log.as_deref(), &world.paths.logs());
    let interrupt = crate::signals::interrupted()?;
    let mut out = std::io::stdout();
    match ext.command {
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
