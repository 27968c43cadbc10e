//! The numbers both sides rely on. The one source: `protocol/limits.json` is made from [`TABLE`].

use std::time::Duration;

use serde::Serialize;

/// Bytes of one frame, without its line end, each way.
pub const FRAME_BYTES: usize = 4 * 1024 * 1024;
/// Frames that may wait for one extension.
pub const QUEUE_FRAMES: usize = 256;
/// Bytes that may wait for one extension.
pub const QUEUE_BYTES: usize = 16 * 1024 * 1024;
/// One write to an extension.
pub const WRITE: Duration = Duration::from_secs(5);
/// How long a frame that is being written may go on after its call was cancelled.
pub const TORN_FRAME: Duration = Duration::from_millis(250);
/// From spawn to `hello`.
pub const HELLO: Duration = Duration::from_secs(30);
/// Silence after the first frame after `hello_ack` that counts as `ready`.
pub const READY_IDLE: Duration = Duration::from_millis(250);
/// From `hello_ack` to `ready`, at most.
pub const READY: Duration = Duration::from_secs(10);
/// From `tool_call` to `tool_result`; none for an interactive tool.
pub const TOOL_REPLY: Duration = Duration::from_secs(60);
/// One listener's answer, including the write.
pub const INTERCEPT: Duration = Duration::from_secs(5);
/// From `command_invoked` to `command_response`.
pub const COMMAND_REPLY: Duration = Duration::from_secs(30);
/// Execution of a `call_tool`; waiting for an approval does not count.
pub const CALL_TOOL: Duration = Duration::from_secs(60);
/// Calls in one nested chain, the first included.
pub const NESTED_CALLS: usize = 4;
/// Bytes of a result as observers and `call_tool` get it.
pub const OBSERVED_BYTES: usize = 256 * 1024;
/// Blocks of a result as observers and `call_tool` get it.
pub const OBSERVED_BLOCKS: usize = 128;
/// Bytes of `tool_result.details`.
pub const STATE_BYTES: usize = 256 * 1024;
/// Bytes of hidden turn context after joining.
pub const CONTEXT_BYTES: usize = 16 * 1024;
/// Bytes of an encoded `system_prompt` answer.
pub const SYSTEM_PROMPT_BYTES: usize = 1024 * 1024;
/// Bytes of a durable call's key.
pub const DURABLE_KEY_BYTES: usize = 128;
/// Bytes of `tool_preview`.
pub const PREVIEW_BYTES: usize = 120;
/// Notes of all extensions that are kept until a face is ready to show them.
pub const NOTES_KEPT: usize = 64;
/// From `shutdown` to SIGTERM, for all extensions together.
pub const SHUTDOWN: Duration = Duration::from_secs(2);
/// From SIGTERM to SIGKILL.
pub const TERMINATE: Duration = Duration::from_secs(1);
/// Bytes of an extension's log before it is rotated.
pub const LOG_BYTES: u64 = 5 * 1024 * 1024;
/// Rotated logs that are kept.
pub const LOGS_KEPT: usize = 3;
/// Bytes of a tool's or command's name.
pub const NAME_BYTES: usize = 64;
/// Bytes of an id of an extension's own: of a panel, a widget, a status item, a `call_tool`.
pub const ID_BYTES: usize = 256;
/// Tools, commands or subscriptions that one extension may have of each.
pub const REGISTRATIONS: usize = 1024;

/// Bytes of what one panel or widget shows.
pub const PANEL_BYTES: usize = 256 * 1024;
/// Bytes of one note or status item.
pub const NOTE_BYTES: usize = 64 * 1024;
/// Panels that one extension may have open.
pub const PANELS: usize = 16;
/// Status items, and likewise widgets, that one extension may show.
pub const MARKS: usize = 64;
/// Keys that may wait for one panel.
pub const PANEL_KEYS: usize = 4096;
/// From a key to the next one, unless the panel is drawn again before.
pub const KEY_PACE: Duration = Duration::from_millis(25);

/// A row of `protocol/limits.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// Its name.
    pub name: &'static str,
    /// The number.
    pub value: u64,
    /// What it counts: `bytes`, `ms`, `frames`, `blocks`, `calls`, `files` or `entries`.
    pub unit: &'static str,
    /// What happens past it.
    pub past: &'static str,
}

const fn ms(d: Duration) -> u64 {
    d.as_secs() * 1000 + d.subsec_millis() as u64
}

macro_rules! table {
    ($($name:literal, $value:expr, $unit:literal, $past:literal;)*) => {
        &[$(Limit { name: $name, value: $value, unit: $unit, past: $past }),*]
    };
}

/// Every limit.
pub const TABLE: &[Limit] = table! {
    "frame", FRAME_BYTES as u64, "bytes", "the extension is disconnected";
    "queue_frames", QUEUE_FRAMES as u64, "frames", "the extension is disconnected";
    "queue_bytes", QUEUE_BYTES as u64, "bytes", "the extension is disconnected";
    "write", ms(WRITE), "ms", "the extension is disconnected";
    "torn_frame_grace", ms(TORN_FRAME), "ms", "the extension is disconnected";
    "hello", ms(HELLO), "ms", "the extension is stopped";
    "ready_idle", ms(READY_IDLE), "ms", "the extension counts as ready";
    "ready", ms(READY), "ms", "the extension counts as ready";
    "tool_reply", ms(TOOL_REPLY), "ms", "the call is timed_out";
    "intercept", ms(INTERCEPT), "ms", "on_failure of the subscription applies";
    "command_reply", ms(COMMAND_REPLY), "ms", "the user is told";
    "call_tool", ms(CALL_TOOL), "ms", "the call is timed_out";
    "nested_calls", NESTED_CALLS as u64, "calls", "the call is refused";
    "observed_bytes", OBSERVED_BYTES as u64, "bytes", "cut, truncated is set";
    "observed_blocks", OBSERVED_BLOCKS as u64, "blocks", "cut, truncated is set";
    "state", STATE_BYTES as u64, "bytes", "dropped with a warning, the result is kept";
    "turn_context", CONTEXT_BYTES as u64, "bytes", "cut with a marker";
    "system_prompt", SYSTEM_PROMPT_BYTES as u64, "bytes", "the answer is ignored";
    "durable_key", DURABLE_KEY_BYTES as u64, "bytes", "the call is refused";
    "preview", PREVIEW_BYTES as u64, "bytes", "cut";
    "notes", NOTES_KEPT as u64, "entries", "the oldest go";
    "shutdown", ms(SHUTDOWN), "ms", "SIGTERM to the process group";
    "terminate", ms(TERMINATE), "ms", "SIGKILL to the process group";
    "log", LOG_BYTES, "bytes", "the log is rotated";
    "logs_kept", LOGS_KEPT as u64, "files", "the oldest is deleted";
    "name", NAME_BYTES as u64, "bytes", "the registration is refused";
    "id", ID_BYTES as u64, "bytes", "the frame is ignored";
    "registrations", REGISTRATIONS as u64, "entries", "the registration is refused";
    "panel", PANEL_BYTES as u64, "bytes", "cut with a marker; of widgets as well";
    "note", NOTE_BYTES as u64, "bytes", "cut with a marker; of status items as well";
    "panels", PANELS as u64, "entries", "the panel is closed at once";
    "marks", MARKS as u64, "entries", "a further status item or widget is not shown";
    "panel_keys", PANEL_KEYS as u64, "entries", "further keys are dropped";
    "key_pace", ms(KEY_PACE), "ms", "the next key goes out";
};
