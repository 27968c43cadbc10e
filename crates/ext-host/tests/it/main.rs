//! The extension host against guests of both kinds: at the far ends of in-memory pipes, where the
//! clock is an argument, and as real processes that misbehave.
//!
//! Nothing here waits for a fixed time and hopes: it waits for a frame, for an announcement or for
//! an outcome, or polls with a deadline.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "clippy knows test functions, not the functions that they call"
)]

mod bad_guest;
mod kit;
mod properties;
mod scenarios;
