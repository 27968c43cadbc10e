//! The end of a conversation: once, in order, and for everybody who waits.

use zeug_engine::{DoneOutcome, EndReason, Prompt, Refused};

use crate::kit::{Act, Does, Rig, names, outcome, soon, text, with_calls};

#[tokio::test(start_paused = true)]
async fn the_end_is_announced_once_with_the_first_reason() {
    let mut machine = Rig::new(vec![text("ok")]).start();
    machine.run("hi").await;
    let again = machine.handle.clone();
    tokio::join!(
        machine.handle.close(EndReason::SessionSwitch),
        again.close(EndReason::Shutdown)
    );
    again.close(EndReason::CwdChange).await;
    assert_eq!(
        machine.log.starting_with("session_end"),
        ["session_end session_switch"]
    );
    let refused = machine.handle.prompt(Prompt::text("more")).await;
    assert_eq!(refused, Err(Refused::Closed));
    assert!(
        soon(machine.events.recv()).await.is_none(),
        "no more events"
    );
}

#[tokio::test(start_paused = true)]
async fn closing_gives_up_what_runs_and_what_waits() {
    let mut machine = Rig::new(vec![with_calls(&[("c1", "a", "{}")])])
        .tool("a", Does::WaitForCancel)
        .start();
    let running = machine.prompt("one").await;
    let waiting = machine.prompt("two").await;
    machine.logged("run a {}").await;
    machine.handle.close(EndReason::Shutdown).await;
    let events = machine.until_done(running).await;
    assert_eq!(outcome(&events), DoneOutcome::Aborted);
    let events = machine.until_done(waiting).await;
    assert_eq!(outcome(&events), DoneOutcome::Withdrawn);
    let lines = machine.log.lines();
    assert_eq!(
        lines[lines.len() - 3..],
        [
            "tool_result c1 cancelled executed {}",
            "turn_end aborted",
            "session_end shutdown"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn dropping_the_last_handle_closes() {
    let mut machine = Rig::new(vec![vec![Act::Hang]]).start();
    let id = machine.prompt("hi").await;
    machine.logged("turn_start 1").await;
    drop(machine.handle);
    let mut events = Vec::new();
    while let Some(event) = soon(machine.events.recv()).await {
        events.push(event);
    }
    assert_eq!(outcome(&events), DoneOutcome::Aborted);
    assert!(
        names(&events).contains(&"user_message hi".to_owned()),
        "{id}"
    );
    assert_eq!(machine.log.count("session_end shutdown"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_conversation_that_was_never_active_has_no_end() {
    let machine = Rig::new(vec![]).start();
    machine.handle.close(EndReason::Shutdown).await;
    assert!(machine.log.lines().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_opened_one_has_a_start_and_an_end() {
    let machine = Rig::new(vec![]).start();
    machine.handle.open().await;
    machine.handle.open().await;
    machine.handle.close(EndReason::CwdChange).await;
    assert_eq!(
        machine.log.lines(),
        ["session_start", "session_end cwd_change"]
    );
}

#[test]
fn the_end_of_the_runtime_is_an_end_too() {
    let rig = Rig::new(vec![with_calls(&[("c1", "a", "{}")])]).tool("a", Does::Hang);
    let log = rig.log.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap();
    let machine = runtime.block_on(async {
        let machine = rig.start();
        machine.prompt("hi").await;
        machine.logged("run a {}").await;
        machine
    });
    drop(runtime);
    assert_eq!(log.starting_with("tool_result").len(), 1);
    assert_eq!(
        log.lines().last().map(String::as_str),
        Some("session_end shutdown")
    );
    drop(machine);
}
