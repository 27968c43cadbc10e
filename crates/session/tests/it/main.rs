//! The crate through its public face, on real files; every test has a directory of its own.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "the helpers of tests are not seen as tests by the lint"
)]

mod branches;
mod catalog;
mod compaction;
mod contexts;
mod damage;
mod figures;
mod journal;
mod kill;
mod locking;
mod model;
mod support;
mod transfer;
