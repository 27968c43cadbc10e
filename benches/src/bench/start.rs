//! From nothing to all extensions ready, and from there to all gone: one, ten, fifty.
//!
//! Each start has a runtime, a host, a spawner and a watchdog of its own, as the product's has.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio_util::sync::CancellationToken;
use zeug_process::{RunError, RunLimits, Spec};

use crate::effort::Effort;
use crate::house::{self, Guest, House};
use crate::row::Row;
use crate::samples::Samples;

const MANY: usize = 50;

/// Fifty against one.
const LIMIT: f64 = 3.0;

/// The host against no more than starting the same children and the same dialogue with them.
const LIMIT_BARE: f64 = 2.0;

/// What an extension does before it says hello, when its language is slow to start.
const PAUSE_MS: &str = "100";

/// All together, before anybody is sent a signal.
const STOP_BUDGET: Duration = Duration::from_secs(2);

const PYTHON: &str = include_str!("start.py");

pub(super) fn run(effort: Effort) -> anyhow::Result<Vec<Row>> {
    let rounds = effort.pick(15, 1);
    let mut natives = [1, 10, MANY].map(Starts::new);
    let mut slow = [1, MANY].map(Starts::new);
    let mut bare = Vec::new();
    for _ in 0..rounds {
        for starts in &mut natives {
            starts.add(Guest::ours(starts.count, "trivial", &[])?)?;
        }
        for starts in &mut slow {
            starts.add(Guest::ours(starts.count, "slow", &[PAUSE_MS])?)?;
        }
        bare.push(house::runtime()?.block_on(start_bare(MANY))?);
    }
    let bare = Samples::of_times(bare);
    let [one, ten, many] = natives.map(Starts::samples);
    let [slow_one, slow_many] = slow.map(Starts::samples);
    let alone = |sort: &str| format!("start of 1{sort}");
    let mut rows = vec![
        Row::new("start of 10", &ten.0, alone(""), &one.0),
        Row::new("start of 50", &many.0, alone(""), &one.0).limit(LIMIT),
        Row::new("start of 50", &many.0, "50 children without host", &bare).limit(LIMIT_BARE),
        Row::new(
            "start of 50, each busy 100 ms",
            &slow_many.0,
            alone(", same"),
            &slow_one.0,
        )
        .limit(LIMIT),
        Row::new("stop of 50", &many.1, "stop of 1", &one.1),
        Row::new(
            "stop of 50",
            &many.1,
            "what all together may take",
            &Samples::of_times([STOP_BUDGET]),
        )
        .limit(1.0),
    ];
    rows.extend(python(effort)?);
    Ok(rows)
}

/// The same with a program in Python, where there is one.
fn python(effort: Effort) -> anyhow::Result<Vec<Row>> {
    let Some(python) = house::runtime()?.block_on(python_itself())? else {
        return Ok(Vec::new());
    };
    let [mut one, mut ten, mut many] = [1, 10, MANY].map(Starts::new);
    for _ in 0..effort.pick(7, 1) {
        for starts in [&mut one, &mut ten, &mut many] {
            starts.add(Guest::named(starts.count, &python, &["-c", PYTHON], &[]))?;
        }
    }
    let [one, ten, many] = [one, ten, many].map(|starts| starts.samples().0);
    let against = "start of 1 in python";
    Ok(vec![
        Row::new("start of 10 in python", &ten, against, &one),
        Row::new("start of 50 in python", &many, against, &one),
    ])
}

/// The interpreter, when there is one; not a script in its place that chooses one.
async fn python_itself() -> anyhow::Result<Option<PathBuf>> {
    let spec = Spec::new("python3", std::env::temp_dir())
        .args(["-c", "import sys; print(sys.executable, end='')"]);
    let limits = RunLimits {
        timeout: Duration::from_secs(10),
        max_output_bytes: 4096,
    };
    let ran = zeug_process::run(&house::spawner()?, spec, limits, &CancellationToken::new()).await;
    match ran {
        Ok(done) if done.report.exit.is_success() => {
            Ok(Some(String::from_utf8(done.stdout)?.into()))
        }
        Ok(_) | Err(RunError::Spawn(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The starts and stops of so many extensions.
struct Starts {
    count: usize,
    starts: Vec<Duration>,
    stops: Vec<Duration>,
}

impl Starts {
    fn new(count: usize) -> Self {
        Self {
            count,
            starts: Vec::new(),
            stops: Vec::new(),
        }
    }

    /// Starts and stops once.
    fn add(&mut self, guests: Vec<Guest>) -> anyhow::Result<()> {
        let dir = house::logs()?;
        house::runtime()?.block_on(async {
            let start = Instant::now();
            let house = House::open(guests, dir.path())?;
            house.host.settled().await;
            self.starts.push(start.elapsed());
            house.ready().await?;
            let stop = Instant::now();
            house.host.stop().await;
            self.stops.push(stop.elapsed());
            Ok(())
        })
    }

    /// Starts, then stops.
    fn samples(self) -> (Samples, Samples) {
        (
            Samples::of_times(self.starts),
            Samples::of_times(self.stops),
        )
    }
}

/// Starts so many children at once and has the same dialogue with each, without a host.
async fn start_bare(count: usize) -> anyhow::Result<Duration> {
    let start = Instant::now();
    let spawner = house::spawner()?;
    let mut dialogues = tokio::task::JoinSet::new();
    for _ in 0..count {
        let spawner = spawner.clone();
        dialogues.spawn(async move {
            let child = spawner.spawn(house::bare(&["trivial", "bare"])?)?;
            let mut stdin = child.stdin.context("no stdin")?;
            let mut lines = BufReader::new(child.stdout).lines();
            lines.next_line().await?.context("no hello")?;
            stdin.write_all(b"{\"type\":\"hello_ack\"}\n").await?;
            lines.next_line().await?.context("no tool")?;
            lines.next_line().await?.context("no ready")?;
            anyhow::Ok((child.handle, stdin))
        });
    }
    let mut children = Vec::new();
    while let Some(done) = dialogues.join_next().await {
        children.push(done??);
    }
    let took = start.elapsed();
    for (handle, stdin) in children {
        drop(stdin);
        handle.exited().await;
    }
    Ok(took)
}
