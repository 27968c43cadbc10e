//! What all these tests need; tests nothing itself.

mod asking;
mod call;
mod far;
mod rig;
mod scene;

pub(crate) use asking::{agent_facts, tool_facts};
pub(crate) use call::{Called, text};
pub(crate) use far::{Far, Plug};
pub(crate) use rig::{Rig, Seat, facts, until};
pub(crate) use scene::{Scene, is_alive, limits, soon};

pub(crate) use serde_json::json;
pub(crate) use std::time::Duration;
pub(crate) use tokio::time::Instant;
pub(crate) use zeug_ext_host::{HostLimits, News, State};

/// Milliseconds.
pub(crate) const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// Seconds.
pub(crate) const fn s(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// Asserts that something took `expect`, give or take the timer's own grain.
pub(crate) fn took(since: Instant, expect: Duration) {
    let took = since.elapsed();
    assert!(
        took >= expect && took <= expect + ms(3),
        "took {took:?}, not {expect:?}"
    );
}
