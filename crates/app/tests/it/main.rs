//! An agent from outside: sub-agents with a scripted model and fake tools, and a storm of calls with
//! real extensions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "clippy knows test functions, not the functions that they call"
)]

mod ending;
mod floors;
mod gate;
mod kit;
mod profiles;
mod reports;
mod storm;
mod wire;
