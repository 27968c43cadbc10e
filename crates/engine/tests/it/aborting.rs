//! Giving the running prompt up, wherever it is.

use std::time::Duration;

use tokio::time::Instant;
use zeug_engine::{DoneOutcome, Event};
use zeug_hook::{AssistantMessage, ToolCall, TurnStart};
use zeug_provider::Delta;

use crate::kit::{Act, Does, Rig, Running, listens, names, outcome, text, with_calls};

/// Gives up once the log has `line`; the events until the end.
async fn abort_at(machine: &mut Running, line: &str) -> Vec<Event> {
    let id = machine.prompt("go").await;
    machine.logged(line).await;
    machine.handle.abort().await;
    let events = machine.until_done(id).await;
    assert_eq!(outcome(&events), DoneOutcome::Aborted);
    let errors = names(&events)
        .into_iter()
        .filter(|n| n.starts_with("error"));
    assert_eq!(errors.count(), 0, "giving up is no error");
    events
}

#[tokio::test(start_paused = true)]
async fn in_the_stream() {
    let half = vec![Act::Send(Delta::Text("half".into())), Act::Hang];
    let mut machine = Rig::new(vec![half, text("fine")]).start();
    let id = machine.prompt("go").await;
    machine
        .until(|e| matches!(e, Event::TextDelta { .. }))
        .await;
    machine.handle.abort().await;
    let events = machine.until_done(id).await;
    assert_eq!(names(&events), ["turn_end aborted", "done Aborted"]);
    assert!(machine.model.tokens.lock().unwrap()[0].is_cancelled());
    assert_eq!(machine.handle.transcript().len(), 1);
    assert_eq!(machine.log.count("turn_end aborted"), 1);
    assert_eq!(outcome(&machine.run("again").await), DoneOutcome::Finished);
}

#[tokio::test(start_paused = true)]
async fn in_a_tool_that_stops_when_told() {
    let calls = with_calls(&[("c1", "a", "{}"), ("c2", "b", "{}")]);
    let mut machine = Rig::new(vec![calls, text("fine")])
        .tool("a", Does::WaitForCancel)
        .tool("b", Does::Echo)
        .start();
    let events = abort_at(&mut machine, "run a {}").await;
    let seen = names(&events);
    let tail = &seen[seen.len() - 4..];
    assert_eq!(
        tail,
        [
            "result c1 cancelled",
            "result c2 cancelled",
            "turn_end aborted",
            "done Aborted"
        ]
    );
    assert_eq!(
        machine.results(),
        [
            "c1 Cancelled stopped what it did",
            "c2 Cancelled cancelled before it ran"
        ]
    );
    assert_eq!(
        machine.log.starting_with("tool_result"),
        [
            "tool_result c1 cancelled executed {}",
            "tool_result c2 cancelled not executed {}"
        ]
    );
    assert_eq!(outcome(&machine.run("again").await), DoneOutcome::Finished);
}

#[tokio::test(start_paused = true)]
async fn in_a_tool_that_does_not_stop() {
    let mut machine = Rig::new(vec![with_calls(&[("c1", "a", "{}")])])
        .tool("a", Does::Hang)
        .start();
    let before = Instant::now();
    abort_at(&mut machine, "run a {}").await;
    assert_eq!(before.elapsed(), Duration::from_secs(5), "a short grace");
    assert_eq!(
        machine.results(),
        ["c1 Cancelled a was cancelled while it ran"]
    );
}

#[tokio::test(start_paused = true)]
async fn while_a_guard_of_a_call_is_asked() {
    let silent = listens::<ToolCall>("g", 1, |_, _| None);
    let mut machine = Rig::new(vec![with_calls(&[("c1", "a", "{}")])])
        .tool("a", Does::Echo)
        .on_tool_call(silent)
        .start();
    let before = Instant::now();
    abort_at(&mut machine, "ask g tool_call").await;
    assert_eq!(before.elapsed(), Duration::ZERO);
    assert!(machine.log.starting_with("run").is_empty());
    assert!(machine.log.starting_with("permission").is_empty());
    assert_eq!(machine.results(), ["c1 Cancelled cancelled before it ran"]);
}

#[tokio::test(start_paused = true)]
async fn while_a_guard_of_a_step_is_asked() {
    let silent = listens::<TurnStart>("g", 1, |_, _| None);
    let mut machine = Rig::new(vec![text("never")]).on_turn_start(silent).start();
    abort_at(&mut machine, "ask g turn_start").await;
    assert_eq!(machine.model.asked(), 0);
}

#[tokio::test(start_paused = true)]
async fn while_extensions_look_at_a_message_it_is_neither_shown_nor_kept() {
    let silent = listens::<AssistantMessage>("x", 1, |_, _| None);
    let mut machine = Rig::new(vec![text("secret")]).on_message(silent).start();
    let events = abort_at(&mut machine, "ask x assistant_message").await;
    assert!(!format!("{events:?}").contains("secret"));
    assert_eq!(machine.handle.transcript().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn before_it_began() {
    let mut machine = Rig::new(vec![text("never"), text("never")]).start();
    // Both words are said before the machine gets to hear either.
    let (id, ()) = tokio::join!(machine.prompt("go"), machine.handle.abort());
    let events = machine.until_done(id).await;
    assert_eq!(
        names(&events),
        ["user_message go", "turn_end aborted", "done Aborted"]
    );
    assert_eq!(machine.model.asked(), 0);
}

#[tokio::test(start_paused = true)]
async fn when_nothing_runs_it_does_nothing() {
    let mut machine = Rig::new(vec![text("fine")]).start();
    machine.handle.abort().await;
    let events = machine.run("go").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
}

#[tokio::test(start_paused = true)]
async fn what_waits_stays_and_comes_next() {
    let mut machine = Rig::new(vec![vec![Act::Hang], text("second")]).start();
    let first = machine.prompt("one").await;
    let second = machine.prompt("two").await;
    machine.until(|e| matches!(e, Event::AssistantStart)).await;
    machine.handle.abort().await;
    assert_eq!(
        outcome(&machine.until_done(first).await),
        DoneOutcome::Aborted
    );
    let events = machine.until_done(second).await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    assert!(names(&events).contains(&"message second".to_owned()));
}
