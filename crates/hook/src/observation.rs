//! What observers are told. They are told, not asked: telling never waits.

use zeug_stdx::json::RawJson;
use zeug_transcript::{Content, Status, StopReason};

/// Something that happened. Each variant is the event of the same name on the wire.
#[derive(Debug, Clone)]
pub enum Observation {
    /// A conversation became active.
    SessionStart,
    /// It closes.
    SessionEnd {
        /// `shutdown`, `session_switch` or `cwd_change`.
        reason: &'static str,
    },
    /// Input for the model was accepted.
    UserPromptSubmit {
        /// The text.
        text: String,
        /// It waits behind a running turn.
        queued: bool,
        /// Attached images.
        image_count: usize,
    },
    /// The model is about to be asked.
    TurnStart {
        /// Counts the model calls of one prompt, from 1.
        step: u32,
    },
    /// The model wants a tool; with its original arguments.
    ToolCall {
        /// The transcript's id of the call.
        call_id: String,
        /// The tool's name.
        tool: String,
        /// The arguments, or `Err` with the text when it is no JSON.
        args: Result<RawJson, String>,
        /// The extension that started the call, if one did.
        origin_extension: Option<String>,
    },
    /// Somebody is about to be asked for approval.
    ToolConfirmationRequested {
        /// The call.
        call_id: String,
        /// The tool's name.
        tool: String,
        /// What the dialog shows, at most 120 bytes.
        preview: String,
        /// The extension that started the call, if one did.
        origin_extension: Option<String>,
    },
    /// An approval or a policy was resolved.
    PermissionDecision(PermissionDecision),
    /// A call settled.
    ToolResult {
        /// The call.
        call_id: String,
        /// The tool's name.
        tool: String,
        /// The effective arguments, or `Err` with the text when it was no JSON.
        args: Result<RawJson, String>,
        /// How it settled.
        status: Status,
        /// Whether the tool itself was entered.
        executed: bool,
        /// The result; observers get a bounded copy.
        content: Vec<Content>,
        /// The extension that started the call, if one did.
        origin_extension: Option<String>,
    },
    /// A message of the model, as the user sees it.
    AssistantMessage {
        /// The text; `None` when it has only tool calls.
        text: Option<String>,
    },
    /// A model response ended.
    TurnEnd {
        /// How.
        stop: StopReason,
        /// Why, when it failed.
        error: Option<String>,
    },
}

/// A resolved permission.
#[derive(Debug, Clone)]
pub struct PermissionDecision {
    /// The call.
    pub call_id: String,
    /// The tool's name.
    pub tool: String,
    /// `approved`, `denied` or `cancelled`.
    pub decision: &'static str,
    /// Who decided.
    pub source: PermissionSource,
    /// Where in the pipeline.
    pub stage: PermissionStage,
    /// Why, when it was not approved.
    pub reason: Option<String>,
    /// The extension that started the call, if one did.
    pub origin_extension: Option<String>,
}

/// Who decided about a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermissionSource {
    /// A person, now.
    User,
    /// A person, earlier.
    Remembered,
    /// A rule, or a guard.
    Policy,
    /// Nothing needs approval in this run.
    Yolo,
}

/// Where in the pipeline a permission was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermissionStage {
    /// Before the tool was entered.
    PreExecution,
    /// By the tool itself.
    ToolExecution,
}

impl PermissionSource {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Remembered => "remembered",
            Self::Policy => "policy",
            Self::Yolo => "yolo",
        }
    }
}

impl PermissionStage {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PreExecution => "pre_execution",
            Self::ToolExecution => "tool_execution",
        }
    }
}

/// Somebody who is told.
pub trait Observer: Send + Sync {
    /// Takes note. Must not block and must not fail: enqueue and return.
    fn observe(&self, observation: &Observation);
}
