//! Guards of a step, its hidden context, and the prepared system prompt.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use zeug_engine::DoneOutcome;
use zeug_hook::{AgentFacts, BeforeAgentStart, Prompt, TurnAnswer, TurnStart};
use zeug_provider::FailureKind;

use crate::kit::{Act, Does, Listens, Rig, failure, listens, names, outcome, text, with_calls};

fn two_steps() -> Vec<Vec<Act>> {
    vec![with_calls(&[("c1", "a", "{}")]), text("ok")]
}

fn appends(extension: &str, order: u32, more: &'static str) -> Listens<BeforeAgentStart> {
    listens(extension, order, move |_, prompt: &Prompt| {
        Some(Some(format!("{prompt}{more}")))
    })
}

fn systems(machine: &crate::kit::Running) -> Vec<Option<String>> {
    let requests = machine.model.requests();
    let system = |r: &zeug_provider::Request| r.system.as_deref().map(str::to_owned);
    requests.iter().map(system).collect()
}

#[tokio::test(start_paused = true)]
async fn a_refused_step_ends_the_run_with_the_reason() {
    let mut machine = Rig::new(two_steps())
        .on_turn_start(listens("g", 1, |_, _| {
            Some(TurnAnswer::Block("not today".into()))
        }))
        .start();
    let events = machine.run("hi").await;
    assert_eq!(
        names(&events),
        [
            "user_message hi",
            "turn_start 1",
            "turn_end error: not today",
            "done Blocked"
        ]
    );
    assert_eq!(
        machine.log.lines()[2..],
        [
            "turn_start 1",
            "ask g turn_start",
            "turn_end error: not today"
        ]
    );
    assert_eq!(machine.model.asked(), 0);
    assert_eq!(
        machine.handle.transcript().len(),
        1,
        "what the user said stays"
    );
}

#[tokio::test(start_paused = true)]
async fn every_step_is_guarded_and_there_is_a_usual_reason() {
    let mut machine = Rig::new(two_steps())
        .tool("a", Does::Echo)
        .on_turn_start(listens("g", 1, |facts: &zeug_hook::StepFacts, _| {
            Some(match facts.step {
                1 => TurnAnswer::Go {
                    context: String::new(),
                },
                _ => TurnAnswer::Block(" ".into()),
            })
        }))
        .start();
    let events = machine.run("hi").await;
    assert_eq!(outcome(&events), DoneOutcome::Blocked);
    let end = "turn_end error: turn blocked by extension guard";
    assert_eq!(machine.log.count(end), 1);
    assert_eq!(machine.results().len(), 1, "the conversation stays valid");
}

#[tokio::test(start_paused = true)]
async fn hidden_context_is_in_that_request_only() {
    let mut machine = Rig::new(two_steps())
        .tool("a", Does::Echo)
        .on_turn_start(listens("plan", 1, |facts: &zeug_hook::StepFacts, _| {
            let context = if facts.step == 1 { "phase one" } else { "" };
            Some(TurnAnswer::Go {
                context: context.into(),
            })
        }))
        .start();
    machine.run("hi").await;
    let requests = machine.model.requests();
    assert_eq!(requests[0].context.as_deref(), Some("[plan]\nphase one"));
    assert_eq!(requests[1].context, None);
    let said = format!("{:?}", machine.handle.transcript());
    assert!(!said.contains("phase one"));
}

#[tokio::test(start_paused = true)]
async fn a_silent_guard_of_a_step_lets_it_pass() {
    let silent = listens::<TurnStart>("g", 1, |_, _| None);
    let mut machine = Rig::new(vec![text("ok")]).on_turn_start(silent).start();
    let events = machine.run("hi").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
}

#[tokio::test(start_paused = true)]
async fn the_prompt_is_prepared_once_and_reused_until_it_is_rebuilt() {
    // The first attempt is turned away, and made again.
    let busy = failure(FailureKind::RateLimited, None);
    let mut answers = vec![vec![Act::Refuse(busy)]];
    answers.extend(two_steps());
    answers.extend([text("two"), text("three")]);
    let mut machine = Rig::new(answers)
        .tool("a", Does::Echo)
        .on_start(appends("one", 1, "+1"))
        .on_start(appends("two", 2, "+2"))
        .start();
    machine.run("first").await;
    machine.run("second").await;
    assert_eq!(machine.log.count("ask one before_agent_start"), 1);
    machine.handle.rebuild("base").await;
    machine.run("third").await;
    assert_eq!(machine.log.count("ask one before_agent_start"), 2);
    let expect = Some("base+1+2".to_owned());
    assert_eq!(systems(&machine), vec![expect; 5]);
}

