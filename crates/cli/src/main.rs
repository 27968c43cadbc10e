//! The door: arguments, wiring, exit codes.
//!
//! The only crate that names a provider and a face. What an argument means is decided in
//! `compose`; what is printed is decided by the faces and by `zeug ext`.

mod args;
mod compose;
mod ext;
mod headless;
mod invite;
mod logging;
mod models;
mod reload;
mod rpc;
mod session;
mod sessions;
mod signals;
mod themes;
mod tui;
mod watch;
mod world;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;
use zeug_config::ConfigError;
use zeug_front_text::Mode;

use crate::args::{Args, Command, RunArgs};
use crate::world::World;

/// Wrong usage or configuration.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let args = Args::parse();
    if matches!(args.command, Some(Command::Watchdog)) {
        zeug_process::watchdog_main();
    }
    match start(args) {
        Ok(code) => ExitCode::from(code),
        Err(error) if matches!(error.downcast_ref(), Some(ConfigError::Interrupted)) => {
            ExitCode::from(signals::INTERRUPTED)
        }
        Err(error) => {
            // Names in it may come from a project's file: none may drive the terminal.
            let message = zeug_stdx::text::plain(&format!("{error:#}"));
            // A closed stderr leaves the exit code, which says the same.
            drop(writeln!(std::io::stderr(), "zeug: {message}"));
            ExitCode::from(USAGE)
        }
    }
}

fn start(args: Args) -> anyhow::Result<u8> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let code = runtime.block_on(async {
        match args.command {
            None => run(args.run).await,
            Some(Command::Ext(ext)) => ext::run(ext).await,
            Some(Command::Rpc(args)) => rpc::run(*args).await,
            Some(Command::Sessions(args)) => sessions::run(args).await,
            Some(Command::Themes(args)) => themes::run(&args),
            Some(Command::Login { provider }) => login(provider).await,
            Some(Command::Logout { provider }) => {
                models::logout(provider.as_deref(), &World::look(None)?)
            }
            Some(Command::Watchdog) => Ok(0),
        }
    });
    // A read of stdin that never ends must not keep the process.
    runtime.shutdown_background();
    code
}

async fn login(provider: Option<String>) -> anyhow::Result<u8> {
    let world = World::look(None)?;
    let interrupt = signals::interrupted()?;
    models::login(provider, &world, &interrupt).await
}

async fn list_models(args: RunArgs) -> anyhow::Result<u8> {
    let world = World::look(args.cwd.as_ref())?;
    let _log = logging::start(world.env.log.as_deref(), &world.paths.logs());
    let interrupt = signals::interrupted()?;
    models::list(&args.model, args.json, &world, &interrupt).await
}

async fn run(mut args: RunArgs) -> anyhow::Result<u8> {
    if args.model.list_models {
        return list_models(args).await;
    }
    let mode = match (args.json, args.stream) {
        (true, _) => Mode::Json,
        (_, true) => Mode::Stream,
        _ => Mode::Print,
    };
    let asked = args.print || args.json || args.stream || !std::io::stdin().is_terminal();
    let is_face = !asked;
    anyhow::ensure!(
        is_face || !args.watch,
        "--watch is for a terminal and for zeug rpc: a single prompt ends before anybody edits a file"
    );
    anyhow::ensure!(
        !is_face || std::io::stdout().is_terminal(),
        "standard output is no terminal: use zeug -p PROMPT, --stream or --json, or pipe a prompt in"
    );
    let world = World::look(args.cwd.as_ref())?;
    let start_log = if is_face {
        logging::beside_a_face
    } else {
        logging::start
    };
    let _log = start_log(world.env.log.as_deref(), &world.paths.logs());
    let interrupt = signals::interrupted()?;
    if is_face {
        // Without an id, the face shows the list.
        let has_list = args.session.resume.as_deref() == Some("");
        args.session.resume.take_if(|_| has_list);
        let prompt = Some(args.prompt.join(" ")).filter(|prompt| !prompt.trim().is_empty());
        let spawner = compose::spawner();
        let brain = models::connect(&world, &args.model, &spawner, &interrupt).await?;
        let parts = compose::parts(&world, &args, &spawner, brain)?;
        let first = tui::First { prompt, has_list };
        return tui::run(&world, &args, parts, first, interrupt).await;
    }
    let prompt = headless::prompt_text(&args.prompt)?;
    anyhow::ensure!(
        !prompt.trim().is_empty(),
        "no prompt: give one as an argument or on standard input"
    );
    let spawner = compose::spawner();
    let brain = models::connect(&world, &args.model, &spawner, &interrupt).await?;
    let parts = compose::parts(&world, &args, &spawner, brain)?;
    let prompt = match zeug_skills::expand(&prompt, &parts.skills)? {
        Some(message) => message,
        None => prompt,
    };
    headless::run(parts, mode, prompt, interrupt).await
}
