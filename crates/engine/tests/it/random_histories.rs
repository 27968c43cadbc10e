//! Whatever is said, called, summarised, forgotten and given up, in whatever order: no request has
//! a call without its result, and whoever follows the events has the conversation.

use std::time::Duration;

use proptest::prelude::*;
use zeug_engine::{CompactReport, EndReason, Event, Refused};
use zeug_provider::{Delta, FailureKind};
use zeug_transcript::{Message, Status, StopReason};

use crate::kit::{Act, Does, Fake, Rig, Running, call, counted, failure, soon};

/// What is done next.
#[derive(Debug, Clone)]
enum Deed {
    Prompt,
    Compact,
    Clear,
    Abort,
    /// Lets so many virtual milliseconds pass.
    Wait(u64),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => Just(Deed::Prompt),
        2 => Just(Deed::Compact),
        1 => Just(Deed::Clear),
        1 => Just(Deed::Abort),
        4 => (0..4000_u64).prop_map(Deed::Wait),
    ]
}

const TOOLS: [&str; 5] = ["echo", "slow", "both", "hang", "nobody"];

/// One answer: how many words, which calls, how it ends, what the provider counts.
type Answer = (usize, Vec<usize>, usize, u64);

fn answer() -> impl Strategy<Value = Answer> {
    let calls = prop::collection::vec(0..TOOLS.len(), 0..4);
    (0..3_usize, calls, 0..20_usize, 0..1200_u64)
}

fn play(at: usize, (words, calls, end, tokens): &Answer) -> Vec<Act> {
    let word = || Act::Send(Delta::Text("a word of the model ".into()));
    let mut acts: Vec<Act> = (0..*words).map(|_| word()).collect();
    for (n, tool) in calls.iter().enumerate() {
        acts.extend(call(&format!("c{at}-{n}"), TOOLS[*tool], "{}"));
    }
    let fail = |kind| Act::Fail(failure(kind, None));
    match end {
        0 => acts.push(fail(FailureKind::BadRequest)),
        1 => acts.push(Act::Panic),
        2 => acts.push(Act::Hang),
        3 => acts.push(fail(FailureKind::Overloaded)),
        4 | 5 => return vec![Act::Refuse(failure(FailureKind::ContextOverflow, None))],
        _ => acts.push(Act::Send(Delta::Stop(StopReason::EndTurn))),
    }
    counted(acts, *tokens)
}

fn rig(answers: &[Answer], queue: usize) -> Rig {
    let script = answers
        .iter()
        .enumerate()
        .map(|(n, a)| play(n, a))
        .collect();
    let second = Duration::from_secs(1);
    let overlapping = |name, does| Fake::new(name, does).set(|f| f.spec.concurrent = true);
    Rig::new(script)
        .tool("echo", Does::Echo)
        .tool("slow", Does::Wait(second))
        .fake(overlapping("both", Does::Wait(second)))
        .fake(overlapping("hang", Does::Hang))
        .set(|s| {
            s.limits.event_queue = queue;
            s.limits.max_steps = Some(4);
            s.limits.context_window = Some(1000);
            s.limits.compact_deadline = Duration::from_secs(20);
        })
}

type Reports = Vec<tokio::task::JoinHandle<Result<CompactReport, Refused>>>;

