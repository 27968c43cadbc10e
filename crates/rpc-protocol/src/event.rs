//! What happens in a run, one JSON object a line: the JSON mode and the events of RPC.
//!
//! A prompt's events end with exactly one `done`; keeping that promise is the sender's work.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;
use zeug_transcript::{Status, StopReason, Timestamp, Usd};

use crate::{
    Block, Decision, DecisionSource, DecisionStage, NoteLevel, RetryScope, SessionData, raw,
};

/// One event. Each variant quotes its line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// `{"type":"session","session_id":"…","path":"…","branch":{…},"keeping":"written"}`: the session
    /// that is open from here on. An addition of zeug.
    Session(SessionData),
    /// `{"type":"user_message","content":[…],"time":"2026-01-02T03:04:05Z"}`
    UserMessage {
        /// Text and images.
        content: Vec<Block>,
        /// When it was accepted.
        #[schemars(with = "String")]
        time: Timestamp,
    },
    /// `{"type":"turn_start","step":1}`
    TurnStart {
        /// 1 for the first model call of a prompt.
        step: u32,
    },
    /// `{"type":"request_started","provider":"puppet","model":"puppet","scope":"provider","attempt":1,"max_attempts":4}`
    RequestStarted {
        /// The provider's key.
        provider: String,
        /// The model's name.
        model: String,
        /// Which layer sends it.
        scope: RetryScope,
        /// 1 for the first.
        attempt: u32,
        /// The attempt after which nothing is tried again.
        max_attempts: u32,
    },
    /// `{"type":"retry_scheduled","scope":"provider","attempt":2,"max_attempts":4,"delay_ms":500}`
    RetryScheduled {
        /// Which layer tries again.
        scope: RetryScope,
        /// The attempt that will follow.
        attempt: u32,
        /// The attempt after which nothing is tried again.
        max_attempts: u32,
        /// How long it waits before.
        delay_ms: u64,
    },
    /// `{"type":"assistant_start"}`
    AssistantStart,
    /// `{"type":"text_delta","delta":"he"}`
    TextDelta {
        /// More text.
        delta: String,
    },
    /// `{"type":"thinking_delta","delta":"hm"}`. An addition of zeug.
    ThinkingDelta {
        /// More reasoning.
        delta: String,
    },
    /// `{"type":"tool_use_start","id":"c1","name":"read"}`
    ToolUseStart {
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
    },
    /// `{"type":"tool_use_args","id":"c1","delta":"{\"pa"}`
    ToolUseArgs {
        /// The call's id.
        id: String,
        /// More of the arguments' JSON text.
        delta: String,
    },
    /// `{"type":"tool_use_end","id":"c1"}`
    ToolUseEnd {
        /// The call's id.
        id: String,
    },
    /// `{"type":"usage","input":1200,"output":80,"cache_read":0,"cache_write":0,"cumulative":{…}}`
    Usage {
        /// Tokens of this request.
        #[serde(flatten)]
        request: Tokens,
        /// Tokens of the whole run so far.
        cumulative: Tokens,
    },
    /// `{"type":"assistant_message","content":[…],"time":"2026-01-02T03:04:05Z"}`, as the user
    /// sees it.
    AssistantMessage {
        /// Text and tool calls.
        content: Vec<Block>,
        /// When it was complete.
        #[schemars(with = "String")]
        time: Timestamp,
    },
    /// `{"type":"tool_call","id":"c1","name":"read","args":{"path":"a"}}`
    ToolCall {
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
        /// The model's own arguments; `null` when what it wrote is no JSON.
        #[serde(deserialize_with = "raw::deserialize")]
        #[schemars(with = "RawJson")]
        args: RawJson,
        /// What the model wrote, when it is no JSON. An addition of zeug.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        args_raw: Option<String>,
        /// The extension that wanted the call, when it was one. An addition of zeug.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin_extension: Option<String>,
    },
    /// `{"type":"turn_end","stop":"end_turn"}`, with `error` when there was one.
    TurnEnd {
        /// How the model's answer ended.
        stop: StopReason,
        /// What went wrong, or who refused the turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// `{"type":"tool_execution_started","id":"c1","name":"read"}`; not sent for refused calls.
    ToolExecutionStarted {
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
    },
    /// `{"type":"tool_progress","id":"c1","text":"half"}`
    ToolProgress {
        /// The call's id.
        id: String,
        /// What the tool says.
        text: String,
    },
    /// `{"type":"tool_result","id":"c1","is_error":false,"content":[…],"status":"completed"}`
    ToolResult {
        /// The call's id.
        id: String,
        /// Whether the model is told that the call went wrong.
        is_error: bool,
        /// Text and images.
        content: Vec<Block>,
        /// How the call settled. An addition of zeug.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<Status>,
        /// The result as a JSON value. An addition of zeug.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "raw::optional"
        )]
        #[schemars(with = "Option<RawJson>")]
        structured_content: Option<RawJson>,
        /// The extension that wanted the call, when it was one. An addition of zeug.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin_extension: Option<String>,
    },
    /// `{"type":"permission_decision","tool_id":"c1","tool_name":"bash","decision":"approved","source":"user","stage":"pre_execution"}`.
    /// An addition of zeug, with the fields of the extension event of this name.
    PermissionDecision {
        /// The call's id.
        tool_id: String,
        /// The tool's name.
        tool_name: String,
        /// What was decided.
        decision: Decision,
        /// Who decided.
        source: DecisionSource,
        /// When it was decided.
        stage: DecisionStage,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// The extension that wanted the call, when it was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin_extension: Option<String>,
    },
    /// `{"type":"tool_confirmation_requested","tool_id":"c1","tool_name":"bash","tool_preview":"rm a"}`:
    /// the call waits for `approve`, or for its turn to be given up; a `permission_decision`
    /// follows. An addition of zeug, with the fields of the extension event of this name (RPC only).
    ToolConfirmationRequested {
        /// The call's id.
        tool_id: String,
        /// The tool's name.
        tool_name: String,
        /// One line, at most 120 bytes.
        tool_preview: String,
        /// What the call would do, in full: a command, a diff.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        preview: Option<String>,
        /// Why somebody is asked although the policy would not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// The extension that started the call, when it was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin_extension: Option<String>,
        /// The sub-agent whose model wants the call; absent for the main agent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent_id: Option<String>,
        /// How many agents are above that sub-agent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        depth: Option<u32>,
    },
    /// `{"type":"compact_done","summary":"…"}`: the end of a `compact`, with `error` instead of a
    /// summary when it failed (RPC only).
    CompactDone {
        /// What stands for the conversation now; empty when it failed.
        summary: String,
        /// What went wrong. An addition of zeug.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// `{"type":"done"}`: the last line of a prompt.
    Done,
    /// `{"type":"error","message":"…"}`; a `done` follows.
    Error {
        /// What went wrong.
        message: String,
    },
    /// `{"type":"ext_skipped","extension":"guard","reason":"…"}`. An addition of zeug.
    ExtSkipped {
        /// Which extension was found and not started.
        extension: String,
        /// Why, and what to do.
        reason: String,
    },
    /// `{"type":"ext_failed","extension":"guard","message":"…"}`. An addition of zeug.
    ExtFailed {
        /// Which extension could not start.
        extension: String,
        /// What happened, and what to do.
        message: String,
    },
    /// `{"type":"ext_gone","extension":"guard","message":"…"}`: its tools and commands are gone as
    /// well. An addition of zeug.
    ExtGone {
        /// Which extension went away without being asked to.
        extension: String,
        /// How, and what to do.
        message: String,
    },
    /// `{"type":"ext_reloaded","extension":"guard","summary":"…","stopped":1,"loaded":1,"ready":1}`:
    /// files changed under `--watch`. An addition of zeug (RPC only).
    ExtReloaded {
        /// Whose files; `null` when which extensions there are changed.
        extension: Option<String>,
        /// What came of it, in words.
        summary: String,
        /// How many were stopped, replaced ones included.
        stopped: usize,
        /// How many were started.
        loaded: usize,
        /// How many of these are ready.
        ready: usize,
        /// Why the others are not; they are as they were before.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        errors: Vec<String>,
    },
    /// `{"type":"ext_notify","extension":"guard","level":"info","message":"…"}` (RPC only)
    ExtNotify {
        /// Who says it.
        extension: String,
        /// How serious.
        level: NoteLevel,
        /// Possibly several lines.
        message: String,
    },
    /// `{"type":"ext_display","extension":"guard","text":"…"}` (RPC only)
    ExtDisplay {
        /// Who says it.
        extension: String,
        /// Possibly several lines.
        text: String,
    },
    /// `{"type":"ext_clear_notes","extension":"guard"}` (RPC only)
    ExtClearNotes {
        /// Whose notes go.
        extension: String,
    },
    /// `{"type":"ext_alert","extension":"guard","kind":"bell","reason":"question"}` (RPC only)
    ExtAlert {
        /// Who wants to be noticed.
        extension: String,
        /// `bell`.
        kind: String,
        /// For programs; may be empty.
        reason: String,
    },
    /// `{"type":"ext_status","extension":"phases","key":"plan","level":"info","text":"1/3"}` (RPC
    /// only)
    ExtStatus {
        /// Whose.
        extension: String,
        /// Which item.
        key: String,
        /// How serious.
        level: NoteLevel,
        /// One line; of escapes only colours (`ESC [ … m`). Empty takes the item away.
        text: String,
    },
    /// `{"type":"ext_widget","extension":"phases","id":"plan","position":"above_input","lines":["…"]}`
    /// (RPC only)
    ExtWidget {
        /// Whose.
        extension: String,
        /// Which widget.
        id: String,
        /// `above_input` or `right_bar`.
        position: String,
        /// Its headline.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// Its body, each line as in `ext_status`.
        lines: Vec<String>,
    },
    /// `{"type":"ext_widget_clear","extension":"phases","id":"plan"}` (RPC only)
    ExtWidgetClear {
        /// Whose.
        extension: String,
        /// Which widget goes.
        id: String,
    },
    /// `{"type":"ext_chrome_clear","extension":"phases"}` (RPC only)
    ExtChromeClear {
        /// Whose notes, status items and widgets go.
        extension: String,
    },
    /// `{"type":"ext_panel_open","extension":"todo","panel_id":"todos","title":"Todos","lines":["…"]}`:
    /// on top of those that are open (RPC only). An addition of zeug.
    ExtPanelOpen(PanelData),
    /// `{"type":"ext_panel_render","extension":"todo","panel_id":"todos",…}`: everything anew (RPC
    /// only). An addition of zeug.
    ExtPanelRender(PanelData),
    /// `{"type":"ext_panel_close","extension":"todo","panel_id":"todos"}`: the one below is visible
    /// again (RPC only). An addition of zeug.
    ExtPanelClose {
        /// Whose.
        extension: String,
        /// Which panel.
        panel_id: String,
    },
}

