//! Real children of a real shell; does not test what the crate can test without any.
//!
//! Nothing here waits for a fixed time and hopes: it waits for an exit, for a line, or polls with
//! a deadline.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "clippy knows test functions, not the functions that they call"
)]

mod endings;
mod logs;
mod refusals;
mod runs;
mod stopping;
mod support;
