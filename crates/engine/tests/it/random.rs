//! Whatever a model, its tools, guards and a person do: every call settles once, every call in the
//! conversation has its result, every prompt is done once. A conversation that another one takes
//! the place of is whole by then.

use std::collections::HashMap;

use proptest::prelude::*;
use zeug_engine::{Adoption, Approval, Event, PromptId};
use zeug_hook::{ToolAnswer, ToolCall};
use zeug_provider::{Delta, FailureKind};
use zeug_transcript::{Message, StopReason, Usage};

use crate::kit::{Act, Does, Rig, Running, call, exchanges, failure, listens, soon};

const TOOLS: [&str; 6] = ["echo", "panic", "hang", "wait", "refused", "nobody"];
const ARGS: [&str; 4] = ["{}", r#"{"n":1}"#, r#"{"n":"x"}"#, r#"{"n":"#];

/// One answer of the model: pieces, then how it ends.
#[derive(Debug, Clone)]
struct Answer {
    words: usize,
    calls: Vec<(usize, usize)>,
    end: usize,
}

fn answer() -> impl Strategy<Value = Answer> {
    let calls = prop::collection::vec((0..TOOLS.len(), 0..ARGS.len()), 0..4);
    (0..3_usize, calls, 0..8_usize).prop_map(|(words, calls, end)| Answer { words, calls, end })
}

fn play(at: usize, answer: &Answer) -> Vec<Act> {
    let mut acts: Vec<Act> = (0..answer.words)
        .map(|_| Act::Send(Delta::Text("word ".into())))
        .collect();
    for (n, (tool, args)) in answer.calls.iter().enumerate() {
        acts.extend(call(&format!("c{at}-{n}"), TOOLS[*tool], ARGS[*args]));
    }
    match answer.end {
        0 => acts.push(Act::Fail(failure(FailureKind::Overloaded, None))),
        1 => acts.push(Act::Fail(failure(FailureKind::BadRequest, None))),
        2 => {}
        3 => acts.push(Act::Panic),
        4 => acts.push(Act::Hang),
        _ => acts.push(Act::Send(Delta::Stop(StopReason::EndTurn))),
    }
    acts
}

fn rig(answers: &[Answer], queue: usize) -> Rig {
    let script = answers
        .iter()
        .enumerate()
        .map(|(n, a)| play(n, a))
        .collect();
    let guard = listens::<ToolCall>("g", 1, |facts, _| match facts.tool.as_str() {
        "refused" => Some(ToolAnswer::Block("no".into())),
        "echo" => Some(ToolAnswer::Rewrite(
            zeug_stdx::json::RawJson::parse(r#"{"n":5}"#).unwrap(),
        )),
        "wait" => None,
        _ => Some(ToolAnswer::Allow),
    });
    Rig::new(script)
        .tool("echo", Does::Echo)
        .tool("panic", Does::Panic)
        .tool("hang", Does::Hang)
        .tool("wait", Does::WaitForCancel)
        .tool("refused", Does::Echo)
        .on_tool_call(guard)
        .set(|s| {
            s.limits.event_queue = queue;
            s.limits.max_steps = Some(4);
            s.approval = Approval::Never;
        })
}

/// How a person loses patience.
#[derive(Debug, Clone, Copy)]
struct Person {
    patience_ms: u64,
    /// Takes up another conversation instead of giving up what runs.
    leaves: bool,
}

fn person() -> impl Strategy<Value = Person> {
    (0..20_000_u64, any::<bool>()).prop_map(|(patience_ms, leaves)| Person {
        patience_ms,
        leaves,
    })
}

fn another() -> Adoption {
    Adoption {
        session_id: "s2".into(),
        history: exchanges(1),
        spent: Usage::default(),
        activated: Vec::new(),
        between: Box::new(|| ()),
    }
}

/// Runs two prompts, loses patience with each, and closes.
async fn live(machine: &mut Running, people: [Person; 2]) -> (Vec<PromptId>, Vec<Event>) {
    let mut events = Vec::new();
    let mut ids = Vec::new();
    for Person {
        patience_ms,
        leaves,
    } in people
    {
        let id = machine.prompt("go").await;
        ids.push(id);
        let handle = machine.handle.clone();
        let patience = std::time::Duration::from_millis(patience_ms);
        let impatient = tokio::spawn(async move {
            tokio::time::sleep(patience).await;
            if leaves {
                handle.adopt(async { Some(another()) }).await.unwrap();
            } else {
                handle.abort().await;
            }
        });
        events.extend(machine.until_done(id).await);
        impatient.abort();
    }
    ids.push(machine.prompt("never").await);
    machine.handle.close(zeug_engine::EndReason::Shutdown).await;
    while let Some(event) = soon(machine.events.recv()).await {
        events.push(event);
    }
    (ids, events)
}

fn count<'a>(all: impl Iterator<Item = &'a str>) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for one in all {
        *counts.entry(one.to_owned()).or_default() += 1;
    }
    counts
}

