//! Benchmarks of the hot paths: each figure stands beside something measured in the same run.
//!
//! A ratio says more than a time on a machine that nobody knows. Time alone never fails this
//! program (`--strict` makes it); a lost event or a wrong answer always does.
//!
//! The children are this program itself, started with a hidden first argument, so that they need
//! no build of their own and cost the same on both sides of a ratio.

mod args;
mod bench;
mod effort;
mod guest;
mod house;
mod payload;
mod row;
mod samples;
mod table;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;
use crate::effort::Effort;
use crate::row::Row;

/// The first argument that makes this program the watchdog of its own children.
const WATCHDOG: &str = "__watchdog";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut words = words.iter().map(String::as_str);
    let done = match words.next() {
        Some(WATCHDOG) => zeug_process::watchdog_main(),
        Some(guest::WORD) => guest::play(words).map(|()| ExitCode::SUCCESS),
        Some(bench::memory::WORD) => bench::memory::weigh(words).map(|()| ExitCode::SUCCESS),
        _ => run(&Args::parse()),
    };
    done.unwrap_or_else(|error| {
        table::remark(&format!("zeug-benches: {error:#}"));
        ExitCode::FAILURE
    })
}

fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let effort = Effort { smoke: args.smoke };
    let mut rows: Vec<Row> = Vec::new();
    for bench in args.chosen() {
        table::remark(&format!("running {} ...", bench.name()));
        rows.extend(bench.run(effort)?);
    }
    if args.json {
        table::json(effort, &rows)?;
    } else {
        table::text(effort, &rows)?;
    }
    let over = rows.iter().any(Row::is_over);
    Ok(if over && args.strict {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
