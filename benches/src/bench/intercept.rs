//! One question to one extension and its answer, through the whole host, against nothing but
//! pipes to a child of the same program with the same bytes.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::sync::CancellationToken;
use zeug_ext_protocol::ToExtension;
use zeug_ext_protocol::intercept::EventIntercept;
use zeug_hook::{Chain, Did, ToolFacts};
use zeug_process::{Child, RunLimits, Spec};
use zeug_stdx::json::RawJson;

use crate::effort::Effort;
use crate::house::{self, Guest, House};
use crate::payload;
use crate::row::Row;
use crate::samples::Samples;

/// The host wakes three tasks (writer, reader, asker) and goes through the poller where the echo
/// has two blocking calls.
const LIMIT: f64 = 6.0;

/// Bytes of the guard's answer, without its line end.
const ANSWER_BYTES: usize = r#"{"type":"event_intercept_response","id":"ask-1000"}"#.len();

/// Bytes of the arguments, with their name in the table.
const SIZES: [(usize, &str); 2] = [(100, "200 B"), (64 * 1024, "64 KiB")];

pub(super) fn run(effort: Effort) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (args_bytes, size) in SIZES {
        let runtime = house::runtime()?;
        rows.extend(runtime.block_on(measure(effort, args_bytes, size))?);
    }
    Ok(rows)
}

async fn measure(effort: Effort, args_bytes: usize, size: &str) -> anyhow::Result<Vec<Row>> {
    let dir = house::logs()?;
    let mut asker = Asker::new(1, args_bytes, dir.path()).await?;
    let line = asker.line()?;
    let mut polled = Polled::start(line.clone())?;
    let mut blocking = Blocking::start(line, dir.path()).await?;

    let rounds = effort.pick(40, 2);
    let trips = effort.pick(100, 10);
    let (mut whole, mut pipes, mut poller) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=rounds {
        // In a task of a worker, where the engine is too.
        let asked;
        (asker, asked) = tokio::spawn(asker.trips(trips)).await??;
        let echoed;
        (polled, echoed) = tokio::spawn(polled.trips(trips)).await??;
        let blocked;
        (blocking, blocked) = tokio::task::spawn_blocking(move || blocking.trips(trips)).await??;
        // The first round warms up.
        if round > 0 {
            whole.extend(asked);
            poller.extend(echoed);
            pipes.extend(blocked);
        }
    }
    asker.house.host.stop().await;
    let [whole, pipes, poller] = [whole, pipes, poller].map(Samples::new);
    let name = format!("intercept, question of {size}");
    Ok(vec![
        Row::new(&name, &whole, "blocking pipe echo", &pipes).limit(LIMIT),
        Row::new(&name, &whole, "pipe echo in tokio", &poller),
    ])
}

/// Asks the listeners of a host.
pub(super) struct Asker {
    pub(super) house: House,
    guards: usize,
    facts: ToolFacts,
    args: RawJson,
}

impl Asker {
    /// A host with so many guards, all ready.
    pub(super) async fn new(guards: usize, args_bytes: usize, logs: &Path) -> anyhow::Result<Self> {
        let house = House::open(Guest::ours(guards, "guard", &[])?, logs)?;
        house.ready().await?;
        Ok(Self {
            house,
            guards,
            facts: ToolFacts {
                call_id: "toolu_01A2b3C4d5".to_owned(),
                tool: "bash".to_owned(),
                origin_extension: None,
            },
            args: RawJson::from_value(&payload::args(args_bytes)),
        })
    }

    /// What a guard is sent.
    fn line(&self) -> anyhow::Result<Vec<u8>> {
        let mut line = ToExtension::EventIntercept(EventIntercept {
            id: "ask-1000".to_owned(),
            event: "tool_call".to_owned(),
            tool_id: Some(self.facts.call_id.clone()),
            tool_name: Some(self.facts.tool.clone()),
            tool_args: Some(self.args.clone()),
            ..EventIntercept::default()
        })
        .encode()?;
        line.push(b'\n');
        Ok(line)
    }

