//! What observers are told. They are told, not asked: telling never waits.

use async_trait::async_trait;
use zeug_stdx::json::RawJson;
use zeug_transcript::{Content, Status, StopReason};

use crate::Agent;

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
    /// A compaction is tried. Exactly one [`Observation::PostCompact`] follows.
    PreCompact {
        /// Pairs the two.
        compaction_id: String,
        /// Messages in the transcript.
        message_count: u64,
        /// Bytes of their text divided by four.
        token_estimate: u64,
    },
    /// A compaction ended, one way or the other.
    PostCompact {
        /// Pairs the two.
        compaction_id: String,
        /// Messages in the transcript as it is now.
        message_count: u64,
        /// Bytes of their text divided by four.
        token_estimate: u64,
        /// `Completed`, `Failed`, `Cancelled` or `TimedOut`.
        status: Status,
        /// Why, when it was not completed.
        error: Option<String>,
    },
    /// A sub-agent begins to work. Exactly one [`Observation::SubagentStop`] follows.
    SubagentStart {
        /// Names the sub-agent.
        agent_id: String,
        /// Pairs the two.
        agent_run_id: String,
        /// What it is called.
        name: String,
    },
    /// A sub-agent returned.
    SubagentStop {
        /// Names the sub-agent.
        agent_id: String,
        /// Pairs the two.
        agent_run_id: String,
        /// What it is called.
        name: String,
        /// `Completed`, `Failed` or `Cancelled`.
        status: Status,
        /// Why, when it was not completed.
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
#[async_trait]
pub trait Observer: Send + Sync {
    /// Takes note. Must not block and must not fail: enqueue and return.
    fn observe(&self, observation: &Observation);

    /// Takes note of something in a sub-agent, or about it. Whoever does not care in which agent
    /// it was hears it like everything else.
    fn observe_in(&self, _agent: &Agent, observation: &Observation) {
        self.observe(observation);
    }

    /// Waits until it can take more, for whoever has much to tell. Must end soon, whatever is
    /// wrong with those who listen.
    async fn room(&self) {}
}
