//! The one gate: [`lookup`] → [`validate`] → [`intercept`] → [`approve`] → [`execute`] → [`settle`].
//!
//! Every call passes it, whoever wants it. Does not know about turns, prompts or nesting.

pub(crate) mod approve;
mod execute;
mod intercept;
mod lookup;
mod settle;
mod validate;

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use zeug_stdx::json::RawJson;
use zeug_tool::{Call, Context, Entry, Nested, Origin, Progress};
use zeug_transcript::{Outcome, Status};

use crate::Common;
use crate::shared::{CALL_IDS, Shared};

pub(crate) use settle::Open;

/// A call that somebody else than the model wants.
#[derive(Debug, Clone)]
pub struct CallRequest {
    /// The tool's name.
    pub name: String,
    /// The arguments.
    pub args: RawJson,
    /// Who wants it.
    pub origin: Origin,
    /// The names of the calls above it, the outermost first.
    pub chain: Vec<String>,
    /// Gives the call up.
    pub cancel: CancellationToken,
    /// How long the tool may run; waiting for an approval does not count.
    pub deadline: Option<Duration>,
}

/// What came of a call.
#[derive(Debug, Clone)]
pub struct CallReport {
    /// The call.
    pub call_id: String,
    /// The tool's name.
    pub tool: String,
    /// The arguments after all rewrites, or `Err` with the text when it was no JSON.
    pub args: Result<RawJson, String>,
    /// Whether the tool itself was entered.
    pub executed: bool,
    /// How it settled.
    pub outcome: Outcome,
}

/// Announces a call from outside a turn and brings it through the gate.
pub(crate) async fn from_outside(shared: Arc<Shared>, request: CallRequest) -> CallReport {
    let cancel = shared.root.child_token();
    let mut call = std::pin::pin!(async {
        let (id, args) = (CALL_IDS.next(), Ok(request.args));
        let mut open =
            Open::announce(shared, id, request.name, args, request.origin, &cancel).await;
        open.chain = request.chain;
        pass(open, &cancel, request.deadline).await
    });
    tokio::select! {
        biased;
        () = request.cancel.cancelled() => {}
        report = &mut call => return report,
    }
    // Given up by whoever wanted it: it still settles, like one that the machine gives up.
    cancel.cancel();
    call.await
}

/// Brings an announced call through the gate, and runs it.
pub(crate) async fn pass(
    open: Open,
    cancel: &CancellationToken,
    deadline: Option<Duration>,
) -> CallReport {
    finish(gate(open, cancel).await, cancel, deadline).await
}

/// A call behind the gate: permitted, or refused but not settled yet.
pub(crate) struct Gated {
    open: Open,
    way: Result<(Entry, Call, Context), Outcome>,
}

/// Brings an announced call through the gate.
pub(crate) async fn gate(mut open: Open, cancel: &CancellationToken) -> Gated {
    let way = admit(&mut open, cancel).await;
    Gated { open, way }
}

/// Runs a call that was permitted; settles it in any case.
pub(crate) async fn finish(
    gated: Gated,
    cancel: &CancellationToken,
    deadline: Option<Duration>,
) -> CallReport {
    let Gated { mut open, way } = gated;
    let outcome = match way {
        Ok((entry, call, cx)) => execute::run(&mut open, &entry, call, cx, deadline).await,
        Err(outcome) => outcome,
    };
    open.shared.herald.room().await;
    open.settle(outcome, cancel).await
}

/// Everything before the tool is entered. An `Err` is how the call settles instead.
async fn admit(
    open: &mut Open,
    cancel: &CancellationToken,
) -> Result<(Entry, Call, Context), Outcome> {
    if cancel.is_cancelled() {
        return Err(given_up());
    }
    let entry = lookup::tool(&open.shared.tools, &open.tool)?;
    open.source = Some(entry.tool.spec().source.clone());
    let args = validate::parsed(open)?;
    validate::check(&entry, &args, None)?;
    let doubt = intercept::ask(open, args, cancel).await?;
    let args = validate::parsed(open)?;
    if let Some(by) = &open.rewritten_by {
        validate::check(&entry, &args, Some(by))?;
    }
    let (can_ask, can_interact) = open.shared.with_policy(|p| (p.can_ask, p.can_interact));
    // A panel belongs to the agent that a person talks to.
    let can_interact = can_interact && open.shared.herald.agent().is_none();
    if entry.tool.spec().interactive && !can_interact {
        return Err(Outcome::failed(format!(
            "{} waits for a person, and nobody can answer in this run: \
             start zeug in a terminal to use it, or go on without it",
            open.tool
        )));
    }
    let call = Call {
        id: open.id.clone(),
        name: open.tool.clone(),
        args,
    };
    let cx = Context {
        cancel: cancel.child_token(),
        cwd: open.shared.cwd.clone(),
        can_interact,
        origin: open.origin.clone(),
        progress: Progress::nowhere(),
        nested: Nested {
            gate: Some(Arc::new(Common::of(&open.shared))),
            chain: open.chain.iter().chain([&open.tool]).cloned().collect(),
        },
    };
    let can_ask = can_ask && !open.shared.asks.is_closed();
    approve::permit(open, &entry, &call, &cx, can_ask, doubt).await?;
    if cancel.is_cancelled() {
        return Err(given_up());
    }
    Ok((entry, call, cx))
}

/// Before it ran.
fn given_up() -> Outcome {
    Outcome::text(Status::Cancelled, "cancelled before it ran")
}
