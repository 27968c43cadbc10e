//! Attempts at one request: when there is another, and after which pause.

use std::time::Duration;

use tokio::time::Instant;
use zeug_engine::{DoneOutcome, Event};
use zeug_provider::{Delta, FailureKind};

use crate::kit::{Act, Does, Rig, call, error, failure, names, outcome, text};

fn refused(kind: FailureKind, retry_after: Option<Duration>) -> Vec<Act> {
    vec![Act::Refuse(failure(kind, retry_after))]
}

fn delays(events: &[Event]) -> Vec<Duration> {
    let delay = |e: &Event| match e {
        Event::RetryScheduled { delay, .. } => Some(*delay),
        _ => None,
    };
    events.iter().filter_map(delay).collect()
}

#[tokio::test(start_paused = true)]
async fn the_provider_says_how_long_to_wait() {
    let wait = Some(Duration::from_secs(7));
    let mut machine = Rig::new(vec![refused(FailureKind::RateLimited, wait), text("ok")]).start();
    let before = Instant::now();
    let events = machine.run("hi").await;
    assert_eq!(before.elapsed(), Duration::from_secs(7));
    assert_eq!(
        names(&events)[1..7],
        [
            "turn_start 1",
            "request_started 1",
            "turn_end error: fake/m1: 529 too much to do",
            "retry 2 7s",
            "request_started 2",
            "assistant_start",
        ]
    );
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    assert_eq!(
        machine.log.lines()[2..],
        [
            "turn_start 1",
            "turn_end error: fake/m1: 529 too much to do",
            "assistant_message ok",
            "turn_end end_turn",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn attempts_run_out() {
    let mut machine = Rig::new(vec![refused(FailureKind::Overloaded, None); 9]).start();
    let events = machine.run("hi").await;
    assert_eq!(outcome(&events), DoneOutcome::Failed);
    assert_eq!(machine.model.asked(), 5);
    assert_eq!(machine.log.starting_with("turn_end error").len(), 5);
    let pauses = delays(&events);
    let ceilings = [500, 1000, 2000, 4000];
    assert_eq!(pauses.len(), ceilings.len());
    for (pause, ceiling) in pauses.iter().zip(ceilings) {
        assert!(*pause <= Duration::from_millis(ceiling), "{pauses:?}");
    }
    let said = error(&events);
    for part in ["fake/m1", "529", "too much to do", "5 attempts", "wait"] {
        assert!(said.contains(part), "{said}");
    }
}

#[tokio::test(start_paused = true)]
async fn pauses_are_the_same_for_the_same_seed() {
    let mut seen = Vec::new();
    for _ in 0..2 {
        let mut machine = Rig::new(vec![refused(FailureKind::Server, None); 9]).start();
        seen.push(delays(&machine.run("hi").await));
    }
    assert_eq!(seen[0], seen[1]);
}

#[tokio::test(start_paused = true)]
async fn what_would_fail_again_is_not_tried_again() {
    for (kind, hint) in [
        (FailureKind::Authentication, "/login"),
        (FailureKind::BadRequest, "change the prompt"),
        (FailureKind::ContextOverflow, "/compact"),
        (FailureKind::Quota, "--provider"),
    ] {
        let mut machine = Rig::new(vec![refused(kind, None)]).start();
        let events = machine.run("hi").await;
        assert_eq!(machine.model.asked(), 1, "{kind:?}");
        assert!(error(&events).contains(hint), "{}", error(&events));
    }
}

#[tokio::test(start_paused = true)]
async fn a_cut_stream_is_tried_again_and_what_it_said_is_void() {
    let cut = vec![Act::Send(Delta::Text("half a".into()))];
    let mut machine = Rig::new(vec![cut, text("whole")]).start();
    let events = machine.run("hi").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    let said = format!("{:?}", machine.handle.transcript());
    assert!(said.contains("whole") && !said.contains("half"), "{said}");
    assert_eq!(machine.log.count("assistant_message whole"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_half_finished_call_is_tried_again() {
    let mut cut = call("c1", "a", "{}");
    cut.pop();
    let mut machine = Rig::new(vec![cut, text("whole")])
        .tool("a", Does::Echo)
        .start();
    let events = machine.run("hi").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    assert!(machine.log.starting_with("tool_call").is_empty());
}

#[tokio::test(start_paused = true)]
async fn nothing_is_tried_again_after_a_complete_call() {
    let mut broken = call("c1", "a", "{}");
    broken.push(Act::Fail(failure(FailureKind::Overloaded, None)));
    let mut machine = Rig::new(vec![broken, text("on")])
        .tool("a", Does::Echo)
        .start();
    let events = machine.run("hi").await;
    assert_eq!(outcome(&events), DoneOutcome::Failed);
    assert!(
        error(&events).contains("nothing was run"),
        "{}",
        error(&events)
    );
    assert_eq!(machine.model.asked(), 1);
    assert_eq!(machine.handle.transcript().len(), 1, "no dangling call");
    assert!(machine.log.starting_with("tool_call").is_empty());
    let events = machine.run("go on").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
}

#[tokio::test(start_paused = true)]
async fn two_calls_with_one_id_are_a_failure_of_the_provider() {
    let mut twins = call("c1", "a", "{}");
    twins.extend(call("c1", "a", "{}"));
    let mut machine = Rig::new(vec![twins]).tool("a", Does::Echo).start();
    let events = machine.run("hi").await;
    assert!(
        error(&events).contains("two tool calls"),
        "{}",
        error(&events)
    );
}

#[tokio::test(start_paused = true)]
async fn giving_up_ends_the_pause() {
    let mut machine = Rig::new(vec![refused(FailureKind::RateLimited, None)])
        .set(|s| {
            s.limits.retry_base = Duration::from_secs(3000);
            s.limits.retry_cap = Duration::from_secs(3000);
        })
        .start();
    let before = Instant::now();
    let id = machine.prompt("hi").await;
    machine
        .until(|e| matches!(e, Event::RetryScheduled { .. }))
        .await;
    machine.handle.abort().await;
    let events = machine.until_done(id).await;
    assert_eq!(outcome(&events), DoneOutcome::Aborted);
    assert_eq!(before.elapsed(), Duration::ZERO);
}
