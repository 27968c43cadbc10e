//! Whole-product journeys: the binary, run as a user runs it, with real extensions.
//!
//! A journey whose language is missing on the machine is skipped by name.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "journeys start the binary like a user does, and a failed helper is a failed test"
)]

mod agents;
mod compat;
mod crash;
mod examples;
mod ext;
mod face;
mod faces;
mod guests;
mod models;
mod panels;
mod reload;
mod rpc;
mod sessions;
mod slash;
mod support;
mod themes;
mod tool_prompt;
mod trace;
mod trust;
mod tui;
mod watch;
