//! Calls that others than the model want: the same gate, no part of the conversation.

use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use zeug_engine::{Approval, CallRequest, Consent, DoneOutcome, Refused};
use zeug_hook::{ToolAnswer, ToolCall};
use zeug_stdx::json::RawJson;
use zeug_tool::Origin;
use zeug_transcript::{Content, Status};

use crate::kit::{Does, Fake, Rig, listens, outcome, soon, text, with_calls};

fn request(name: &str, args: &str) -> CallRequest {
    CallRequest {
        name: name.to_owned(),
        args: RawJson::parse(args).unwrap(),
        origin: Origin::Extension("x".into()),
        chain: Vec::new(),
        cancel: CancellationToken::new(),
        deadline: None,
    }
}

#[tokio::test(start_paused = true)]
async fn it_passes_the_gate_and_leaves_the_conversation_alone() {
    let machine = Rig::new(vec![]).tool("a", Does::Echo).start();
    let report = soon(machine.handle.call(request("a", r#"{"n":1}"#))).await;
    let report = report.unwrap();
    assert_eq!(report.outcome.status, Status::Completed);
    assert!(report.executed);
    assert_eq!(Content::joined(&report.outcome.content), r#"a {"n":1}"#);
    let lines = machine.log.lines();
    let id = &report.call_id;
    assert_eq!(
        lines,
        [
            "session_start".to_owned(),
            format!(r#"tool_call {id} {{"n":1}}"#),
            format!("permission {id} approved yolo pre_execution"),
            r#"run a {"n":1}"#.to_owned(),
            format!(r#"tool_result {id} completed executed {{"n":1}}"#),
        ]
    );
    assert!(machine.handle.transcript().is_empty());
    assert_eq!(machine.handle.trail().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn guards_know_who_wants_it() {
    let guard = listens::<ToolCall>("g", 1, |facts, _| {
        Some(match &facts.origin_extension {
            Some(who) => ToolAnswer::Block(format!("not for {who}")),
            None => ToolAnswer::Allow,
        })
    });
    let machine = Rig::new(vec![])
        .tool("a", Does::Echo)
        .on_tool_call(guard)
        .start();
    let report = soon(machine.handle.call(request("a", "{}"))).await.unwrap();
    assert_eq!(report.outcome.status, Status::Blocked);
    assert_eq!(Content::joined(&report.outcome.content), "not for x");
    assert!(!report.executed);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_waits_for_a_person_has_a_deadline_when_it_is_called() {
    let asks = Fake::new("a", Does::WaitForCancel).set(|f| f.spec.interactive = true);
    let machine = Rig::new(vec![])
        .fake(asks)
        .set(|s| s.can_interact = true)
        .start();
    let before = Instant::now();
    let mut wanted = request("a", "{}");
    wanted.deadline = Some(Duration::from_secs(60));
    let report = soon(machine.handle.call(wanted)).await.unwrap();
    assert_eq!(report.outcome.status, Status::TimedOut);
    assert!(report.executed);
    assert_eq!(before.elapsed(), Duration::from_secs(60));
}

#[tokio::test(start_paused = true)]
async fn it_runs_while_a_prompt_runs() {
    let mut machine = Rig::new(vec![with_calls(&[("c1", "outer", "{}")]), text("ok")])
        .tool("outer", Does::WaitForCancel)
        .tool("inner", Does::Echo)
        .start();
    let id = machine.prompt("go").await;
    machine.logged("run outer {}").await;
    let report = soon(machine.handle.call(request("inner", "{}"))).await;
    assert_eq!(report.unwrap().outcome.status, Status::Completed);
    machine.handle.abort().await;
    let events = machine.until_done(id).await;
    assert_eq!(outcome(&events), DoneOutcome::Aborted);
}

#[tokio::test(start_paused = true)]
async fn the_deadline_covers_the_tool_and_not_the_person() {
    let mut machine = Rig::new(vec![])
        .tool("a", Does::WaitForCancel)
        .set(|s| {
            s.approval = Approval::Always;
            s.can_ask = true;
        })
        .start();
    let handle = machine.handle.clone();
    let before = Instant::now();
    let mut wanted = request("a", "{}");
    wanted.deadline = Some(Duration::from_secs(60));
    let call = tokio::spawn(async move { handle.call(wanted).await });
    let question = soon(machine.asks.recv()).await.expect("a question");
    tokio::time::advance(Duration::from_secs(300)).await;
    let zeug_engine::Ask::Approve { reply, .. } = question;
    reply.send(Consent::Once);
    let report = soon(call).await.unwrap().unwrap();
    assert_eq!(report.outcome.status, Status::TimedOut);
    assert_eq!(before.elapsed(), Duration::from_secs(360));
}

#[tokio::test(start_paused = true)]
async fn giving_it_up_settles_it() {
    let machine = Rig::new(vec![]).tool("a", Does::WaitForCancel).start();
    let wanted = request("a", "{}");
    let cancel = wanted.cancel.clone();
    let handle = machine.handle.clone();
    let call = tokio::spawn(async move { handle.call(wanted).await });
    machine.logged("run a {}").await;
    cancel.cancel();
    let report = soon(call).await.unwrap().unwrap();
    assert_eq!(report.outcome.status, Status::Cancelled);
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_gives_it_up_and_it_still_settles() {
    let machine = Rig::new(vec![]).tool("a", Does::WaitForCancel).start();
    let handle = machine.handle.clone();
    let call = tokio::spawn(async move { handle.call(request("a", "{}")).await });
    machine.logged("run a {}").await;
    call.abort();
    assert!(call.await.is_err());
    machine.handle.close(zeug_engine::EndReason::Shutdown).await;
    let results = machine.log.starting_with("tool_result");
    assert_eq!(results.len(), 1, "{results:?}");
    assert!(results[0].contains("cancelled executed"), "{results:?}");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_calls_with_its_own_token_is_given_up_with_its_turn() {
    let mut machine = Rig::new(vec![with_calls(&[("c1", "outer", "{}")])])
        .tool("outer", Does::WaitForCancel)
        .fake(Fake::new("inner", Does::WaitForCancel).of_extension("x"))
        .start();
    let id = machine.prompt("go").await;
    machine.logged("run outer {}").await;
    // What an extension's host does: the nested call hangs on the token of the outer one.
    let outer = CancellationToken::new();
    let mut wanted = request("inner", "{}");
    wanted.cancel = outer.child_token();
    let handle = machine.handle.clone();
    let inner = tokio::spawn(async move { handle.call(wanted).await });
    machine.logged("run inner {}").await;
    outer.cancel();
    machine.handle.abort().await;
    machine.until_done(id).await;
    let report = soon(inner).await.unwrap().unwrap();
    assert_eq!(report.outcome.status, Status::Cancelled);
}

#[tokio::test(start_paused = true)]
async fn a_closed_machine_refuses() {
    let machine = Rig::new(vec![]).tool("a", Does::Echo).start();
    machine.handle.close(zeug_engine::EndReason::Shutdown).await;
    let refused = soon(machine.handle.call(request("a", "{}"))).await;
    assert_eq!(refused.err(), Some(Refused::Closed));
}