/// Does everything, then closes; the events, and what came of the summaries.
async fn live(machine: &mut Running, deeds: &[Deed]) -> (Vec<Event>, Reports) {
    let mut reports = Vec::new();
    let mut clearings = Vec::new();
    let mut events = Vec::new();
    for deed in deeds {
        let handle = machine.handle.clone();
        match deed {
            Deed::Prompt => {
                machine.prompt("what the user says").await;
            }
            Deed::Compact => reports.push(tokio::spawn(async move { handle.compact().await })),
            Deed::Clear => clearings.push(tokio::spawn(async move { handle.clear().await })),
            Deed::Abort => handle.abort().await,
            Deed::Wait(ms) => {
                let until = tokio::time::sleep(Duration::from_millis(*ms));
                let mut until = std::pin::pin!(until);
                loop {
                    tokio::select! {
                        () = &mut until => break,
                        event = machine.events.recv() => events.push(event.expect("open")),
                    }
                }
            }
        }
        tokio::task::yield_now().await;
    }
    let handle = machine.handle.clone();
    let closing = tokio::spawn(async move { handle.close(EndReason::Shutdown).await });
    while let Some(event) = soon(machine.events.recv()).await {
        events.push(event);
    }
    soon(closing).await.unwrap();
    for clearing in clearings {
        assert!(matches!(
            soon(clearing).await.unwrap(),
            Ok(()) | Err(Refused::Closed)
        ));
    }
    (events, reports)
}

/// Whether every call has exactly one result, right behind it.
fn is_sound(messages: &[Message]) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        match message {
            Message::Tool(result) => match open.iter().position(|id| *id == result.call_id) {
                Some(at) => drop(open.remove(at)),
                None => return false,
            },
            _ if !open.is_empty() => return false,
            Message::Assistant(said) => open.extend(said.tool_calls().map(|c| c.id.as_str())),
            Message::User(_) => {}
        }
    }
    open.is_empty()
}

/// The conversation as somebody has it who stores what the events say.
fn followed(events: &[Event]) -> Result<Vec<Message>, TestCaseError> {
    let mut messages: Vec<Message> = Vec::new();
    for event in events {
        match event {
            Event::Appended(message) => messages.push(message.clone()),
            Event::Cleared => {
                prop_assert!(is_sound(&messages), "a call was lost");
                messages.clear();
            }
            Event::Compacted(compacted) => {
                prop_assert!(compacted.kept >= 4);
                prop_assert_eq!(messages.len() - compacted.kept, compacted.first_kept);
                let message = Message::User(compacted.message.clone());
                messages.splice(..compacted.first_kept, [message]);
                prop_assert!(is_sound(&messages), "the cut parted a call from its result");
            }
            _ => {}
        }
    }
    Ok(messages)
}

async fn check(machine: &Running, events: &[Event], reports: Reports) -> Result<(), TestCaseError> {
    for request in machine.model.requests() {
        prop_assert!(is_sound(&request.messages));
        let first = request.messages.first();
        prop_assert!(matches!(first, Some(Message::User(_))));
    }
    prop_assert_eq!(followed(events)?, machine.handle.transcript());
    let mut open = 0_i32;
    for line in machine.log.lines() {
        open += i32::from(line.starts_with("pre_compact"));
        open -= i32::from(line.starts_with("post_compact"));
        prop_assert!((0..=1).contains(&open), "attempts overlap");
    }
    prop_assert_eq!(open, 0);
    let started = |e: &&Event| matches!(e, Event::CompactionStarted { .. });
    let ended = |e: &&Event| matches!(e, Event::CompactionEnded { .. });
    let attempts = events.iter().filter(started).count();
    prop_assert_eq!(attempts, events.iter().filter(ended).count());
    for report in reports {
        match soon(report).await.unwrap() {
            Ok(report) => {
                prop_assert!(report.status != Status::Blocked);
                prop_assert_eq!(report.error.is_none(), report.status == Status::Completed);
            }
            Err(refused) => prop_assert_eq!(refused, Refused::Closed),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_request_is_sound_and_whoever_follows_the_events_has_the_conversation(
        answers in prop::collection::vec(answer(), 1..48),
        deeds in prop::collection::vec(deed(), 1..60),
        queue in prop_oneof![Just(1_usize), Just(1024)],
    ) {
        // A runtime for each case, on a clock that moves only when nothing else can happen.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut machine = rig(&answers, queue).start();
            let (events, reports) = live(&mut machine, &deeds).await;
            check(&machine, &events, reports).await
        })?;
    }
}
