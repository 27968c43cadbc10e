//! Sub-agents from outside: a main agent with the `task` tool, a scripted model, fake tools.

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
mod wire;
