//! Words of `hello.capabilities` and `hello_ack.capabilities`.
//!
//! Only those an extension must list before it gets something are constants of consequence; all
//! others are advisory.

/// Extension: send me `tool_cancel` when a call is given up.
pub const TOOL_CANCEL: &str = "tool_cancel";
/// Both: `call_tool` is understood.
pub const CALL_TOOL: &str = "call_tool";
/// Host: nested calls survive a crash and take a `key`.
pub const CALL_TOOL_DURABLE: &str = "call_tool_durable";
/// Host: the hooks of zeug's catalogue are understood.
pub const HOOKS: &str = "hooks";
/// Host: `tool_progress` is shown.
pub const TOOL_PROGRESS: &str = "tool_progress";
/// Host: `unregister_tool` and `unregister_command` are understood.
pub const UNREGISTER: &str = "unregister";
/// Both: `panel_resize` is sent.
pub const PANEL_RESIZE: &str = "panel_resize";

/// What this version of the host announces.
pub const HOST: [&str; 4] = [CALL_TOOL, PANEL_RESIZE, TOOL_PROGRESS, UNREGISTER];
