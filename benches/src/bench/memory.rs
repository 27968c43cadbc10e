//! Memory of the host per extension, against a budget and against the bare child.
//!
//! Each figure comes from a process of its own, whose allocator nothing has warmed up before.
//! Only on Linux, where a process can be asked for its resident memory.

use std::time::Duration;

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use zeug_process::{RunLimits, Spec};

use crate::effort::Effort;
use crate::house::{self, Guest, House};
use crate::row::Row;
use crate::samples::Samples;
use crate::table;

/// The first argument that makes this program weigh itself.
pub(crate) const WORD: &str = "__memory";

/// Extensions in one weighing.
const COUNT: usize = 50;

/// Three tasks, two pipes, a queue and a block to read into.
const BUDGET_BYTES: f64 = 256.0 * 1024.0;

/// What one more extension, or one more child, costs this process.
#[derive(Debug, Serialize, Deserialize)]
struct Weight {
    bytes: f64,
}

pub(super) fn run(effort: Effort) -> anyhow::Result<Vec<Row>> {
    if !cfg!(target_os = "linux") {
        table::remark("memory is measured on Linux only");
        return Ok(Vec::new());
    }
    let (mut hosted, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..effort.pick(7, 1) {
        hosted.push(weighed("host")?);
        bare.push(weighed("bare")?);
    }
    let [hosted, bare] = [hosted, bare].map(Samples::new);
    let name = format!("memory per extension, of {COUNT}");
    let budget = Samples::new(vec![BUDGET_BYTES]);
    Ok(vec![
        Row::new(&name, &hosted, "its budget", &budget)
            .bytes()
            .limit(1.0),
        Row::new(&name, &hosted, "a child without host", &bare).bytes(),
    ])
}

/// What a fresh process finds.
fn weighed(what: &str) -> anyhow::Result<f64> {
    house::runtime()?.block_on(async {
        let spec = Spec::new(std::env::current_exe()?, std::env::temp_dir()).args([WORD, what]);
        let limits = RunLimits {
            timeout: Duration::from_secs(60),
            max_output_bytes: 4096,
        };
        let spawner = house::spawner()?;
        let done = zeug_process::run(&spawner, spec, limits, &CancellationToken::new()).await?;
        ensure!(done.report.exit.is_success(), "weighing: {:?}", done.report);
        let weight: Weight = serde_json::from_slice(&done.stdout)?;
        Ok(weight.bytes)
    })
}

/// Weighs this process, which was started for it, and prints the [`Weight`].
pub(crate) fn weigh<'a>(mut words: impl Iterator<Item = &'a str>) -> anyhow::Result<()> {
    let hosted = words.next() == Some("host");
    let bytes = house::runtime()?.block_on(async {
        if hosted {
            weigh_host().await
        } else {
            weigh_children().await
        }
    })?;
    serde_json::to_writer(std::io::stdout(), &Weight { bytes })?;
    Ok(())
}

async fn weigh_host() -> anyhow::Result<f64> {
    let dir = house::logs()?;
    // The first extension pays for code and tables that all share.
    let first = House::open(Guest::ours(1, "trivial", &[])?, dir.path())?;
    first.ready().await?;
    let before = resident_bytes()?;
    let house = House::open(Guest::ours(COUNT, "trivial", &[])?, dir.path())?;
    house.ready().await?;
    let after = resident_bytes()?;
    first.host.stop().await;
    house.host.stop().await;
    Ok(per_one(before, after))
}

async fn weigh_children() -> anyhow::Result<f64> {
    let spawner = house::spawner()?;
    let first = spawner.spawn(house::bare(&["tally"])?)?;
    let before = resident_bytes()?;
    let children: Vec<_> = (0..COUNT)
        .map(|_| Ok(spawner.spawn(house::bare(&["tally"])?)?))
        .collect::<anyhow::Result<_>>()?;
    tokio::time::sleep(Duration::from_millis(50)).await;
    let after = resident_bytes()?;
    drop((first, children));
    Ok(per_one(before, after))
}

fn per_one(before: f64, after: f64) -> f64 {
    (after - before).max(0.0) / COUNT as f64
}

/// From the exact sum; `VmRSS` of `status` may be off by some hundred KiB.
fn resident_bytes() -> anyhow::Result<f64> {
    let sum = std::fs::read_to_string("/proc/self/smaps_rollup")?;
    let kib = sum
        .lines()
        .find_map(|line| line.strip_prefix("Rss:")?.trim().strip_suffix(" kB"))
        .context("smaps_rollup has no Rss")?;
    Ok(kib.trim().parse::<f64>()? * 1024.0)
}
