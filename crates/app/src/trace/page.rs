//! The decision trail for people: a paragraph a call.

use std::fmt::Write as _;

use zeug_rpc_protocol::{CallData, Did, StepData, TraceData};
use zeug_stdx::text;

/// The most bytes of arguments that are shown.
const ARGS: usize = 400;
/// The most bytes of a reason that are shown.
const REASON: usize = 400;
/// The most bytes of a name or an id that are shown.
const NAME: usize = 128;

/// The last calls, oldest first: those whose id or tool is `only`, or `max` when that is empty.
/// Plain text.
#[must_use]
pub fn page(trail: &TraceData, only: &str, max: usize) -> String {
    let calls: Vec<&CallData> = if only.is_empty() {
        let skipped = trail.calls.len().saturating_sub(max);
        trail.calls.iter().skip(skipped).collect()
    } else {
        trail
            .calls
            .iter()
            .filter(|call| is_about(call, only))
            .collect()
    };
    if calls.is_empty() {
        return match only {
            "" => "no calls yet".to_owned(),
            only => format!(
                "no call or tool {:?} among the last {} calls",
                text::one_line(only, NAME),
                trail.calls.len()
            ),
        };
    }
    let calls: Vec<String> = calls.into_iter().map(paragraph).collect();
    calls.join("\n\n")
}

/// Whether a call has this id or tool; every call when that is empty.
#[must_use]
pub fn is_about(call: &CallData, only: &str) -> bool {
    only.is_empty() || call.tool_id == only || call.tool_name == only
}

/// What was decided about one call, and by whom. Plain text.
#[must_use]
pub fn paragraph(call: &CallData) -> String {
    let mut out = format!(
        "{}  {}  {}",
        text::one_line(&call.tool_name, NAME),
        call.status.as_str(),
        text::one_line(&call.tool_id, NAME)
    );
    let mut line = |head: &str, what: &str| {
        // Writing to a string does not fail.
        let _ = write!(out, "\n  {head:<10} {what}");
    };
    let mut origin = text::one_line(&call.origin, NAME);
    if let Some(agent) = &call.agent_id {
        origin = format!("{origin}, in sub-agent {}", text::one_line(agent, NAME));
    }
    line("wanted by", &origin);
    match &call.args_raw {
        Some(raw) => line("asked", &format!("{} (no JSON)", text::one_line(raw, ARGS))),
        None => line("asked", &text::one_line(call.args.get(), ARGS)),
    }
    for step in &call.steps {
        line(&text::one_line(&step.extension, NAME), &did(step));
    }
    if let Some(rewritten) = &call.rewritten {
        line("became", &text::one_line(rewritten.get(), ARGS));
    }
    if let Some(ruling) = &call.ruling {
        let by = format!("{} by {}", ruling.decision.as_str(), ruling.source.as_str());
        line("ruling", &because(by, ruling.reason.as_deref()));
    }
    if !call.executed {
        line("", "the tool did not run");
    }
    out
}

fn did(step: &StepData) -> String {
    let did = match step.did {
        Did::Kept => "kept it",
        Did::Changed => "changed it",
        Did::Refused => "refused it",
        Did::Failed => "did not answer as it should",
    };
    let again = if step.again { ", asked again" } else { "" };
    let did = format!("{did} ({} ms{again})", step.took_ms);
    because(did, step.reason.as_deref())
}

fn because(what: String, reason: Option<&str>) -> String {
    match reason {
        Some(reason) => format!("{what}: {}", text::one_line(reason, REASON)),
        None => what,
    }
}
