//! The command line; does not know what a bench does.

use clap::{Parser, ValueEnum};

use crate::bench::Bench;

/// Measures the hot paths of zeug, each against something measured in the same run.
#[derive(Debug, Parser)]
#[command(name = "zeug-benches")]
pub(crate) struct Args {
    /// Few iterations: shows that everything works, in seconds; the ratios mean little
    #[arg(long)]
    pub(crate) smoke: bool,
    /// Only this bench; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<Bench>,
    /// One JSON document instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit with 1 when a ratio is over its limit
    #[arg(long)]
    pub(crate) strict: bool,
}

impl Args {
    /// The benches to run, in their usual order.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = Bench> {
        Bench::value_variants()
            .iter()
            .copied()
            .filter(|bench| self.only.is_empty() || self.only.contains(bench))
    }
}
