//! What responses carry: one shape for each command that has something to say.
//!
//! Plain values; who fills them in, and from what, is not known here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;
use zeug_transcript::{Status, Timestamp};

use crate::{Block, Decision, DecisionSource, SessionData, Tokens, raw};

/// The version of this protocol, as zot and zut count it.
pub const RPC_VERSION: u32 = 1;

/// Data of `hello`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HelloData {
    /// 1. It grows when what is there changes its meaning, not when something is added.
    pub protocol_version: u32,
    /// zeug's version.
    pub version: String,
    /// The provider's key.
    pub provider: String,
    /// The model's name.
    pub model: String,
    /// The project directory. An addition of zeug.
    pub cwd: String,
    /// The open session. An addition of zeug.
    #[serde(flatten)]
    pub session: SessionData,
    /// Whether this client is asked for approvals. An addition of zeug.
    pub interactive: bool,
}

/// Data of `prompt` and `compact`, said when they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartedData {
    /// Always true.
    pub started: bool,
}

/// Data of `abort`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AbortData {
    /// Whether there was something to give up. An addition of zeug.
    pub aborted: bool,
}

/// Data of `ping`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PingData {
    /// Always true.
    pub pong: bool,
}

/// Data of `get_state`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateData {
    /// The provider's key.
    pub provider: String,
    /// The model's name.
    pub model: String,
    /// The project directory.
    pub cwd: String,
    /// The open session. An addition of zeug.
    #[serde(flatten)]
    pub session: SessionData,
    /// How much the model reasons; absent when that is left to the provider. An addition of zeug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// How many messages the conversation has.
    pub message_count: usize,
    /// Whether a prompt runs or waits.
    pub busy: bool,
    /// How many prompts wait. An addition of zeug.
    pub queued: usize,
    /// Whether all extensions are ready or have failed; prompts wait for that. An addition of
    /// zeug.
    pub ready: bool,
    /// Whether this client is asked for approvals. An addition of zeug.
    pub interactive: bool,
    /// The calls that wait for `approve`. An addition of zeug.
    pub waiting_for_approval: Vec<String>,
    /// Tokens of the whole run.
    pub usage: Tokens,
}

/// Data of `get_messages`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MessagesData {
    /// The conversation, oldest first.
    pub messages: Vec<MessageData>,
}

/// A message as the user sees it. Reasoning is not among its content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MessageData {
    /// Who speaks.
    pub role: Role,
    /// What.
    pub content: Vec<MessageBlock>,
    /// When it was complete.
    #[schemars(with = "String")]
    pub time: Timestamp,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool.
    Tool,
}

/// A block of a message: those of events, and results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MessageBlock {
    /// `{"type":"tool_result","call_id":"c1","name":"read","is_error":false,"status":"completed","content":[…]}`
    Result(ResultBlock),
    /// Text, an image or a call.
    Plain(Block),
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename = "tool_result")]
pub struct ResultBlock {
    /// The call.
    pub call_id: String,
    /// The tool's name. An addition of zeug.
    pub name: String,
    /// Whether the model is told that the call went wrong.
    pub is_error: bool,
    /// How the call settled. An addition of zeug.
    pub status: Status,
    /// Text and images.
    pub content: Vec<Block>,
}

/// Data of `get_models`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelsData {
    /// The provider's models.
    pub models: Vec<ModelData>,
}

/// Data of `set_model`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SetModelData {
    /// The model that is asked from now on. An addition of zeug.
    pub model: String,
}

/// One model. What nobody knows is absent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelData {
    /// Its name at its provider, as `set_model` takes it.
    pub id: String,
    /// The provider's key.
    pub provider: String,
    /// Its name for people. An addition of zeug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// How many tokens it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u64>,
    /// The most tokens of an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output: Option<u64>,
    /// Whether it reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<bool>,
    /// Whether it is the one in use. An addition of zeug.
    pub current: bool,
}

/// Data of `get_commands`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandsData {
    /// The slash commands: those of zeug, then those of extensions by name.
    pub commands: Vec<CommandData>,
}

/// One slash command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandData {
    /// Without its slash.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Whether it is one of zeug, for `slash`; otherwise an extension's, for both `slash` and
    /// `ext_command`.
    #[serde(default)]
    pub built_in: bool,
}

/// Data of `slash`: what came of the line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "did", rename_all = "snake_case")]
pub enum SlashData {
    /// zeug did it.
    Said {
        /// What to show; plain text of possibly several lines.
        text: String,
    },
    /// It waits as a prompt, and ends with a `done` like every prompt.
    Prompt,
    /// An extension answered.
    Command(ExtCommandData),
}

/// Data of `ext_command`: who answered, and what it wanted to happen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExtCommandData {
    /// Who answered.
    pub extension: String,
    /// What it wanted.
    #[serde(flatten)]
    pub action: ActionData,
}

/// What a slash command wants to happen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum ActionData {
    /// This text waits as a prompt, and ends with a `done` like every prompt.
    Prompt {
        /// What is said to the model.
        text: String,
    },
    /// This text waits as a prompt, behind one call of a tool; both are part of the conversation.
    ToolPrompt {
        /// What is said to the model.
        text: String,
        /// The tool.
        tool: String,
    },
    /// The client may put this text where the user types.
    Insert {
        /// The text.
        text: String,
    },
    /// An `ext_display` event was sent.
    Display,
    /// An `ext_panel_open` event was sent.
    OpenPanel {
        /// Which panel.
        panel_id: String,
    },
    /// Nothing.
    Noop,
}

/// Data of `reload_ext`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReloadData {
    /// How many were stopped, replaced ones included.
    pub stopped: usize,
    /// How many were started.
    pub loaded: usize,
    /// How many of these are ready.
    pub ready: usize,
    /// Why others are not; they are as they were before.
    pub errors: Vec<String>,
    /// All of it in one line, for people.
    pub summary: String,
}

/// Data of `get_trace`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TraceData {
    /// The last calls, oldest first.
    pub calls: Vec<CallData>,
}

/// How it was decided about one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallData {
    /// The call.
    pub tool_id: String,
    /// The tool's name.
    pub tool_name: String,
    /// `model`, `user`, or `extension NAME`.
    pub origin: String,
    /// The sub-agent in which it was wanted; absent for the main agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// The arguments as they were wanted; `null` when they were no JSON.
    #[serde(deserialize_with = "raw::deserialize")]
    #[schemars(with = "RawJson")]
    pub args: RawJson,
    /// What was written, when it is no JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args_raw: Option<String>,
    /// The arguments after all rewrites, when there were any.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "raw::optional"
    )]
    #[schemars(with = "Option<RawJson>")]
    pub rewritten: Option<RawJson>,
    /// Who was asked, in order.
    pub steps: Vec<StepData>,
    /// Whether it was permitted; absent when it did not come to that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<RulingData>,
    /// Whether the tool itself was entered.
    pub executed: bool,
    /// How the call settled.
    pub status: Status,
}

/// One extension's part in a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepData {
    /// Who was asked.
    pub extension: String,
    /// How long it took.
    pub took_ms: u64,
    /// What it did.
    pub did: Did,
    /// Why, when it refused or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether this was the second time, after a rewrite by a later one.
    pub again: bool,
}

/// What an extension did when it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Did {
    /// Nothing.
    Kept,
    /// It changed the arguments.
    Changed,
    /// It refused.
    Refused,
    /// It did not answer as it should.
    Failed,
}

/// A permission, given or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RulingData {
    /// What was decided.
    pub decision: Decision,
    /// Who decided.
    pub source: DecisionSource,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