    /// The times of so many questions, each answered by every guard.
    pub(super) async fn trips(self, count: usize) -> anyhow::Result<(Self, Vec<f64>)> {
        let mut times = Vec::with_capacity(count);
        for _ in 0..count {
            times.push(self.trip(&self.facts, self.guards).await?);
        }
        Ok((self, times))
    }

    /// The times of so many questions, each answered by one guard, and by the next one next time.
    pub(super) async fn trips_in_turn(self, count: usize) -> anyhow::Result<(Self, Vec<f64>)> {
        let mut times = Vec::with_capacity(count);
        for turn in 0..count {
            let facts = ToolFacts {
                tool: format!("only-guest-{}", turn % self.guards + 1),
                ..self.facts.clone()
            };
            times.push(self.trip(&facts, 1).await?);
        }
        Ok((self, times))
    }

    /// One question; `answers` guards have to answer it.
    async fn trip(&self, facts: &ToolFacts, answers: usize) -> anyhow::Result<f64> {
        let start = Instant::now();
        let chain = Chain::of(&self.house.board.tool_call, facts);
        let outcome = chain.run(facts, self.args.clone()).await;
        let took = start.elapsed().as_nanos() as f64;
        // A silent guard passes too.
        let kept = outcome.steps.iter().filter(|step| step.did == Did::Kept);
        ensure!(kept.count() == answers, "{:?}", outcome.steps);
        Ok(took)
    }
}

/// Pipes to a child by the runtime's poller, in one task.
struct Polled {
    child: Child,
    line: Vec<u8>,
}

impl Polled {
    fn start(line: Vec<u8>) -> anyhow::Result<Self> {
        let bytes = ANSWER_BYTES.to_string();
        let spec = house::bare(&["echo", &bytes, "-", "-"])?;
        let child = house::spawner()?.spawn(spec)?;
        Ok(Self { child, line })
    }

    async fn trips(mut self, count: usize) -> anyhow::Result<(Self, Vec<f64>)> {
        let stdin = self.child.stdin.as_mut().context("no stdin")?;
        let mut answer = [0; ANSWER_BYTES + 1];
        let mut times = Vec::with_capacity(count);
        for _ in 0..count {
            let start = Instant::now();
            stdin.write_all(&self.line).await?;
            self.child.stdout.read_exact(&mut answer).await?;
            times.push(start.elapsed().as_nanos() as f64);
        }
        Ok((self, times))
    }
}

/// Named pipes to a child, by plain blocking calls.
struct Blocking {
    /// Ends it when dropped.
    _child: Child,
    to: File,
    from: BufReader<File>,
    line: Vec<u8>,
}

impl Blocking {
    async fn start(line: Vec<u8>, dir: &Path) -> anyhow::Result<Self> {
        let [to, from] = ["to", "from"].map(|name| dir.join(name));
        let spawner = house::spawner()?;
        let limits = RunLimits {
            timeout: std::time::Duration::from_secs(5),
            max_output_bytes: 1024,
        };
        let make = Spec::new("mkfifo", dir).args([&to, &from]);
        let made = zeug_process::run(&spawner, make, limits, &CancellationToken::new()).await?;
        ensure!(made.report.exit.is_success(), "mkfifo: {:?}", made.report);
        let bytes = ANSWER_BYTES.to_string();
        let spec = house::bare(&[
            "echo",
            &bytes,
            &to.to_string_lossy(),
            &from.to_string_lossy(),
        ])?;
        let child = spawner.spawn(spec)?;
        tokio::task::spawn_blocking(move || {
            Ok(Self {
                _child: child,
                to: File::options().write(true).open(to)?,
                from: BufReader::new(File::open(from)?),
                line,
            })
        })
        .await?
    }

    fn trips(mut self, count: usize) -> anyhow::Result<(Self, Vec<f64>)> {
        let mut times = Vec::with_capacity(count);
        let mut answer = Vec::new();
        for _ in 0..count {
            let start = Instant::now();
            self.to.write_all(&self.line)?;
            self.from.read_until(b'\n', &mut answer)?;
            times.push(start.elapsed().as_nanos() as f64);
            ensure!(answer.len() == ANSWER_BYTES + 1, "the echo ended");
            answer.clear();
        }
        Ok((self, times))
    }
}
