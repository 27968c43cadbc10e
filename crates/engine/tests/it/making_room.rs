//! Making room by itself: when the window fills, and when the provider says that it is full.

use zeug_engine::{DoneOutcome, Event};
use zeug_provider::FailureKind;
use zeug_transcript::Message;

use crate::kit::{
    Act, Does, Rig, counted, error, exchanges, failure, names, outcome, text, with_calls, words,
};

fn overflow() -> Vec<Act> {
    vec![Act::Refuse(failure(FailureKind::ContextOverflow, None))]
}

fn has(events: &[Event], name: &str) -> bool {
    names(events).iter().any(|n| n == name)
}

/// A window of a thousand tokens.
fn small(answers: Vec<Vec<Act>>) -> Rig {
    Rig::new(answers).set(|s| {
        s.limits.context_window = Some(1000);
        s.history = exchanges(5);
    })
}

#[tokio::test(start_paused = true)]
async fn room_is_made_when_the_provider_counts_85_percent_of_the_window() {
    for (reported, made) in [(839, false), (840, true)] {
        let script = vec![counted(text("full?"), reported), text("x"), text("y")];
        let mut machine = small(script).start();
        machine.run("one").await;
        // Ten tokens of the answer, and none for a word.
        let events = machine.run("ok").await;
        assert_eq!(
            has(&events, "compaction_ended completed"),
            made,
            "{reported}"
        );
        assert_eq!(outcome(&events), DoneOutcome::Finished);
    }
}

#[tokio::test(start_paused = true)]
async fn room_is_made_between_the_steps_of_one_prompt_and_before_the_step_is_announced() {
    let script = vec![
        counted(with_calls(&[("c1", "a", "{}")]), 900),
        text("They talked."),
        text("end"),
    ];
    let mut machine = small(script).tool("a", Does::Echo).start();
    let events = machine.run("go").await;
    let seen = names(&events);
    let from = seen
        .iter()
        .position(|n| n == "result c1 completed")
        .unwrap();
    assert_eq!(
        seen[from + 1..from + 5],
        [
            "compaction Automatic 13",
            "compacted 9 kept 4",
            "compaction_ended completed",
            "turn_start 2",
        ]
    );
    let request = &machine.model.requests()[2];
    let shown: Vec<String> = request.messages[1..].iter().map(words).collect();
    assert_eq!(shown, ["answer 4", "go", "", "a {}"]);
}

#[tokio::test(start_paused = true)]
async fn without_a_count_the_size_is_estimated() {
    for (bytes, made) in [(1_000, false), (3_500, true)] {
        let mut machine = small(vec![text("They talked."), text("end")])
            .set(|s| {
                let Message::User(said) = &mut s.history[0] else {
                    panic!("a user's message")
                };
                said.content = vec![zeug_transcript::Content::text("x".repeat(bytes))];
            })
            .start();
        let events = machine.run("go").await;
        assert_eq!(has(&events, "compaction_ended completed"), made, "{bytes}");
    }
}