#[tokio::test(start_paused = true)]
async fn a_rebuild_during_a_tool_counts_from_the_next_step_on() {
    let mut machine = Rig::new(two_steps())
        .tool("a", Does::Wait(Duration::from_secs(1)))
        .on_start(appends("one", 1, "+1"))
        .start();
    let id = machine.prompt("hi").await;
    machine.logged("run a {}").await;
    machine.handle.rebuild("new").await;
    machine.until_done(id).await;
    let expect = ["base+1", "new+1"].map(|s| Some(s.to_owned()));
    assert_eq!(systems(&machine), expect);
}

#[tokio::test(start_paused = true)]
async fn an_empty_prompt_is_not_sent() {
    let remove = listens::<BeforeAgentStart>("x", 1, |_, _| Some(Some(String::new())));
    let mut machine = Rig::new(vec![text("ok")]).on_start(remove).start();
    machine.run("hi").await;
    assert_eq!(systems(&machine), [None]);
}

#[tokio::test(start_paused = true)]
async fn a_rebuild_while_extensions_are_asked_discards_and_asks_anew() {
    let runs = Arc::new(Mutex::new(Vec::new()));
    let seen = runs.clone();
    // Silent the first time, so that the rebuild arrives while it is being asked.
    let slow = listens("x", 1, move |facts: &AgentFacts, prompt: &Prompt| {
        let mut runs = seen.lock().unwrap();
        runs.push((facts.agent_run_id.clone(), prompt.to_string()));
        (runs.len() > 1).then(|| Some(format!("{prompt}+x")))
    });
    let mut machine = Rig::new(vec![text("ok")]).on_start(slow).start();
    let before = tokio::time::Instant::now();
    let id = machine.prompt("hi").await;
    machine.logged("ask x before_agent_start").await;
    machine.handle.rebuild("new").await;
    machine.until_done(id).await;
    assert_eq!(before.elapsed(), Duration::ZERO, "at once");
    assert_eq!(systems(&machine), [Some("new+x".to_owned())]);
    let runs = runs.lock().unwrap();
    assert_eq!(runs[0].1, "base");
    assert_eq!(runs[1].1, "new");
    assert_ne!(runs[0].0, runs[1].0, "each preparation has its own id");
}

#[tokio::test(start_paused = true)]
async fn a_silent_extension_keeps_the_prompt_and_the_user_is_told() {
    let silent = listens::<BeforeAgentStart>("x", 1, |_, _| None);
    let mut machine = Rig::new(vec![text("ok")])
        .on_start(silent)
        .on_start(appends("y", 2, "+y"))
        .start();
    let events = machine.run("hi").await;
    assert_eq!(systems(&machine), [Some("base+y".to_owned())]);
    let warned = names(&events);
    assert!(
        warned.iter().any(|n| n.starts_with("warning extension x")),
        "{warned:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn giving_up_commits_no_preparation() {
    let asked = Arc::new(AtomicU32::new(0));
    let count = asked.clone();
    let slow = listens("x", 1, move |_: &AgentFacts, prompt: &Prompt| {
        let first = count.fetch_add(1, Ordering::Relaxed) == 0;
        (!first).then(|| Some(format!("{prompt}+x")))
    });
    let mut machine = Rig::new(vec![text("ok")]).on_start(slow).start();
    let id = machine.prompt("hi").await;
    machine.logged("ask x before_agent_start").await;
    machine.handle.abort().await;
    let events = machine.until_done(id).await;
    assert_eq!(outcome(&events), DoneOutcome::Aborted);
    machine.run("again").await;
    assert_eq!(systems(&machine), [Some("base+x".to_owned())]);
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn another_model_is_asked_from_the_next_request_on() {
    let mut machine = Rig::new(vec![text("one")]).start();
    machine.run("hi").await;
    let other = Arc::new(crate::kit::Model::new(vec![text("two")]));
    machine
        .handle
        .set_model(other.clone(), "m2", "for m2")
        .await;
    machine.run("hi").await;
    assert_eq!(machine.model.asked(), 1);
    let request = &other.requests()[0];
    assert_eq!(request.model, "m2");
    assert_eq!(request.system.as_deref(), Some("for m2"));
    assert_eq!(request.messages.len(), 3);
}
