//! A face that does not read its events holds the work up, but never what must be said.

use zeug_engine::{DoneOutcome, EndReason, Event};

use crate::kit::{Does, Rig, names, outcome, soon, text, with_calls};

#[tokio::test(start_paused = true)]
async fn the_machine_waits_for_it_and_can_still_be_aborted() {
    let mut machine = Rig::new(vec![text(&"word ".repeat(50)), text("ok")])
        .set(|s| s.limits.event_queue = 4)
        .start();
    let first = machine.prompt("talk").await;
    let second = machine.prompt("again").await;
    machine.logged("turn_start 1").await;
    machine.handle.abort().await;
    machine.logged("turn_end aborted").await;
    let events = machine.until_done(first).await;
    assert_eq!(outcome(&events), DoneOutcome::Aborted);
    let events = machine.until_done(second).await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
}

#[tokio::test(start_paused = true)]
async fn nothing_owed_is_lost_when_it_stalls_in_the_middle_of_calls() {
    let calls: Vec<_> = (0..30).map(|n| (format!("c{n}"), "a", "{}")).collect();
    let calls: Vec<_> = calls.iter().map(|(i, n, a)| (i.as_str(), *n, *a)).collect();
    let mut machine = Rig::new(vec![with_calls(&calls)])
        .tool("a", Does::Echo)
        .set(|s| s.limits.event_queue = 1)
        .start();
    let id = machine.prompt("go").await;
    machine
        .until(|e| matches!(e, Event::ToolResult(r) if r.id == "c2"))
        .await;
    machine.handle.abort().await;
    machine.logged("turn_end aborted").await;
    let events = machine.until_done(id).await;
    let results = events
        .iter()
        .filter(|e| matches!(e, Event::ToolResult(_)))
        .count();
    assert_eq!(results, 27, "each call has its result");
    let stored = events
        .iter()
        .filter(|e| matches!(e, Event::Appended(_)))
        .count();
    assert_eq!(stored, 28, "each result is stored, c2 included");
    assert_eq!(outcome(&events), DoneOutcome::Aborted);
}

#[tokio::test(start_paused = true)]
async fn closing_does_not_wait_for_it_and_it_still_hears_the_end() {
    let mut machine = Rig::new(vec![text("a b c d e f"), text("never")])
        .set(|s| s.limits.event_queue = 1)
        .start();
    let first = machine.prompt("one").await;
    let second = machine.prompt("two").await;
    soon(machine.handle.close(EndReason::Shutdown)).await;
    let events = machine.until_done(first).await;
    assert_eq!(outcome(&events), DoneOutcome::Aborted);
    let events = machine.until_done(second).await;
    assert_eq!(names(&events), ["done Withdrawn"]);
    assert!(soon(machine.events.recv()).await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_face_that_went_away_holds_nothing_up() {
    let mut machine = Rig::new(vec![with_calls(&[("c1", "a", "{}")]), text("ok")])
        .tool("a", Does::Echo)
        .set(|s| s.limits.event_queue = 1)
        .start();
    machine.events.close();
    while machine.events.try_recv().is_ok() {}
    machine.prompt("go").await;
    machine.logged("assistant_message ok").await;
    machine.handle.close(EndReason::Shutdown).await;
    assert_eq!(machine.log.count("session_end shutdown"), 1);
}

#[tokio::test(start_paused = true)]
async fn progress_is_dropped_rather_than_waited_for() {
    let lines = vec!["line"; 5000];
    let mut machine = Rig::new(vec![with_calls(&[("c1", "a", "{}")]), text("ok")])
        .tool("a", Does::Progress(lines))
        .start();
    let events = machine.run("go").await;
    let shown = names(&events)
        .into_iter()
        .filter(|n| n == "progress line")
        .count();
    assert!(shown > 0 && shown <= 64, "{shown}");
    assert_eq!(outcome(&events), DoneOutcome::Finished);
}
