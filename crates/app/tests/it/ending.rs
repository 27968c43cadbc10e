//! Giving up: a sub-agent ends with the call that it is for.

use std::time::Duration;

use zeug_app::Note;
use zeug_engine::{DoneOutcome, EndReason};
use zeug_transcript::Status;

use crate::kit::{Act, Does, Rig, call, calls, says, soon, task};

fn stuck(child: Vec<Vec<Act>>) -> Rig {
    Rig::new(vec![
        ("go", vec![calls(&[task("c1", "scout", "look")])]),
        ("look", child),
    ])
}

fn returned(notes: &[Note]) -> Option<Status> {
    notes.iter().find_map(|note| match note {
        Note::Returned(returned) => Some(returned.status),
        _ => None,
    })
}

#[tokio::test(start_paused = true)]
async fn giving_up_the_agent_gives_up_what_its_sub_agent_does() {
    let mut agent = stuck(vec![calls(&[call("k1", "wait", "{}")])])
        .tool("wait", Does::WaitForCancel)
        .start();
    agent.prompt("go").await;
    agent.log.has("runs wait").await;
    agent.handle.abort().await;
    let (_, outcome) = agent.until_done().await;
    assert_eq!(outcome, DoneOutcome::Aborted);
    assert_eq!(
        agent.results(),
        ["c1 Cancelled the sub-agent was cancelled"]
    );
    assert_eq!(
        agent.log.lines()[2..],
        [
            "scout/1: starts",
            "scout/1: calls wait",
            "runs wait",
            "stopped wait",
            "scout/1: wait cancelled",
            "scout/1: stops cancelled",
            "main: task cancelled",
        ]
    );
    assert_eq!(returned(&agent.noted()), Some(Status::Cancelled));
}

#[tokio::test(start_paused = true)]
async fn giving_up_reaches_the_floor_below() {
    let mut agent = Rig::new(vec![
        ("go", vec![calls(&[task("c1", "boss", "lead")])]),
        ("lead", vec![calls(&[task("k1", "worker", "dig")])]),
        ("dig", vec![calls(&[call("d1", "wait", "{}")])]),
    ])
    .tool("wait", Does::WaitForCancel)
    .start();
    agent.prompt("go").await;
    agent.log.has("runs wait").await;
    agent.handle.abort().await;
    agent.until_done().await;
    assert_eq!(
        agent.log.with("stops"),
        ["worker/2: stops cancelled", "boss/1: stops cancelled"]
    );
}

#[tokio::test(start_paused = true)]
async fn giving_up_while_its_model_is_silent() {
    let mut agent = stuck(vec![vec![Act::Hang]]).start();
    agent.prompt("go").await;
    agent.log.has("starts").await;
    agent.handle.abort().await;
    agent.until_done().await;
    assert_eq!(agent.log.with("stops"), ["scout/1: stops cancelled"]);
}

#[tokio::test(start_paused = true)]
async fn one_that_waits_for_a_place_never_starts() {
    let tasks = [task("c1", "first", "one"), task("c2", "second", "two")];
    let mut agent = Rig::new(vec![
        ("go", vec![calls(&tasks)]),
        ("one", vec![calls(&[call("k1", "wait", "{}")])]),
    ])
    .tool("wait", Does::WaitForCancel)
    .set(|rig| rig.tasks.at_once = 1)
    .start();
    agent.prompt("go").await;
    agent.log.has("runs wait").await;
    agent.handle.abort().await;
    agent.until_done().await;
    assert_eq!(
        agent.results(),
        [
            "c1 Cancelled the sub-agent was cancelled",
            "c2 Cancelled the sub-agent was cancelled before it began",
        ]
    );
    assert!(agent.log.with("second").is_empty());
}

#[tokio::test(start_paused = true)]
async fn one_whose_tool_does_not_stop_still_returns_once() {
    let mut agent = stuck(vec![calls(&[call("k1", "hang", "{}")])])
        .tool("hang", Does::Hang)
        .start();
    agent.prompt("go").await;
    agent.log.has("runs hang").await;
    agent.handle.abort().await;
    let (_, outcome) = agent.until_done().await;
    assert_eq!(outcome, DoneOutcome::Aborted);
    agent.log.has("scout/1: stops cancelled").await;
    assert_eq!(agent.log.with("stops").len(), 1);
    // The conversation is told to its end also when nobody waits for the report any more.
    let mut notes = agent.noted();
    while returned(&notes).is_none() {
        notes.extend(soon(agent.notes.recv()).await);
    }
    assert_eq!(returned(&notes), Some(Status::Cancelled));
}

#[tokio::test(start_paused = true)]
async fn closing_the_agent_ends_its_sub_agents_first() {
    let mut agent = stuck(vec![calls(&[call("k1", "wait", "{}")])])
        .tool("wait", Does::WaitForCancel)
        .start();
    agent.prompt("go").await;
    agent.log.has("runs wait").await;
    agent.handle.close(EndReason::Shutdown).await;
    assert_eq!(
        agent.log.lines()[5..],
        [
            "stopped wait",
            "scout/1: wait cancelled",
            "scout/1: stops cancelled",
            "main: task cancelled",
            "main: session_end",
        ]
    );
    // Nothing keeps the questions or the events open.
    drop(agent.handle);
    assert!(soon(agent.asks.recv()).await.is_none());
    while soon(agent.events.recv()).await.is_some() {}
}

#[tokio::test(start_paused = true)]
async fn a_place_is_free_again_after_a_failure() {
    let broken = || crate::kit::fails(zeug_provider::FailureKind::BadRequest);
    let mut agent = Rig::new(vec![
        (
            "go",
            vec![
                calls(&[task("c1", "first", "one")]),
                calls(&[task("c2", "second", "two")]),
                says("thanks"),
            ],
        ),
        ("one", vec![broken()]),
        ("two", vec![says("done")]),
    ])
    .set(|rig| rig.tasks.at_once = 1)
    .start();
    let outcome = tokio::time::timeout(Duration::from_secs(60), agent.run("go")).await;
    assert_eq!(outcome.unwrap(), DoneOutcome::Finished);
    assert_eq!(agent.results()[1], "c2 Completed done");
}
