//! The deadlines of the host, as one value: the protocol's numbers, or a user's, or a test's.

use std::time::Duration;

use zeug_ext_protocol::limits;

/// Deadlines and bounds. [`HostLimits::default`] is the protocol's table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostLimits {
    /// From spawn to `hello`.
    pub hello: Duration,
    /// Silence after the first frame after `hello_ack` that counts as `ready`.
    pub ready_idle: Duration,
    /// From `hello_ack` to `ready`.
    pub ready: Duration,
    /// From queueing a `tool_call` to its result.
    pub tool_reply: Duration,
    /// From queueing a question to its answer, for one listener.
    pub intercept: Duration,
    /// From queueing a `command_invoked` to its response.
    pub command_reply: Duration,
    /// From `shutdown` to SIGTERM.
    pub shutdown: Duration,
    /// From SIGTERM to SIGKILL.
    pub terminate: Duration,
    /// How long a process that closed its output may take to end by itself before it is ended,
    /// and how long output is still read after the process ended.
    pub farewell: Duration,
    /// Frames, queues and writes.
    pub wire: zeug_ext_wire::Limits,
}

impl Default for HostLimits {
    fn default() -> Self {
        Self {
            hello: limits::HELLO,
            ready_idle: limits::READY_IDLE,
            ready: limits::READY,
            tool_reply: limits::TOOL_REPLY,
            intercept: limits::INTERCEPT,
            command_reply: limits::COMMAND_REPLY,
            shutdown: limits::SHUTDOWN,
            terminate: limits::TERMINATE,
            farewell: Duration::from_millis(100),
            wire: zeug_ext_wire::Limits {
                frame_bytes: limits::FRAME_BYTES,
                queue_frames: limits::QUEUE_FRAMES,
                queue_bytes: limits::QUEUE_BYTES,
                write_timeout: limits::WRITE,
                torn_grace: limits::TORN_FRAME,
            },
        }
    }
}
