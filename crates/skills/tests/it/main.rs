//! Skills and themes as the rest of zeug sees them: real directories, real links, and the
//! built-in skill's examples as real processes.
//!
//! Does not look behind the crate's public face.

#![expect(
    clippy::unwrap_used,
    reason = "the helpers of tests are not seen as tests by the lint"
)]

mod bundles;
mod discovery;
mod examples;
mod guest;
mod names;
mod prompt;
mod themes;
mod tool;
mod world;
