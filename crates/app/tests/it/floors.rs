//! How many sub-agents work at the same time, and how deep.

use std::sync::Arc;

use tokio::sync::Barrier;
use zeug_engine::DoneOutcome;

use crate::kit::{Does, Rig, call, calls, says, task};

#[tokio::test(start_paused = true)]
async fn two_in_one_message_work_at_the_same_time() {
    let meets = |id: &str| vec![calls(&[call(id, "meet", "{}")]), says("met")];
    // Neither comes past the barrier before the other is there.
    let both_here = Arc::new(Barrier::new(2));
    let mut agent = Rig::new(vec![
        (
            "go",
            vec![
                calls(&[task("c1", "left", "one"), task("c2", "right", "two")]),
                says("thanks"),
            ],
        ),
        ("one", meets("k1")),
        ("two", meets("k2")),
    ])
    .tool("meet", Does::Meet(both_here))
    .start();
    assert_eq!(agent.run("go").await, DoneOutcome::Finished);
    assert_eq!(agent.results(), ["c1 Completed met", "c2 Completed met"]);
    let brackets: Vec<String> = agent.log.with(": st");
    assert!(brackets[..2].iter().all(|line| line.ends_with("starts")));
    assert!(
        brackets[2..]
            .iter()
            .all(|line| line.ends_with("stops completed"))
    );
}

#[tokio::test(start_paused = true)]
async fn those_that_are_too_many_wait_for_a_place() {
    let tasks = [
        task("c1", "first", "one"),
        task("c2", "second", "two"),
        task("c3", "third", "three"),
    ];
    let mut agent = Rig::new(vec![
        ("go", vec![calls(&tasks), says("thanks")]),
        ("one", vec![says("1")]),
        ("two", vec![says("2")]),
        ("three", vec![says("3")]),
    ])
    .set(|rig| rig.tasks.at_once = 1)
    .start();
    agent.prompt("go").await;
    let (events, _) = agent.until_done().await;
    assert_eq!(
        agent.results(),
        ["c1 Completed 1", "c2 Completed 2", "c3 Completed 3"]
    );
    assert_eq!(
        agent.log.with(": st"),
        [
            "first/1: starts",
            "first/1: stops completed",
            "second/1: starts",
            "second/1: stops completed",
            "third/1: starts",
            "third/1: stops completed",
        ]
    );
    let waits = |e: &&zeug_engine::Event| matches!(e, zeug_engine::Event::ToolProgress { text, .. } if text.starts_with("waits"));
    assert_eq!(events.iter().filter(waits).count(), 2);
}

#[tokio::test(start_paused = true)]
async fn one_may_have_sub_agents_and_those_have_none() {
    let mut agent = Rig::new(vec![
        (
            "go",
            vec![calls(&[task("c1", "boss", "lead")]), says("thanks")],
        ),
        (
            "lead",
            vec![calls(&[task("k1", "worker", "dig")]), says("led")],
        ),
        (
            "dig",
            vec![calls(&[task("d1", "nobody", "deeper")]), says("dug")],
        ),
    ])
    .start();
    agent.run("go").await;
    assert_eq!(agent.results(), ["c1 Completed led"]);
    assert_eq!(
        agent.log.with(": "),
        [
            "main: session_start",
            "main: calls task",
            "boss/1: starts",
            "boss/1: calls task",
            "worker/2: starts",
            "worker/2: calls task",
            "worker/2: task failed",
            "worker/2: stops completed",
            "boss/1: task completed",
            "boss/1: stops completed",
            "main: task completed",
        ]
    );
    let offered = |begin| agent.model.requests(begin)[0].tools.len();
    assert_eq!((offered("go"), offered("lead"), offered("dig")), (1, 1, 0));
}

#[tokio::test(start_paused = true)]
async fn a_floor_full_of_those_who_wait_for_the_floor_below_goes_on() {
    let leads = |id: &str, prompt: &str| vec![calls(&[task(id, "worker", prompt)]), says("led")];
    let mut agent = Rig::new(vec![
        (
            "go",
            vec![
                calls(&[task("c1", "left", "one"), task("c2", "right", "two")]),
                says("thanks"),
            ],
        ),
        ("one", leads("k1", "dig 1")),
        ("two", leads("k2", "dig 2")),
        ("dig 1", vec![says("dug")]),
        ("dig 2", vec![says("dug")]),
    ])
    .set(|rig| rig.tasks.at_once = 1)
    .start();
    assert_eq!(agent.run("go").await, DoneOutcome::Finished);
    assert_eq!(agent.results(), ["c1 Completed led", "c2 Completed led"]);
}

#[tokio::test(start_paused = true)]
async fn without_floors_there_is_no_such_tool() {
    let agent = Rig::new(vec![]).set(|rig| rig.tasks.depth = 0).start();
    assert!(agent.handle.common().tools().unwrap().offered().is_empty());
}
