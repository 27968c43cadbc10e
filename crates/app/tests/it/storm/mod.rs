//! Ten thousand calls in a storm: calls, calls within calls, cancels, deadlines and reloads beside
//! each other, with real processes. Every call settles once, nobody waits any more, no process is
//! left, and memory stays flat.

mod weather;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use zeug_app::{Agent, Notice};
use zeug_engine::CallReport;
use zeug_rpc_protocol::Event;
use zeug_stdx::json::RawJson;
use zeug_transcript::{Content, Status};

use weather::Weather;

/// Storms, each with extensions of its own.
const STORMS: usize = 10;
/// Calls of each, not counting the calls within them.
const CALLS: usize = 1_000;
/// Calls that are under way at once.
const AT_ONCE: usize = 48;
/// Longer than everything together takes on a slow machine.
const IN_VAIN: Duration = Duration::from_secs(120);
/// What memory may grow by between the second storm and the last: other tests share the process.
const GROWTH: usize = 24 * 1024 * 1024;

/// How an echo answers.
#[derive(Debug, Clone, Copy, PartialEq)]
enum How {
    Answer,
    Twice,
    Never,
}

#[derive(Debug, Clone)]
struct Call {
    /// Whose tool: `a` or `b`.
    owner: &'static str,
    /// How many relays are above the echo.
    relays: usize,
    after_ms: u64,
    how: How,
    cancel_ms: Option<u64>,
}

#[derive(Debug, Clone)]
enum Step {
    Call(Call),
    Reload(Option<&'static str>),
    Pause(u64),
}

fn owner() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("a"), Just("b")]
}

fn call() -> impl Strategy<Value = Step> {
    let how = prop_oneof![
        24 => Just(How::Answer),
        4 => Just(How::Twice),
        1 => Just(How::Never),
    ];
    let cancel = prop_oneof![3 => Just(None), 1 => (0..15_u64).prop_map(Some)];
    (owner(), 0..3_usize, 0..8_u64, how, cancel).prop_map(
        |(owner, relays, after_ms, how, cancel_ms)| {
            Step::Call(Call {
                owner,
                relays,
                after_ms,
                how,
                cancel_ms,
            })
        },
    )
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        200 => call(),
        1 => prop_oneof![owner().prop_map(Some), Just(None)].prop_map(Step::Reload),
        4 => (0..5_u64).prop_map(Step::Pause),
    ]
}

impl Call {
    /// The tool that is called, and with what: relays of the two owners in turns, an echo within.
    fn words(&self, n: usize) -> (String, String) {
        let other = |owner| if owner == "a" { "b" } else { "a" };
        let how = match self.how {
            How::Answer => "answer",
            How::Twice => "twice",
            How::Never => "never",
        };
        // The innermost first.
        let innermost = (0..self.relays).fold(self.owner, |owner, _| other(owner));
        let mut tool = format!("{innermost}_echo");
        let mut args = serde_json::json!({ "n": n, "after_ms": self.after_ms, "how": how });
        let mut owner = innermost;
        for _ in 0..self.relays {
            owner = other(owner);
            args = serde_json::json!({ "tool": tool, "args": args });
            tool = format!("{owner}_relay");
        }
        (tool, args.to_string())
    }
}

/// Makes one call and checks what came of it.
async fn made(agent: Arc<Agent>, call: Call, n: usize) -> &'static str {
    let (tool, args) = call.words(n);
    let cancel = CancellationToken::new();
    if let Some(ms) = call.cancel_ms {
        let cancel = cancel.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            cancel.cancel();
        });
    }
    let args = RawJson::parse(&args).unwrap();
    let report = timeout(IN_VAIN, agent.call_tool(&tool, args, cancel)).await;
    let report = report.unwrap_or_else(|_| panic!("{tool} still waits: {call:?}"));
    let report = report.unwrap();
    check(&report, &call, n);
    report.outcome.status.as_str()
}

