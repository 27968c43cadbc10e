//! Another conversation takes the place of the one that is open.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use zeug_engine::{Adoption, DoneOutcome, EndReason, Event, Refused};
use zeug_provider::Effort;
use zeug_transcript::Usage;

use crate::kit::{Does, Rig, exchanges, names, soon, text, with_calls, words};

/// A conversation of one exchange.
fn other() -> Adoption {
    Adoption {
        session_id: "s2".into(),
        history: exchanges(1),
        spent: Usage {
            input_tokens: 100,
            ..Usage::default()
        },
        activated: Vec::new(),
        between: Box::new(|| ()),
    }
}

#[tokio::test(start_paused = true)]
async fn the_other_conversation_goes_on_where_it_was() {
    let mut machine = Rig::new(vec![text("one"), text("two")]).start();
    machine.run("first").await;
    let log = machine.log.clone();
    let adoption = Adoption {
        between: Box::new(move || log.note("between")),
        ..other()
    };
    let adopted = machine.handle.adopt(async { Some(adoption) }).await;
    assert_eq!(adopted, Ok(true));
    assert_eq!(machine.handle.transcript(), exchanges(1));
    let events = machine.run("second").await;
    assert_eq!(names(&events)[0], "adopted");
    let request = &machine.model.requests()[1];
    let told: Vec<String> = request.messages.iter().map(words).collect();
    assert_eq!(told.last().map(String::as_str), Some("second"));
    assert_eq!(told.len(), 3);
    let brackets: Vec<String> = machine
        .log
        .lines()
        .into_iter()
        .filter(|line| line.starts_with("session_") || line == "between")
        .collect();
    let expect = [
        "session_start",
        "session_end session_switch",
        "between",
        "session_start",
    ];
    assert_eq!(brackets, expect);
}

#[tokio::test(start_paused = true)]
async fn what_runs_settles_in_the_old_conversation_and_what_waits_is_taken_back() {
    let script = vec![with_calls(&[("c1", "slow", "{}")]), text("fresh")];
    let mut machine = Rig::new(script)
        .tool("slow", Does::Wait(Duration::from_secs(60)))
        .start();
    let running = machine.prompt("go").await;
    machine
        .until(|e| matches!(e, Event::ToolExecutionStarted { .. }))
        .await;
    let waiting = machine.prompt("waits").await;
    let handle = machine.handle.clone();
    let transcript = machine.handle.clone();
    let adopting = tokio::spawn(async move {
        let load = async move {
            let old = transcript.transcript();
            assert_eq!(old.len(), 3, "the call has its result: {old:?}");
            Some(other())
        };
        handle.adopt(load).await
    });
    let events = machine.until(|e| matches!(e, Event::Adopted)).await;
    assert_eq!(soon(adopting).await.unwrap(), Ok(true));
    let ended = |events: &[Event]| -> Vec<_> {
        let done = |event: &Event| match event {
            Event::Done { prompt, outcome } => Some((*prompt, *outcome)),
            _ => None,
        };
        events.iter().filter_map(done).collect()
    };
    let mut ends = ended(&events);
    ends.sort_by_key(|(prompt, _)| *prompt);
    assert_eq!(
        ends,
        [
            (running, DoneOutcome::Aborted),
            (waiting, DoneOutcome::Withdrawn)
        ]
    );
    machine.run("fresh").await;
    assert_eq!(machine.model.requests()[1].messages.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn how_much_the_model_reasons_holds_from_the_next_request_on() {
    let mut machine = Rig::new(vec![text("one"), text("two")]).start();
    machine.run("first").await;
    machine.handle.set_reasoning(Some(Effort::High)).await;
    machine.run("second").await;
    let asked: Vec<_> = machine
        .model
        .requests()
        .iter()
        .map(|r| r.reasoning)
        .collect();
    assert_eq!(asked, [None, Some(Effort::High)]);
}

#[tokio::test(start_paused = true)]
async fn a_conversation_that_cannot_be_loaded_leaves_the_old_one() {
    let mut machine = Rig::new(vec![text("one"), text("two")]).start();
    machine.run("first").await;
    assert_eq!(machine.handle.adopt(async { None }).await, Ok(false));
    machine.run("second").await;
    assert_eq!(machine.model.requests()[1].messages.len(), 3);
    assert_eq!(machine.log.count("session_end session_switch"), 0);
}

#[tokio::test(start_paused = true)]
async fn no_room_is_made_where_nobody_stays() {
    let script = vec![with_calls(&[("c1", "slow", "{}")])];
    let mut machine = Rig::new(script)
        .tool("slow", Does::Wait(Duration::from_secs(60)))
        .set(|setup| setup.history = exchanges(9))
        .start();
    machine.prompt("go").await;
    machine
        .until(|e| matches!(e, Event::ToolExecutionStarted { .. }))
        .await;
    let handle = machine.handle.clone();
    let compacting = tokio::spawn(async move { handle.compact().await });
    tokio::task::yield_now().await;
    let adopted = machine.handle.adopt(async { Some(other()) }).await;
    assert_eq!(adopted, Ok(true));
    assert_eq!(soon(compacting).await.unwrap(), Err(Refused::Replaced));
    assert_eq!(
        machine.model.requests().len(),
        1,
        "no summary was asked for"
    );
    assert_eq!(machine.log.count("pre_compact"), 0);
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_comes_while_it_loads_is_for_the_new_conversation() {
    let mut machine = Rig::new(vec![text("one")]).start();
    let (go, gone) = tokio::sync::oneshot::channel();
    let handle = machine.handle.clone();
    let adopting = tokio::spawn(async move {
        let load = async move {
            gone.await.unwrap();
            Some(other())
        };
        handle.adopt(load).await
    });
    tokio::task::yield_now().await;
    let prompt = machine.prompt("first").await;
    go.send(()).unwrap();
    machine.until_done(prompt).await;
    assert_eq!(soon(adopting).await.unwrap(), Ok(true));
    assert_eq!(machine.model.requests()[0].messages.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_closed_machine_takes_up_nothing() {
    let machine = Rig::new(vec![]).start();
    machine.handle.close(EndReason::Shutdown).await;
    let loaded = Arc::new(AtomicBool::new(false));
    let flag = loaded.clone();
    let load = async move {
        flag.store(true, Ordering::SeqCst);
        None
    };
    assert_eq!(machine.handle.adopt(load).await, Err(Refused::Closed));
    assert!(!loaded.load(Ordering::SeqCst));
}
