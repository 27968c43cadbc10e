//! The waits for extensions that a user may change, and how far; the numbers start where
//! `zeug_ext_protocol::limits` puts them.

use std::time::Duration;

use zeug_ext_protocol::limits;

/// How long zeug waits for an extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From spawn to `hello`.
    pub hello: Duration,
    /// From `hello_ack` to `ready`, at most.
    pub ready: Duration,
    /// Silence that counts as `ready`.
    pub ready_idle: Duration,
    /// From `tool_call` to `tool_result`.
    pub tool_reply: Duration,
    /// One listener's answer.
    pub intercept: Duration,
    /// From `command_invoked` to `command_response`.
    pub command_reply: Duration,
    /// From `shutdown` to SIGTERM.
    pub shutdown: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            hello: limits::HELLO,
            ready: limits::READY,
            ready_idle: limits::READY_IDLE,
            tool_reply: limits::TOOL_REPLY,
            intercept: limits::INTERCEPT,
            command_reply: limits::COMMAND_REPLY,
            shutdown: limits::SHUTDOWN,
        }
    }
}

/// A key of `[extensions.limits]`.
#[derive(Debug, Clone, Copy)]
pub struct LimitKey {
    /// As it is written.
    pub name: &'static str,
    /// The least that may be set.
    pub min: Duration,
    /// The most that may be set: every wait ends.
    pub max: Duration,
    pub(crate) field: fn(&mut Limits) -> &mut Duration,
}

const fn key(
    name: &'static str,
    min_ms: u64,
    max_secs: u64,
    field: fn(&mut Limits) -> &mut Duration,
) -> LimitKey {
    LimitKey {
        name,
        min: Duration::from_millis(min_ms),
        max: Duration::from_secs(max_secs),
        field,
    }
}

/// The keys of `[extensions.limits]`, in milliseconds, with their bounds.
pub const LIMIT_KEYS: &[LimitKey] = &[
    key("hello_ms", 50, 600, |l| &mut l.hello),
    key("ready_ms", 50, 600, |l| &mut l.ready),
    key("ready_idle_ms", 10, 60, |l| &mut l.ready_idle),
    key("tool_reply_ms", 50, 24 * 3600, |l| &mut l.tool_reply),
    key("intercept_ms", 50, 600, |l| &mut l.intercept),
    key("command_reply_ms", 50, 3600, |l| &mut l.command_reply),
    key("shutdown_ms", 0, 60, |l| &mut l.shutdown),
];
