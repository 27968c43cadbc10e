//! The decision trail of the turn machine, in the words of the RPC protocol.

mod page;

use zeug_engine::{Ruling, Trace};
use zeug_hook::Step;
use zeug_rpc_protocol::{CallData, Did, RulingData, StepData, TraceData};
use zeug_stdx::json::RawJson;
use zeug_stdx::text;
use zeug_tool::Origin;

use crate::translate;

pub use page::{is_about, page, paragraph};

/// The most bytes of arguments that a session keeps with a decision.
const KEPT_ARGS: usize = 8 * 1024;

pub(crate) fn data(trail: Vec<Trace>) -> TraceData {
    TraceData {
        calls: trail.into_iter().map(call).collect(),
    }
}

/// What a session keeps of a decision: the same, with the beginning of long arguments alone, since
/// the conversation has the rest.
pub(crate) fn kept(trace: Trace) -> CallData {
    let mut call = call(trace);
    shorten(&mut call.args);
    if let Some(rewritten) = &mut call.rewritten {
        shorten(rewritten);
    }
    if let Some(raw) = &mut call.args_raw {
        *raw = text::prefix(raw, KEPT_ARGS).to_owned();
    }
    call
}

fn shorten(args: &mut RawJson) {
    let bytes = args.get().len();
    if bytes > KEPT_ARGS {
        let start = text::prefix(args.get(), KEPT_ARGS);
        let cut = format!("{start}… ({bytes} bytes)");
        *args = RawJson::of(&cut).unwrap_or_else(|_| RawJson::null());
    }
}

fn call(trace: Trace) -> CallData {
    let (args, args_raw) = match trace.asked {
        Ok(args) => (args, None),
        Err(written) => (RawJson::null(), Some(written)),
    };
    let origin = match trace.origin {
        Origin::Model => "model".to_owned(),
        Origin::Typed | Origin::User => "user".to_owned(),
        Origin::Extension(name) | Origin::Command(name) => format!("extension {name}"),
    };
    CallData {
        tool_id: trace.call_id,
        tool_name: trace.tool,
        origin,
        agent_id: trace.agent.map(|agent| agent.agent_id),
        args,
        args_raw,
        rewritten: trace.rewritten,
        steps: trace.steps.into_iter().map(step).collect(),
        ruling: trace.ruling.map(ruling),
        executed: trace.executed,
        status: trace.status,
    }
}

fn step(step: Step) -> StepData {
    let (did, reason) = match step.did {
        zeug_hook::Did::Kept => (Did::Kept, None),
        zeug_hook::Did::Changed => (Did::Changed, None),
        zeug_hook::Did::Refused(reason) => (Did::Refused, Some(reason)),
        zeug_hook::Did::Failed(silence) => (Did::Failed, Some(silence.to_string())),
    };
    StepData {
        extension: step.extension,
        took_ms: u64::try_from(step.took.as_millis()).unwrap_or(u64::MAX),
        did,
        reason,
        again: step.again,
    }
}

fn ruling(ruling: Ruling) -> RulingData {
    RulingData {
        decision: translate::decided(ruling.decision),
        source: translate::source(ruling.source),
        reason: ruling.reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use zeug_hook::{PermissionSource, Silence};
    use zeug_transcript::Status;

    #[test]
    fn a_page_says_who_did_what_in_plain_words() {
        let trail = data(vec![trace()]);
        let page = page(&trail, "", 20);
        assert_eq!(
            page,
            "bash  blocked  c1\n  wanted by  extension todo\n  asked      { (no JSON)\n  \
             guard      kept it (12 ms)\n  guard      changed it (12 ms)\n  \
             guard      did not answer as it should (12 ms): it left\n  \
             guard      refused it (12 ms): no\n  became     {}\n  \
             ruling     denied by policy: no\n             the tool did not run",
        );
        assert!(super::page(&trail, "bash", 0).starts_with("bash"));
        assert!(super::page(&trail, "c1", 0).starts_with("bash"));
        assert!(super::page(&trail, "read", 9).starts_with("no call or tool \"read\""));
        assert_eq!(super::page(&data(Vec::new()), "", 9), "no calls yet");
    }

    fn trace() -> Trace {
        let step = |did| Step {
            extension: "guard".into(),
            took: Duration::from_millis(12),
            did,
            again: false,
        };
        Trace {
            call_id: "c1".into(),
            tool: "bash".into(),
            origin: Origin::Extension("todo".into()),
            agent: None,
            asked: Err("{".into()),
            rewritten: Some(RawJson::empty_object()),
            steps: vec![
                step(zeug_hook::Did::Kept),
                step(zeug_hook::Did::Changed),
                step(zeug_hook::Did::Failed(Silence::Gone("it left".into()))),
                step(zeug_hook::Did::Refused("no".into())),
            ],
            ruling: Some(Ruling {
                decision: "denied",
                source: PermissionSource::Policy,
                reason: Some("no".into()),
            }),
            executed: false,
            status: Status::Blocked,
        }
    }

    #[test]
    fn a_call_tells_who_was_asked_and_what_was_decided() {
        let line = serde_json::to_string(&data(vec![trace()])).unwrap();
        let step = |did: &str| {
            format!(r#"{{"extension":"guard","took_ms":12,"did":"{did}","again":false}}"#)
        };
        let why = |did: &str, reason: &str| {
            format!(
                r#"{{"extension":"guard","took_ms":12,"did":"{did}","reason":"{reason}","again":false}}"#
            )
        };
        let steps = [
            step("kept"),
            step("changed"),
            why("failed", "it left"),
            why("refused", "no"),
        ];
        let expect = format!(
            r#"{{"calls":[{{"tool_id":"c1","tool_name":"bash","origin":"extension todo","args":null,"args_raw":"{{","rewritten":{{}},"steps":[{}],"ruling":{{"decision":"denied","source":"policy","reason":"no"}},"executed":false,"status":"blocked"}}]}}"#,
            steps.join(",")
        );
        assert_eq!(line, expect);
    }
}
