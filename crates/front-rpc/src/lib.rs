//! The RPC face: requests in, responses and events out, one JSON object a line.
//!
//! A pure state machine (`machine`) keeps the two promises: one response for each request, one
//! `done` for each prompt that started. [`serve`] carries its wishes to the agent and its lines to
//! one writing task. Neither knows the standard streams, the environment or the exit of the
//! process; they are the door's.

mod aside;
mod lines;
mod look;
mod machine;
mod pen;
mod serve;
mod wish;

pub use serve::{Pipes, Setup, serve};