fn check(report: &CallReport, call: &Call, n: usize) {
    let text = Content::joined(&report.outcome.content);
    match report.outcome.status {
        // Never the answer to another call.
        Status::Completed => assert_eq!(text, format!("echo {n}")),
        Status::Cancelled => assert!(call.cancel_ms.is_some(), "cancelled by nobody: {text}"),
        // The echo was late or its extension was replaced; a relay passes that on.
        Status::TimedOut | Status::Failed => assert!(!text.is_empty()),
        Status::Blocked => panic!("blocked by nobody: {text}"),
    }
}

/// How often a call was announced, and how often it settled.
#[derive(Default)]
struct Seen(HashMap<String, (usize, usize)>);

impl Seen {
    fn take(&mut self, notice: &Notice) {
        match notice {
            Notice::Event(Event::ToolCall { id, .. }) => {
                self.0.entry(id.clone()).or_default().0 += 1;
            }
            Notice::Event(Event::ToolResult { id, .. }) => {
                self.0.entry(id.clone()).or_default().1 += 1;
            }
            _ => {}
        }
    }
}

/// How often something ended in some way.
type Tally = BTreeMap<&'static str, usize>;

/// One storm; how many calls there were, those within others included.
async fn storm(weather: &Weather, steps: Vec<Step>, tally: &mut Tally) -> usize {
    let mut count = |how: &'static str| *tally.entry(how).or_default() += 1;
    let (agent, mut notices) = Agent::start(weather.parts());
    let seen = tokio::spawn(async move {
        let mut seen = Seen::default();
        while let Some(notice) = notices.recv().await {
            seen.take(&notice);
        }
        seen
    });
    agent.ready().await;
    let agent = Arc::new(agent);
    let mut under_way = JoinSet::new();
    for (n, step) in steps.into_iter().enumerate() {
        while under_way.len() >= AT_ONCE {
            count(under_way.join_next().await.unwrap().unwrap());
        }
        let agent = Arc::clone(&agent);
        match step {
            Step::Call(call) => {
                under_way.spawn(made(agent, call, n));
            }
            Step::Reload(name) => {
                under_way.spawn(async move {
                    // A second one at the same time is refused, and says so.
                    let reloaded = timeout(IN_VAIN, agent.reload(name)).await.unwrap();
                    let Ok(reloaded) = reloaded else {
                        return "reload refused";
                    };
                    assert_eq!(reloaded.errors, [""; 0]);
                    "reloaded"
                });
            }
            Step::Pause(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
        }
    }
    while let Some(done) = under_way.join_next().await {
        count(done.unwrap());
    }
    let agent = Arc::try_unwrap(agent).unwrap_or_else(|_| panic!("somebody holds the agent"));
    timeout(IN_VAIN, agent.quit()).await.expect("it ends");
    let seen = seen.await.unwrap();
    for (id, times) in &seen.0 {
        assert_eq!(*times, (1, 1), "{id}: announced and settled so many times");
    }
    seen.0.len()
}

#[test]
fn ten_thousand_calls_settle_once_each() {
    let Some(weather) = Weather::new() else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let mut runner = TestRunner::default();
    let steps = prop::collection::vec(step(), CALLS..=CALLS + 40);
    let mut calls = 0;
    let mut tally = Tally::new();
    let mut memory = Vec::new();
    for _ in 0..STORMS {
        let steps = steps.new_tree(&mut runner).unwrap().current();
        let made = steps.iter().filter(|step| matches!(step, Step::Call(_)));
        let made = made.count();
        let shown = format!("{steps:?}");
        let settled = runtime.block_on(storm(&weather, steps, &mut tally));
        assert!(settled >= made, "{settled} of {made} settled: {shown}");
        calls += settled;
        assert_eq!(weather.alive(), [0; 0], "processes are left");
        memory.push(weather::resident());
    }
    assert!(calls >= STORMS * CALLS, "{calls} calls only");
    for how in ["completed", "cancelled", "timed_out", "failed", "reloaded"] {
        assert!(tally.contains_key(how), "nothing {how}: {tally:?}");
    }
    println!("{calls} calls: {tally:?}");
    let growth = memory[STORMS - 1].saturating_sub(memory[1]);
    assert!(growth < GROWTH, "memory grew by {growth} bytes: {memory:?}");
}
