//! What the user sees of the model's text while extensions decide about it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use zeug_engine::{DoneOutcome, Event};
use zeug_hook::{AssistantAnswer, AssistantMessage, OnFailure};
use zeug_provider::Delta;
use zeug_transcript::{Message, Shown, StopReason};

use crate::kit::{Act, Does, Listens, Rig, call, listens, names, outcome, shown, text};

fn says(answer: AssistantAnswer) -> Listens<AssistantMessage> {
    listens("x", 1, move |_, _| Some(answer.clone()))
}

fn secretive() -> Vec<Act> {
    let mut acts = vec![Act::Send(Delta::Thinking("the secret is swordfish".into()))];
    acts.extend(text("The secret is swordfish."));
    acts
}

fn stored(machine: &crate::kit::Running) -> zeug_transcript::AssistantMessage {
    let found = machine
        .handle
        .transcript()
        .into_iter()
        .find_map(|m| match m {
            Message::Assistant(message) => Some(message),
            _ => None,
        });
    found.expect("an assistant message")
}

fn without_storage(events: &[Event]) -> String {
    let seen: Vec<_> = events
        .iter()
        .filter(|e| !matches!(e, Event::Appended(_)))
        .collect();
    format!("{seen:?}")
}

#[tokio::test(start_paused = true)]
async fn held_back_text_comes_as_one_piece_after_the_verdict() {
    let mut machine = Rig::new(vec![secretive()])
        .on_message(says(AssistantAnswer::Show))
        .start();
    let events = machine.run("tell").await;
    let seen = names(&events);
    let from = seen.iter().position(|n| n == "assistant_start").unwrap();
    assert_eq!(
        seen[from + 1..],
        [
            "thinking the secret is swordfish",
            "text The secret is swordfish.",
            "message The secret is swordfish.",
            "turn_end end_turn",
            "done Finished",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_replaced_text_leaks_nowhere() {
    let mut machine = Rig::new(vec![secretive()])
        .on_message(says(AssistantAnswer::Replace("I may not say.".into())))
        .start();
    let events = machine.run("tell").await;
    assert_eq!(shown(&events), "I may not say.");
    let all = without_storage(&events);
    assert!(!all.contains("swordfish"), "{all}");
    assert_eq!(
        machine.log.starting_with("assistant_message"),
        ["assistant_message I may not say."]
    );
    let kept = stored(&machine);
    assert_eq!(kept.text(""), "The secret is swordfish.");
    assert_eq!(kept.shown, Some(Shown::Replaced("I may not say.".into())));
}

#[tokio::test(start_paused = true)]
async fn a_suppressed_message_is_kept_and_never_shown() {
    let mut machine = Rig::new(vec![secretive()])
        .on_message(says(AssistantAnswer::Suppress("secret".into())))
        .start();
    let events = machine.run("tell").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    assert_eq!(shown(&events), "");
    assert!(!without_storage(&events).contains("swordfish"));
    let told = "warning extension x: a message of the model is not shown: secret";
    assert!(names(&events).contains(&told.to_owned()));
    assert!(machine.log.starting_with("assistant_message").is_empty());
    assert_eq!(machine.log.count("turn_end end_turn"), 1);
    assert_eq!(stored(&machine).shown, Some(Shown::Suppressed));
}

#[tokio::test(start_paused = true)]
async fn a_replacement_keeps_the_calls() {
    let mut acts = text("Deleting it.");
    acts.pop();
    acts.extend(call("c1", "a", "{}"));
    acts.push(Act::Send(Delta::Stop(StopReason::ToolUse)));
    let mut machine = Rig::new(vec![acts, text("done")])
        .tool("a", Does::Echo)
        .on_message(listens("x", 1, |_, text: &String| {
            Some(if text.starts_with("Deleting") {
                AssistantAnswer::Replace("Working.".into())
            } else {
                AssistantAnswer::Show
            })
        }))
        .start();
    let events = machine.run("go").await;
    assert_eq!(shown(&events), "Working.done");
    let visible = events.iter().find_map(|e| match e {
        Event::AssistantMessage(message) => Some(message),
        _ => None,
    });
    let visible = visible.unwrap();
    assert_eq!(visible.text(""), "Working.");
    assert_eq!(visible.tool_calls().count(), 1);
    assert_eq!(machine.results().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn blocks_of_text_are_asked_about_together() {
    let mut acts = text("one");
    acts.pop();
    acts.push(Act::Send(Delta::Thinking("…".into())));
    acts.extend(text("two"));
    let asked = Arc::new(AtomicBool::new(false));
    let seen = asked.clone();
    let mut machine = Rig::new(vec![acts])
        .on_message(listens("x", 1, move |_, text: &String| {
            seen.store(text == "one\ntwo", Ordering::Relaxed);
            Some(AssistantAnswer::Show)
        }))
        .start();
    let events = machine.run("go").await;
    assert!(asked.load(Ordering::Relaxed));
    assert_eq!(machine.log.count("ask x assistant_message"), 1);
    assert_eq!(machine.log.count("assistant_message onetwo"), 1);
    assert!(names(&events).contains(&"text onetwo".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn silence_shows_the_message_unless_the_subscription_says_otherwise() {
    for (on_failure, expect) in [
        (OnFailure::Allow, "hello"),
        (OnFailure::Block, ""),
        (OnFailure::Ask, ""),
    ] {
        let silent = listens::<AssistantMessage>("x", 1, |_, _| None).on_failure(on_failure);
        let mut machine = Rig::new(vec![text("hello")]).on_message(silent).start();
        let events = machine.run("hi").await;
        assert_eq!(shown(&events), expect, "{on_failure:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_without_text_is_not_asked_about() {
    let answers = vec![crate::kit::with_calls(&[("c1", "a", "{}")]), text("ok")];
    let mut machine = Rig::new(answers)
        .tool("a", Does::Echo)
        .on_message(says(AssistantAnswer::Show))
        .start();
    machine.run("go").await;
    assert_eq!(machine.log.count("ask x assistant_message"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_failed_attempt_releases_nothing_that_was_held_back() {
    let mut broken = secretive();
    broken.pop();
    let mut machine = Rig::new(vec![broken, text("All fine.")])
        .on_message(says(AssistantAnswer::Show))
        .start();
    let events = machine.run("tell").await;
    assert_eq!(shown(&events), "All fine.");
    assert!(!without_storage(&events).contains("swordfish"));
}