/// What a panel shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PanelData {
    /// Whose it is.
    pub extension: String,
    /// Its name within the extension.
    pub panel_id: String,
    /// Its headline.
    pub title: String,
    /// Its body; of escapes only colours (`ESC [ … m`).
    pub lines: Vec<String>,
    /// A muted line below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footer: Option<String>,
}

/// Token counts, under the names that zot and zut use; the longer names are read as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Tokens {
    /// Tokens of the request that were not read from a cache.
    #[serde(rename = "input", alias = "input_tokens")]
    pub input_tokens: u64,
    /// Tokens of the answer.
    #[serde(rename = "output", alias = "output_tokens")]
    pub output_tokens: u64,
    /// Tokens of the request that came from a cache.
    #[serde(rename = "cache_read", alias = "cache_read_tokens")]
    pub cache_read_tokens: u64,
    /// Tokens of the request that were written to a cache.
    #[serde(rename = "cache_write", alias = "cache_write_tokens")]
    pub cache_write_tokens: u64,
    /// What they cost in US dollars, at list prices; absent when a price is not known. An addition
    /// of zeug.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub cost_usd: Option<Usd>,
}

impl Event {
    /// The event as compact JSON, `type` first, without a line feed.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| {
            // Only a raw value that is no JSON could come here, and none can be built.
            serde_json::json!({"type": "error", "message": error.to_string()}).to_string()
        })
    }
}
