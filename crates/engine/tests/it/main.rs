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
mod children;
mod clearing;
mod closing;
mod compacting;
mod gate;
mod kit;
mod making_room;
mod messages;
mod overlapping;
mod preparing;
mod queueing;
mod random;
mod random_histories;
mod retrying;
mod slow_face;
mod switching;
mod turns;
