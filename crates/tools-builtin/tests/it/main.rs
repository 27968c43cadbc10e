//! The tools as the engine uses them: with real files, real processes and arguments as JSON.
//!
//! Does not look behind `zeug_tools_builtin::all`.

#![expect(
    clippy::unwrap_used,
    reason = "the helpers of tests are not seen as tests by the lint"
)]

mod bash;
mod bench;
mod edit;
mod glob;
mod grep;
mod read;
mod schema;
mod write;
