//! The turn machine from outside, with scripted models, tools, listeners and faces.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "clippy knows test functions, not the functions that they call"
)]

mod aborting;
mod approving;
mod breaking;
mod calling;
mod closing;
mod gate;
mod kit;
mod messages;
mod preparing;
mod queueing;
mod random;
mod retrying;
mod slow_face;
mod turns;