fn second_words<'a>(lines: &'a [String], first: &str) -> HashMap<String, usize> {
    let start = format!("{first} ");
    let words = lines
        .iter()
        .filter_map(|l: &'a String| l.strip_prefix(&start));
    count(words.map(|rest| rest.split(' ').next().unwrap_or(rest)))
}

fn check(machine: &Running, ids: &[PromptId], events: &[Event]) -> Result<(), TestCaseError> {
    let lines = machine.log.lines();
    let announced = second_words(&lines, "tool_call");
    prop_assert!(announced.values().all(|n| *n == 1));
    prop_assert_eq!(&second_words(&lines, "tool_result"), &announced);
    let settled = count(events.iter().filter_map(|e| match e {
        Event::ToolResult(r) => Some(r.id.as_str()),
        _ => None,
    }));
    prop_assert_eq!(&settled, &announced, "faces hear what observers hear");

    let mut stored: Vec<Message> = Vec::new();
    let mut adopted = 0;
    for event in events {
        match event {
            Event::Appended(message) => stored.push(message.clone()),
            Event::Adopted => {
                whole(&stored)?;
                stored = exchanges(1);
                adopted += 1;
            }
            _ => {}
        }
    }
    let transcript = machine.handle.transcript();
    whole(&transcript)?;
    prop_assert_eq!(&stored, &transcript);

    for id in ids {
        let done = |e: &&Event| matches!(e, Event::Done { prompt, .. } if prompt == id);
        prop_assert_eq!(events.iter().filter(done).count(), 1);
    }
    let ends = lines.iter().filter(|l| l.starts_with("session_end"));
    prop_assert_eq!(ends.count(), 1 + adopted);
    let starts = lines.iter().filter(|l| *l == "session_start");
    prop_assert_eq!(starts.count(), 1 + adopted);
    Ok(())
}

/// Results stand behind their calls, in order, before anything else.
fn whole(messages: &[Message]) -> Result<(), TestCaseError> {
    let mut open: Vec<String> = Vec::new();
    for message in messages {
        match message {
            Message::Assistant(said) => {
                prop_assert!(open.is_empty(), "{open:?} without results");
                open.extend(said.tool_calls().map(|c| c.id.clone()));
            }
            Message::Tool(result) => {
                prop_assert_eq!(Some(&result.call_id), open.first());
                open.remove(0);
            }
            Message::User(_) => prop_assert!(open.is_empty(), "{open:?} without results"),
        }
    }
    prop_assert!(open.is_empty(), "{open:?} without results");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_call_settles_once_and_every_prompt_is_done_once(
        answers in prop::collection::vec(answer(), 1..6),
        queue in prop_oneof![Just(1_usize), Just(1024)],
        people in [person(), person()],
    ) {
        // A runtime for each case, on a clock that moves only when nothing else can happen.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut machine = rig(&answers, queue).start();
            let (ids, events) = live(&mut machine, people).await;
            check(&machine, &ids, &events)
        })?;
    }
}
