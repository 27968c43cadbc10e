//! Prompts that wait for their turn.

use std::time::Duration;

use zeug_engine::{DoneOutcome, Event, Prompt, Refused};
use zeug_hook::Observation;

use crate::kit::{Act, Rig, names, outcome, text};

#[tokio::test(start_paused = true)]
async fn first_in_first_out_and_each_is_announced_once() {
    let mut slow = vec![Act::Wait(Duration::from_secs(1))];
    slow.extend(text("1"));
    let mut machine = Rig::new(vec![slow, text("2"), text("3")]).start();
    let mut ids = Vec::new();
    for say in ["a", "b", "c"] {
        ids.push(machine.prompt(say).await);
    }
    let mut events = Vec::new();
    for id in &ids {
        events.extend(machine.until_done(*id).await);
    }
    let mut said = names(&events);
    said.retain(|n| n.starts_with("user_message"));
    assert_eq!(said, ["user_message a", "user_message b", "user_message c"]);
    assert_eq!(
        machine.log.starting_with("user_prompt_submit"),
        [
            "user_prompt_submit a now",
            "user_prompt_submit b queued",
            "user_prompt_submit c queued"
        ]
    );
    assert_eq!(machine.model.asked(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_withdrawn_prompt_never_reaches_the_model_and_is_done() {
    let mut machine = Rig::new(vec![vec![Act::Hang], text("last")]).start();
    let running = machine.prompt("one").await;
    let withdrawn = machine.prompt("two").await;
    let last = machine.prompt("three").await;
    machine.until(|e| matches!(e, Event::AssistantStart)).await;
    assert!(machine.handle.withdraw(withdrawn).await);
    assert!(!machine.handle.withdraw(withdrawn).await, "only once");
    assert!(!machine.handle.withdraw(running).await, "it runs");
    machine.handle.abort().await;
    let events = machine.until_done(last).await;
    let mut ends = names(&events);
    ends.retain(|n| n.starts_with("done"));
    assert_eq!(ends, ["done Withdrawn", "done Aborted", "done Finished"]);
    let said = format!("{:?}", machine.model.requests());
    assert!(!said.contains("two"), "{said}");
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_refuses_and_announces_nothing() {
    let machine = Rig::new(vec![vec![Act::Hang]]).start();
    machine.prompt("runs").await;
    machine.logged("turn_start 1").await;
    for _ in 0..64 {
        machine.prompt("waits").await;
    }
    let one_too_many = machine.handle.prompt(Prompt::text("more")).await;
    assert_eq!(one_too_many, Err(Refused::QueueFull(64)));
    assert!(
        machine
            .log
            .starting_with("user_prompt_submit more")
            .is_empty()
    );
}

#[tokio::test(start_paused = true)]
async fn images_are_counted_for_observers_and_sent_to_the_model() {
    struct Count(std::sync::mpsc::SyncSender<usize>);
    impl zeug_hook::Observer for Count {
        fn observe(&self, observation: &Observation) {
            if let Observation::UserPromptSubmit { image_count, .. } = observation {
                self.0.send(*image_count).unwrap();
            }
        }
    }
    let (sink, counts) = std::sync::mpsc::sync_channel(1);
    let mut machine = Rig::new(vec![text("a cat")]).start();
    machine.board.observe_with(std::sync::Arc::new(Count(sink)));
    let image = zeug_transcript::Image::from_bytes("image/png", b"cat");
    let prompt = Prompt {
        text: "what is it?".into(),
        images: vec![image.clone(), image],
        ..Prompt::default()
    };
    let id = machine.handle.prompt(prompt).await.unwrap();
    let events = machine.until_done(id).await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    assert_eq!(counts.recv(), Ok(2));
    let request = format!("{:?}", machine.model.requests());
    assert_eq!(request.matches("image/png").count(), 2);
}
