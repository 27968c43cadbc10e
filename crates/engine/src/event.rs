//! What the machine announces to faces and to whoever keeps the conversation.
//!
//! Does not know how an event looks on the wire; the names are those of the RPC protocol.

use std::time::Duration;

use zeug_hook::PermissionDecision;
use zeug_stdx::json::RawJson;
use zeug_tool::{Origin, Source};
use zeug_transcript::{AssistantMessage, Content, Message, Status, StopReason, Usage, UserMessage};

use crate::{Compacted, PromptId, Trigger};

/// Something that happened.
///
/// # Order
/// Events of one prompt come in the order in which things happened, from `UserMessage` to exactly
/// one `Done`. Events of calls that others than the model started may stand between them.
#[derive(Debug, Clone)]
pub enum Event {
    /// A prompt's turn has come.
    UserMessage {
        /// Which prompt.
        prompt: PromptId,
        /// What was said.
        message: UserMessage,
    },
    /// The model is about to be asked.
    TurnStart {
        /// Counts the model calls of one prompt, from 1.
        step: u32,
    },
    /// A request goes out. With an `attempt` above 1, what the attempt before it streamed is void.
    RequestStarted {
        /// The provider's key.
        provider: String,
        /// The model's name.
        model: String,
        /// Which attempt, from 1.
        attempt: u32,
        /// How many there may be.
        max_attempts: u32,
    },
    /// An attempt failed and there will be another.
    RetryScheduled {
        /// The attempt that will be made.
        attempt: u32,
        /// How many there may be.
        max_attempts: u32,
        /// After which pause.
        delay: Duration,
        /// Why the last one failed.
        error: String,
    },
    /// The model begins to answer.
    AssistantStart,
    /// More text. Withheld until the verdict while an extension intercepts messages.
    TextDelta {
        /// The piece.
        delta: String,
    },
    /// More reasoning. Withheld like text.
    ThinkingDelta {
        /// The piece.
        delta: String,
    },
    /// The model begins a tool call.
    ToolUseStart {
        /// The call.
        id: String,
        /// The tool's name.
        name: String,
    },
    /// More of a call's arguments.
    ToolUseArgs {
        /// The call.
        id: String,
        /// The next piece of JSON text.
        delta: String,
    },
    /// A call's arguments are complete.
    ToolUseEnd {
        /// The call.
        id: String,
    },
    /// Tokens of the running request.
    Usage {
        /// Of this request, so far.
        usage: Usage,
        /// Of everything this machine asked for.
        cumulative: Usage,
    },
    /// A message of the model, as the user may see it: a replaced text is already replaced, and a
    /// suppressed message has no such event.
    AssistantMessage(AssistantMessage),
    /// A tool is wanted; with the original arguments.
    ToolCall {
        /// The call.
        id: String,
        /// The tool's name.
        name: String,
        /// The arguments, or `Err` with the text when it is no JSON.
        args: Result<RawJson, String>,
        /// Who wants it.
        origin: Origin,
    },
    /// A model response ended, or the run was given up.
    TurnEnd {
        /// How.
        stop: StopReason,
        /// Why, when it failed.
        error: Option<String>,
    },
    /// A permission was resolved.
    PermissionDecision(PermissionDecision),
    /// A tool is being entered.
    ToolExecutionStarted {
        /// The call.
        id: String,
        /// The tool's name.
        name: String,
    },
    /// A running tool shows how far it is. Dropped when the face is slow.
    ToolProgress {
        /// The call.
        id: String,
        /// A line.
        text: String,
    },
    /// A call settled.
    ToolResult(Box<ToolResult>),
    /// The conversation grew by this message, in its original form: for whoever stores it, not for
    /// the eye.
    Appended(Message),
    /// Room is being made in the conversation. Exactly one `CompactionEnded` follows.
    CompactionStarted {
        /// The attempt.
        compaction_id: String,
        /// Why.
        trigger: Trigger,
        /// Messages in the conversation.
        message_count: u64,
        /// Estimated tokens of them.
        token_estimate: u64,
    },
    /// A summary took the place of messages: for whoever stores the conversation. Comes between
    /// the start and the end of an attempt that did something.
    Compacted(Box<Compacted>),
    /// An attempt to make room is over.
    CompactionEnded {
        /// The attempt.
        compaction_id: String,
        /// `Completed`, `Failed`, `Cancelled` or `TimedOut`.
        status: Status,
        /// Why it was not completed.
        error: Option<String>,
    },
    /// The conversation was emptied.
    Cleared,
    /// Another conversation took the place of the one that was open. What comes is of that one.
    Adopted,
    /// Something the user should know that stops nothing.
    Warning {
        /// The extension that it is about, if it is about one.
        extension: Option<String>,
        /// What, and what to do.
        message: String,
    },
    /// The prompt failed.
    Error {
        /// What failed, where, and what to do.
        message: String,
    },
    /// A prompt is over. Exactly one for each accepted prompt.
    Done {
        /// Which prompt.
        prompt: PromptId,
        /// How it ended.
        outcome: DoneOutcome,
    },
}

/// How a prompt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoneOutcome {
    /// The model had nothing more to do.
    Finished,
    /// An extension refused a step.
    Blocked,
    /// The provider failed, or a limit was reached.
    Failed,
    /// The user gave it up while it ran.
    Aborted,
    /// It was taken back, or the conversation closed, before it ran.
    Withdrawn,
}

/// A settled call.
#[derive(Debug, Clone)]
pub struct ToolResult {
    /// The call.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// Who offers the tool; `None` when there is none.
    pub source: Option<Source>,
    /// Who wanted the call.
    pub origin: Origin,
    /// How it settled.
    pub status: Status,
    /// Whether the tool itself was entered.
    pub executed: bool,
    /// What the model is told.
    pub content: Vec<Content>,
    /// The result as a JSON value.
    pub structured: Option<RawJson>,
    /// The tool's own state snapshot; `null` clears it. Comes before the message is appended.
    pub details: Option<RawJson>,
    /// Deferred tools that the model is offered from now on.
    pub activated: Vec<String>,
}
