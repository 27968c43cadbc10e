//! Forgetting the conversation.

use std::time::Duration;

use zeug_engine::{EndReason, Event, Refused};
use zeug_hook::BeforeAgentStart;

use crate::kit::{Does, Rig, listens, names, soon, text, with_calls, words};

#[tokio::test(start_paused = true)]
async fn nothing_is_left_and_the_system_prompt_is_prepared_anew() {
    let prepared = listens::<BeforeAgentStart>("x", 1, |facts, _| {
        Some(Some(format!("run {}", facts.agent_run_id)))
    });
    let mut machine = Rig::new(vec![text("one"), text("two")])
        .on_start(prepared)
        .start();
    machine.run("first").await;
    machine.handle.clear().await.unwrap();
    assert!(machine.handle.transcript().is_empty());
    let events = machine.run("second").await;
    assert_eq!(names(&events)[0], "cleared");
    let requests = machine.model.requests();
    assert_eq!(requests[1].messages.len(), 1);
    assert_eq!(words(&requests[1].messages[0]), "second");
    assert_ne!(requests[0].system, requests[1].system);
    assert_eq!(machine.log.count("ask x before_agent_start"), 2);
    assert_eq!(machine.log.count("session_start"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_open_gets_its_result_first() {
    let script = vec![
        with_calls(&[("c1", "slow", "{}")]),
        text("done"),
        text("fresh"),
    ];
    let mut machine = Rig::new(script)
        .tool("slow", Does::Wait(Duration::from_secs(3)))
        .start();
    machine.prompt("go").await;
    machine
        .until(|e| matches!(e, Event::ToolExecutionStarted { .. }))
        .await;
    let next = machine.prompt("next").await;
    let handle = machine.handle.clone();
    let clearing = tokio::spawn(async move { handle.clear().await });
    let events = machine.until_done(next).await;
    let seen = names(&events);
    let at = |what: &str| seen.iter().position(|n| n == what).expect(what);
    assert!(at("result c1 completed") < at("message done"));
    assert!(at("message done") < at("cleared"));
    assert!(at("cleared") < at("user_message next"));
    soon(clearing).await.unwrap().unwrap();
    assert_eq!(machine.model.requests()[2].messages.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_closed_conversation_is_not_cleared() {
    let machine = Rig::new(vec![]).start();
    machine.handle.close(EndReason::Shutdown).await;
    assert_eq!(machine.handle.clear().await, Err(Refused::Closed));
}
