//! The terminal face: wiring for `zeug [PROMPT]` in a terminal.

mod history;
mod look;
mod outside;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use zeug_app::{Agent, Notice, Parts};
use zeug_engine::Approval;
use zeug_front_tui::Setup;

use crate::args::RunArgs;
use crate::compose;
use crate::signals::INTERRUPTED;
use crate::watch::Fresh;
use crate::world::{VERSION, World};

/// What the face begins with.
#[derive(Debug)]
pub(crate) struct First {
    /// What is asked first.
    pub(crate) prompt: Option<String>,
    /// Whether the list of sessions is open.
    pub(crate) has_list: bool,
}

/// Shows the agent until the user leaves; the exit code.
pub(crate) async fn run(
    world: &World,
    args: &RunArgs,
    mut parts: Parts,
    first: First,
    interrupt: CancellationToken,
) -> anyhow::Result<u8> {
    parts.engine.can_ask = true;
    parts.engine.can_interact = true;
    parts.engine.approval = compose::wanted_approval(world, args).unwrap_or(Approval::Writes);
    // The face asks about these itself.
    let is_stranger = |notice: &Notice| matches!(notice, Notice::ExtensionSkipped { .. });
    parts.first.retain(|notice| !is_stranger(notice));
    let (look, problem) = look::find(world, &args.extensions)?;
    parts.first.extend(problem.map(Notice::Remark));
    let setup = Setup {
        version: VERSION.to_owned(),
        look,
        prompt: first.prompt,
        has_list: first.has_list,
        outside: Arc::new(outside::World::new(world, args)),
    };
    let (agent, mut notices) = Agent::start(parts);
    agent.set_face(true, true).await;
    let face = zeug_front_tui::run(&agent, &mut notices, setup, interrupt.clone());
    let ended = if args.watch {
        let fresh = Fresh::start(&agent, world, &args.extensions).await;
        tokio::select! {
            ended = face => ended,
            never = fresh.keep() => match never {},
        }
    } else {
        face.await
    };
    // Notices are still taken, so that nobody waits for the face while everything stops.
    let drain = async { while notices.recv().await.is_some() {} };
    tokio::join!(agent.quit(), drain);
    ended?;
    Ok(if interrupt.is_cancelled() {
        INTERRUPTED
    } else {
        0
    })
}
