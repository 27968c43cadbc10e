//! Bugs of others: a panic anywhere ends at most the prompt it happened in, and nothing dangles.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use zeug_engine::{CallRequest, DoneOutcome, Refused};
use zeug_hook::{Observation, Observer, ToolCall};
use zeug_stdx::json::RawJson;
use zeug_tool::Origin;
use zeug_transcript::Status;

use crate::kit::{Does, Listens, Rig, error, listens, outcome, soon, text, with_calls};

fn buggy() -> Listens<ToolCall> {
    listens("buggy", 1, |facts: &zeug_hook::ToolFacts, _| {
        assert_ne!(facts.tool, "b", "the listener has a bug");
        Some(zeug_hook::ToolAnswer::Allow)
    })
}

#[tokio::test(start_paused = true)]
async fn a_panic_between_calls_settles_those_that_are_open() {
    let calls = with_calls(&[("c1", "a", "{}"), ("c2", "b", "{}"), ("c3", "a", "{}")]);
    let mut machine = Rig::new(vec![calls, text("fine")])
        .tool("a", Does::Echo)
        .tool("b", Does::Echo)
        .on_tool_call(buggy())
        .start();
    let events = machine.run("go").await;
    assert_eq!(outcome(&events), DoneOutcome::Failed);
    assert!(error(&events).contains("internal error"));
    assert_eq!(
        machine.log.starting_with("tool_result"),
        [
            "tool_result c1 completed executed {}",
            "tool_result c2 failed not executed {}",
            "tool_result c3 failed not executed {}"
        ]
    );
    let results = machine.results();
    assert_eq!(results.len(), 3, "{results:?}");
    assert!(results[2].contains("interrupted"), "{results:?}");
    let events = machine.run("go on").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    assert_eq!(machine.model.requests()[1].messages.len(), 6);
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_a_call_from_outside_settles_it_and_the_caller_hears() {
    let machine = Rig::new(vec![])
        .tool("b", Does::Echo)
        .on_tool_call(buggy())
        .start();
    let wanted = CallRequest {
        name: "b".into(),
        args: RawJson::empty_object(),
        origin: Origin::User,
        chain: Vec::new(),
        cancel: CancellationToken::new(),
        deadline: None,
    };
    let report = soon(machine.handle.call(wanted.clone())).await;
    assert_eq!(report.err(), Some(Refused::BrokeOff));
    assert_eq!(machine.log.starting_with("tool_result").len(), 1);
    assert_eq!(machine.handle.trail()[0].status, Status::Failed);
    let again = soon(machine.handle.call(wanted)).await;
    assert_eq!(again.err(), Some(Refused::BrokeOff), "the machine lives on");
}

#[tokio::test(start_paused = true)]
async fn an_observer_that_panics_stops_nothing() {
    struct Buggy;
    impl Observer for Buggy {
        fn observe(&self, observation: &Observation) {
            panic!("the observer has a bug at {observation:?}");
        }
    }
    let mut machine = Rig::new(vec![with_calls(&[("c1", "a", "{}")]), text("fine")])
        .tool("a", Does::Echo)
        .start();
    machine.board.observe_with(Arc::new(Buggy));
    let events = machine.run("go").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_calls_at_once_on_many_threads_settle_once_each() {
    let mut machine = Rig::new(vec![with_calls(&[("c1", "a", "{}")]), text("fine")])
        .tool("a", Does::Echo)
        .set(|s| s.limits.event_queue = 2)
        .start();
    let callers: Vec<_> = (0..100)
        .map(|n| {
            let handle = machine.handle.clone();
            tokio::spawn(async move {
                let wanted = CallRequest {
                    name: "a".into(),
                    args: RawJson::parse(format!(r#"{{"n":{n}}}"#)).unwrap(),
                    origin: Origin::Extension("x".into()),
                    chain: Vec::new(),
                    cancel: CancellationToken::new(),
                    deadline: None,
                };
                handle.call(wanted).await.unwrap().outcome.status
            })
        })
        .collect();
    let id = machine.prompt("go").await;
    let mut events = machine.until_done(id).await;
    let reader = tokio::spawn(async move {
        while let Some(event) = machine.events.recv().await {
            events.push(event);
        }
        events
    });
    for caller in callers {
        assert_eq!(caller.await.unwrap(), Status::Completed);
    }
    machine.handle.close(zeug_engine::EndReason::Shutdown).await;
    drop(reader.await.unwrap());
    assert_eq!(machine.log.starting_with("tool_result").len(), 101);
    assert_eq!(machine.log.count("session_start"), 1);
    assert_eq!(machine.log.count("session_end shutdown"), 1);
}
