//! Calls whose tools may run together do so; everything else stays one after the other.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Barrier;
use tokio::time::Instant;
use zeug_engine::{DoneOutcome, Event};
use zeug_hook::{ToolAnswer, ToolCall};

use crate::kit::{Does, Fake, Rig, listens, names, outcome, text, with_calls};

fn together(name: &str, does: Does) -> Fake {
    Fake::new(name, does).set(|f| f.spec.concurrent = true)
}

#[tokio::test(start_paused = true)]
async fn neighbours_that_may_run_together_do_and_their_results_stand_in_order() {
    let all_here = Arc::new(Barrier::new(3));
    let script = vec![
        with_calls(&[
            ("c1", "m", "{}"),
            ("c2", "m", r#"{"n":2}"#),
            ("c3", "m", "{}"),
        ]),
        text("end"),
    ];
    // None of them comes past the barrier unless all three are there.
    let mut machine = Rig::new(script)
        .fake(together("m", Does::Meet(all_here)))
        .start();
    let events = machine.run("go").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    let results = machine.results();
    let ids: Vec<&str> = results.iter().map(|r| &r[..2]).collect();
    assert_eq!(ids, ["c1", "c2", "c3"]);
}

#[tokio::test(start_paused = true)]
async fn a_fast_one_settles_first_but_its_result_waits_for_its_place() {
    let script = vec![
        with_calls(&[("c1", "slow", "{}"), ("c2", "fast", "{}")]),
        text("end"),
    ];
    let mut machine = Rig::new(script)
        .fake(together("slow", Does::Wait(Duration::from_secs(9))))
        .fake(together("fast", Does::Wait(Duration::from_secs(1))))
        .start();
    let start = Instant::now();
    let events = machine.run("go").await;
    assert_eq!(start.elapsed().as_secs(), 9);
    let seen = names(&events);
    let at = |what: &str| seen.iter().position(|n| n == what).expect(what);
    assert!(at("result c2 completed") < at("result c1 completed"));
    assert_eq!(
        machine.results(),
        ["c1 Completed at last", "c2 Completed at last"]
    );
}

#[tokio::test(start_paused = true)]
async fn one_that_must_run_alone_parts_its_neighbours() {
    let script = vec![
        with_calls(&[("c1", "t", "{}"), ("c2", "alone", "{}"), ("c3", "t", "{}")]),
        text("end"),
    ];
    let second = Duration::from_secs(1);
    let mut machine = Rig::new(script)
        .fake(together("t", Does::Wait(second)))
        .tool("alone", Does::Wait(second))
        .start();
    let events = machine.run("go").await;
    let calls: Vec<String> = names(&events)
        .into_iter()
        .filter(|n| n.starts_with("execution") || n.starts_with("result"))
        .collect();
    assert_eq!(
        calls,
        [
            "execution c1",
            "result c1 completed",
            "execution c2",
            "result c2 completed",
            "execution c3",
            "result c3 completed",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn the_gate_is_passed_in_order_while_earlier_calls_run() {
    let guard = listens::<ToolCall>("g", 1, |facts, _| {
        Some(match facts.call_id.as_str() {
            "c2" => ToolAnswer::Block("no".into()),
            _ => ToolAnswer::Allow,
        })
    });
    let all_here = Arc::new(Barrier::new(2));
    let script = vec![
        with_calls(&[("c1", "m", "{}"), ("c2", "m", "{}"), ("c3", "m", "{}")]),
        text("end"),
    ];
    let mut machine = Rig::new(script)
        .fake(together("m", Does::Meet(all_here)))
        .on_tool_call(guard)
        .start();
    let events = machine.run("go").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    let decisions = machine.log.starting_with("permission");
    assert_eq!(
        decisions,
        [
            "permission c1 approved yolo pre_execution",
            "permission c2 denied policy pre_execution",
            "permission c3 approved yolo pre_execution",
        ]
    );
    assert_eq!(
        machine.results(),
        ["c1 Completed met", "c2 Blocked no", "c3 Completed met"]
    );
}

#[tokio::test(start_paused = true)]
async fn giving_up_gives_all_of_them_up() {
    let script = vec![with_calls(&[
        ("c1", "w", "{}"),
        ("c2", "w", "{}"),
        ("c3", "w", "{}"),
    ])];
    let mut machine = Rig::new(script)
        .fake(together("w", Does::WaitForCancel))
        .start();
    let id = machine.prompt("go").await;
    machine
        .until(|e| matches!(e, Event::ToolExecutionStarted { id, .. } if id == "c3"))
        .await;
    machine.handle.abort().await;
    let events = machine.until_done(id).await;
    assert_eq!(outcome(&events), DoneOutcome::Aborted);
    assert_eq!(
        machine.results(),
        [
            "c1 Cancelled stopped what it did",
            "c2 Cancelled stopped what it did",
            "c3 Cancelled stopped what it did",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn one_that_panics_takes_none_of_the_others_down() {
    let script = vec![
        with_calls(&[("c1", "panic", "{}"), ("c2", "ok", "{}")]),
        text("end"),
    ];
    let mut machine = Rig::new(script)
        .fake(together("panic", Does::Panic))
        .fake(together("ok", Does::Echo))
        .start();
    let events = machine.run("go").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    assert_eq!(machine.results()[1], "c2 Completed ok {}");
}