#[tokio::test(start_paused = true)]
async fn after_room_was_made_the_old_count_is_forgotten() {
    let script = vec![
        counted(text("full"), 900),
        text("They talked."),
        text("no count"),
        text("end"),
    ];
    let mut machine = small(script).start();
    machine.run("one").await;
    machine.run("two").await;
    machine.run("three").await;
    assert_eq!(machine.log.starting_with("pre_compact").len(), 1);
    assert_eq!(machine.model.asked(), 4);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_window_or_no_threshold_never_fills() {
    for change in [0, 1] {
        let mut machine = small(vec![counted(text("x"), 10_000), text("y")])
            .set(|s| match change {
                0 => s.limits.context_window = None,
                _ => s.limits.compact_at_percent = 0,
            })
            .start();
        machine.run("one").await;
        machine.run("two").await;
        assert!(machine.log.starting_with("pre_compact").is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn the_window_can_be_told_later_and_is_forgotten_with_its_model() {
    let script = vec![counted(text("x"), 900), text("y"), text("sum"), text("z")];
    let mut machine = small(script).start();
    machine.run("one").await;
    let model = machine.model.clone();
    machine.handle.set_model(model, "m2", "base").await;
    machine.run("two").await;
    assert!(machine.log.starting_with("pre_compact").is_empty());
    machine.handle.set_context_window(Some(1000)).await;
    machine.run("three").await;
    assert_eq!(machine.log.starting_with("pre_compact").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn when_room_cannot_be_made_the_prompt_goes_on_and_it_is_not_tried_again_in_it() {
    let broken = vec![Act::Refuse(failure(FailureKind::Authentication, None))];
    let again = |id| counted(with_calls(&[(id, "a", "{}")]), 900);
    let script = vec![again("c1"), broken, again("c2"), text("end")];
    let mut machine = small(script).tool("a", Does::Echo).start();
    let events = machine.run("go").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    assert_eq!(machine.log.starting_with("pre_compact").len(), 1);
    assert_eq!(machine.log.starting_with("post_compact 13 failed").len(), 1);
    let warned =
        |e: &Event| matches!(e, Event::Warning { message, .. } if message.contains("/compact"));
    assert_eq!(events.iter().filter(|e| warned(e)).count(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_overflow_makes_room_once_and_the_step_is_tried_again() {
    let script = vec![overflow(), text("They talked."), text("fits")];
    let mut machine = Rig::new(script).set(|s| s.history = exchanges(5)).start();
    let events = machine.run("go").await;
    assert_eq!(outcome(&events), DoneOutcome::Finished);
    let seen = names(&events);
    let from = seen.iter().position(|n| n == "turn_start 1").unwrap();
    assert_eq!(
        seen[from..from + 7],
        [
            "turn_start 1",
            "request_started 1",
            "turn_end error: fake/m1: 529 too much to do",
            "compaction Overflow 11",
            "compacted 7 kept 4",
            "compaction_ended completed",
            "retry 2 0ns",
        ]
    );
    assert_eq!(machine.model.requests()[2].messages.len(), 5);
    assert_eq!(machine.log.starting_with("turn_start").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_second_overflow_fails_the_prompt() {
    let script = vec![overflow(), text("They talked."), overflow(), text("next")];
    let mut machine = Rig::new(script).set(|s| s.history = exchanges(5)).start();
    let events = machine.run("go").await;
    assert_eq!(outcome(&events), DoneOutcome::Failed);
    assert!(error(&events).contains("/compact"));
    assert_eq!(machine.log.starting_with("pre_compact").len(), 1);
    assert_eq!(machine.model.asked(), 3);
    assert_eq!(outcome(&machine.run("again").await), DoneOutcome::Finished);
}

#[tokio::test(start_paused = true)]
async fn an_overflow_on_the_last_attempt_still_gets_its_other_request() {
    let script = vec![overflow(), text("They talked."), text("fits")];
    let mut machine = Rig::new(script)
        .set(|s| {
            s.history = exchanges(5);
            s.limits.max_attempts = 1;
        })
        .start();
    assert_eq!(outcome(&machine.run("go").await), DoneOutcome::Finished);
}

#[tokio::test(start_paused = true)]
async fn an_overflow_of_what_cannot_be_shortened_fails_without_an_attempt() {
    let mut machine = Rig::new(vec![overflow()]).start();
    let events = machine.run("go").await;
    assert_eq!(outcome(&events), DoneOutcome::Failed);
    assert!(machine.log.starting_with("pre_compact").is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_overflow_whose_summary_fails_fails_the_prompt_with_the_overflow() {
    let broken = vec![Act::Refuse(failure(FailureKind::Authentication, None))];
    let mut machine = Rig::new(vec![overflow(), broken])
        .set(|s| s.history = exchanges(5))
        .start();
    let events = machine.run("go").await;
    assert_eq!(outcome(&events), DoneOutcome::Failed);
    assert!(error(&events).contains("/compact"));
    assert_eq!(machine.log.starting_with("post_compact 11 failed").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn giving_up_while_room_is_made_gives_the_prompt_up() {
    let mut machine = Rig::new(vec![overflow(), vec![Act::Hang]])
        .set(|s| s.history = exchanges(5))
        .start();
    let id = machine.prompt("go").await;
    machine
        .until(|e| matches!(e, Event::CompactionStarted { .. }))
        .await;
    machine.handle.abort().await;
    let events = machine.until_done(id).await;
    assert_eq!(outcome(&events), DoneOutcome::Aborted);
    assert_eq!(
        machine.log.starting_with("post_compact"),
        ["post_compact 11 cancelled: given up"]
    );
}
