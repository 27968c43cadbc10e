//! Guards refuse a call, rewrite its arguments, or leave it in doubt by their silence.
//!
//! Does not know where guards live.

use tokio_util::sync::CancellationToken;
use zeug_hook::{Did, PermissionSource, ToolCall, ToolFacts, Verdict};
use zeug_stdx::json::RawJson;
use zeug_transcript::{Outcome, Status};

use super::{Open, given_up};
use crate::Ruling;
use crate::cancel::unless;

const BLOCKED: &str = "tool call refused by extension guard";

/// Asks the guards; an `Ok` with a sentence wants a person to decide.
pub(super) async fn ask(
    open: &mut Open,
    args: RawJson,
    cancel: &CancellationToken,
) -> Result<Option<String>, Outcome> {
    let facts = ToolFacts {
        call_id: open.id.clone(),
        tool: open.tool.clone(),
        origin_extension: open.origin.extension().map(str::to_owned),
    };
    let herald = &open.shared.herald;
    let chain = herald.chain::<ToolCall>(&herald.board().tool_call, &facts);
    if chain.is_empty() {
        return Ok(None);
    }
    let outcome = unless(cancel, chain.run(&facts, args))
        .await
        .map_err(|_| given_up())?;
    open.steps = outcome.steps;
    if outcome.changed {
        let last = open.steps.iter().rev().find(|s| s.did == Did::Changed);
        open.rewritten_by = last.map(|s| s.extension.clone());
        open.args = Ok(outcome.value);
    }
    match outcome.verdict {
        Verdict::Pass => Ok(None),
        Verdict::Ask { reason, .. } => Ok(Some(reason)),
        Verdict::Refused { reason, .. } => {
            let reason = if reason.trim().is_empty() {
                BLOCKED.to_owned()
            } else {
                reason
            };
            open.rule(Ruling {
                decision: "denied",
                source: PermissionSource::Policy,
                reason: Some(reason.clone()),
            })
            .await;
            Err(Outcome::text(Status::Blocked, reason))
        }
    }
}
