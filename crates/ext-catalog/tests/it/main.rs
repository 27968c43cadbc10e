//! The catalog on real directories, with real git; every test has directories of its own.

#![expect(
    clippy::unwrap_used,
    reason = "the helpers of tests are not seen as tests by the lint"
)]

mod checkout;
mod discover;
mod install;
mod manage;
mod support;
mod trust;
mod update;
