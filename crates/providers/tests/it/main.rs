//! The providers through their public face: in memory, and against a scripted server.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "clippy knows test functions, not the functions that they call"
)]

mod kit;

mod addresses;
mod catalogue;
mod failures;
mod golden;
mod independent;
mod masks;
mod network;
mod options;
mod replay;
mod same_task;
mod seam;
mod streams;
