//! `zeug rpc`: one client on the standard streams, one agent, one conversation.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use zeug_app::{Agent, Approval};
use zeug_front_rpc::{Pipes, Setup, serve};

use crate::args::RunArgs;
use crate::watch::Fresh;
use crate::world::{VERSION, World};
use crate::{compose, logging, models, signals};

/// Serves the client on the standard streams; the exit code.
pub(crate) async fn run(args: RunArgs) -> anyhow::Result<u8> {
    let asks = args.print || args.stream || args.json || args.model.list_models;
    anyhow::ensure!(
        !asks && args.prompt.is_empty(),
        "zeug rpc takes its prompts from standard input: leave out the prompt, -p, --stream, \
         --json and --list-models"
    );
    let world = World::look(args.cwd.as_ref())?;
    let _log = logging::start(world.env.log.as_deref(), &world.paths.logs());
    let interrupt = signals::interrupted()?;
    let spawner = compose::spawner();
    let brain = models::connect(&world, &args.model, &spawner, &interrupt).await?;
    let parts = compose::parts(&world, &args, &spawner, brain)?;
    let setup = Setup {
        version: VERSION.to_owned(),
        token: world
            .env
            .rpc_token
            .clone()
            .map(|token| token.reveal().to_owned()),
        approval: compose::wanted_approval(&world, &args).unwrap_or(Approval::Writes),
        interrupted: signals::INTERRUPTED,
    };
    let pipes = Pipes {
        input: tokio::io::stdin(),
        output: tokio::io::stdout(),
        aside: tokio::io::stderr(),
    };
    let (agent, mut notices) = Agent::start(parts);
    let served = serve(&agent, &mut notices, pipes, setup, interrupt, hung_up());
    let code = if args.watch {
        let fresh = Fresh::start(&agent, &world, &args.extensions).await;
        tokio::select! {
            code = served => code,
            never = fresh.keep() => match never {},
        }
    } else {
        served.await
    };
    // Notices are still taken, so that nobody waits for the face while everything stops.
    let drain = async { while notices.recv().await.is_some() {} };
    tokio::join!(agent.quit(), drain);
    Ok(code)
}

/// Waits until nobody can read standard output any more: so a client that was killed is noticed
/// while a tool runs that says nothing. Where the system cannot tell, it waits for ever.
async fn hung_up() {
    // A thread of its own that ends with the process: the runtime does not wait for it.
    let waiting = tokio::task::spawn_blocking(|| {
        let output = std::io::stdout();
        loop {
            // Nothing is asked for, so only errors and the end of the other side are told.
            match poll(&mut [PollFd::new(&output, PollFlags::empty())], None) {
                Ok(_) => return true,
                Err(Errno::INTR) => {}
                Err(error) => {
                    tracing::warn!("a client that hangs up is noticed late: {error}");
                    return false;
                }
            }
        }
    });
    if !matches!(waiting.await, Ok(true)) {
        std::future::pending::<()>().await;
    }
}
