//! The benches, one file each.

mod chain;
mod decode;
mod encode;
mod fan_out;
mod intercept;
mod lines;
pub(crate) mod memory;
mod paint;
mod start;

use clap::ValueEnum;

use crate::effort::Effort;
use crate::row::Row;

/// Every bench, in the order in which they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bench {
    /// Reading frames
    Decode,
    /// Writing frames
    Encode,
    /// Cutting a stream into lines
    Lines,
    /// One question to one extension
    Intercept,
    /// The same question to eight
    Chain,
    /// Events to ten subscribers
    FanOut,
    /// From nothing to ready, and back
    Start,
    /// Memory per extension
    Memory,
    /// A conversation as lines
    Paint,
}

impl Bench {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Encode => "encode",
            Self::Lines => "lines",
            Self::Intercept => "intercept",
            Self::Chain => "chain",
            Self::FanOut => "fan-out",
            Self::Start => "start",
            Self::Memory => "memory",
            Self::Paint => "paint",
        }
    }

    /// Measures.
    ///
    /// # Errors
    /// When what is measured does not work; never because of a time.
    pub(crate) fn run(self, effort: Effort) -> anyhow::Result<Vec<Row>> {
        match self {
            Self::Decode => decode::run(effort),
            Self::Encode => encode::run(effort),
            Self::Lines => lines::run(effort),
            Self::Intercept => intercept::run(effort),
            Self::Chain => chain::run(effort),
            Self::FanOut => fan_out::run(effort),
            Self::Start => start::run(effort),
            Self::Memory => memory::run(effort),
            Self::Paint => paint::run(effort),
        }
    }
}
