//! What a client may ask for, one JSON object a line, and how a line is read.
//!
//! Knows the shape of a request, not whether it can be granted: that depends on the agent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use zeug_stdx::{suggest, text};

/// The most bytes of an `id`: it is kept until its request is answered.
pub const ID_BYTES: usize = 1024;
/// The most bytes of an unknown command's name that an answer repeats.
const NAME_BYTES: usize = 64;

/// One line of a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Request {
    /// Comes back in the response. At most 1 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What is wanted.
    #[serde(flatten)]
    pub command: Command,
}

/// What a client may want. Each variant quotes its line, without the `id`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Command {
    /// `{"type":"hello","token":"secret","interactive":true}`
    Hello {
        /// The token that zeug was started with; absent when it was started without.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// Whether the client answers `tool_confirmation_requested`. An addition of zeug.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        interactive: Option<bool>,
    },
    /// `{"type":"prompt","message":"fix the test","images":[]}`
    Prompt {
        /// What the user says.
        message: String,
        /// Attached images.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        images: Option<Vec<PromptImage>>,
    },
    /// `{"type":"abort"}`: gives up what runs; what waits stays.
    Abort,
    /// `{"type":"compact"}`: replaces the conversation by a summary of it.
    Compact,
    /// `{"type":"get_state"}`
    GetState,
    /// `{"type":"get_messages"}`
    GetMessages,
    /// `{"type":"clear"}`: forgets the conversation.
    Clear,
    /// `{"type":"set_model","model":"name"}`: of the same provider.
    SetModel {
        /// The model's name at its provider.
        model: String,
    },
    /// `{"type":"set_reasoning","reasoning":"high"}`
    SetReasoning {
        /// `off`, `minimum`, `low`, `medium`, `high`, `xhigh` or `max`.
        reasoning: String,
    },
    /// `{"type":"get_models"}`: those of the provider.
    GetModels,
    /// `{"type":"get_commands"}`: slash commands, those of zeug first. An addition of zeug.
    GetCommands,
    /// `{"type":"ext_command","name":"hello","args":"world"}`. An addition of zeug.
    ExtCommand {
        /// The command, with or without its slash.
        name: String,
        /// What stands behind it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        args: Option<String>,
    },
    /// `{"type":"slash","line":"/title The parser"}`: what a user typed, with its slash or `!`.
    /// An addition of zeug.
    Slash {
        /// The line. One that is no command is a prompt.
        line: String,
    },
    /// `{"type":"ext_panel_key","extension":"todo","panel_id":"todos","key":"rune","text":"x"}`. An
    /// addition of zeug.
    ExtPanelKey {
        /// Whose panel.
        extension: String,
        /// Which.
        panel_id: String,
        /// `up down left right enter tab backspace delete home end pageup pagedown rune unknown`;
        /// `esc` and `ctrl+c` close the panel.
        key: String,
        /// What was typed, for `rune`; several characters are a paste.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// `{"type":"ext_panel_close","extension":"todo","panel_id":"todos"}`. An addition of zeug.
    ExtPanelClose {
        /// Whose panel.
        extension: String,
        /// Which.
        panel_id: String,
    },
    /// `{"type":"ext_panel_resize","width":60,"height":18}`: for extensions that want to know. An
    /// addition of zeug.
    ExtPanelResize {
        /// Columns of a panel's body.
        width: u16,
        /// Lines of a panel's body.
        height: u16,
    },
    /// `{"type":"reload_ext","name":"todo"}`: starts all extensions anew, or one. An addition of
    /// zeug.
    ReloadExt {
        /// Which; all when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// `{"type":"approve","tool_id":"c1","decision":"once"}`. An addition of zeug.
    Approve {
        /// The call, as `tool_confirmation_requested` names it.
        tool_id: String,
        /// The answer.
        decision: Consent,
    },
    /// `{"type":"get_trace"}`: the decisions about the last calls. An addition of zeug.
    GetTrace,
    /// `{"type":"ping"}`
    Ping,
    /// `{"type":"sessions","all":true,"search":"words"}`. An addition of zeug.
    Sessions {
        /// Those of all projects and of sub-agents, too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        all: Option<bool>,
        /// Words to be found in what was said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        search: Option<String>,
    },
    /// `{"type":"new_session"}`. An addition of zeug.
    NewSession,
    /// `{"type":"open_session","session":"0a1b2c3d","branch":"try"}`. An addition of zeug.
    OpenSession {
        /// Its id, the beginning of it, or its file.
        session: String,
        /// The branch on which to go on, by its name or id.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
        /// What is said now is not kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        read_only: Option<bool>,
        /// Go on with a copy of that branch.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fork: Option<bool>,
    },
    /// `{"type":"fork","entry":"18e1ca4","name":"try"}`: a new branch, before that message of the
    /// user or behind everything. An addition of zeug.
    Fork {
        /// A message's entry, as `tree` names it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entry: Option<String>,
        /// The new branch keeps that message, too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<bool>,
        /// What to call it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// `{"type":"switch_branch","branch":"try"}`. An addition of zeug.
    SwitchBranch {
        /// Its name or id.
        branch: String,
    },
    /// `{"type":"branches"}`. An addition of zeug.
    Branches,
    /// `{"type":"tree"}`. An addition of zeug.
    Tree,
    /// `{"type":"rename","title":"The parser"}`. An addition of zeug.
    Rename {
        /// The title; an empty one takes it away.
        title: String,
    },
    /// `{"type":"export","path":"parser.jsonl"}`. An addition of zeug.
    Export {
        /// The file, which must not exist.
        path: String,
    },
    /// `{"type":"import","path":"parser.jsonl"}`. An addition of zeug.
    Import {
        /// The file.
        path: String,
    },
    /// `{"type":"delete_session","session":"0a1b2c3d"}`. An addition of zeug.
    DeleteSession {
        /// Its id, or the beginning of it.
        session: String,
    },
}

/// `{"mime_type":"image/png","data":"iVBORw0K…"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptImage {
    /// For example `image/png`.
    pub mime_type: String,
    /// Standard base64 with padding.
    pub data: String,
}

/// The answer to a question about a tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Consent {
    /// This call may run.
    Once,
    /// This and every later call of this tool may run.
    Tool,
    /// This and every later call may run.
    Session,
    /// It may not run.
    No,
}

/// A line that is no request, with what is needed to say so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRequest {
    /// The `id`, when there was one to be read.
    pub id: Option<String>,
    /// The command's name; empty when it could not be read.
    pub command: String,
    /// What is wrong, and what to write instead.
    pub error: String,
}

impl Command {
    /// The names of all commands.
    pub const NAMES: [&str; 31] = [
        "hello",
        "prompt",
        "abort",
        "compact",
        "get_state",
        "get_messages",
        "clear",
        "set_model",
        "set_reasoning",
        "get_models",
        "get_commands",
        "ext_command",
        "slash",
        "ext_panel_key",
        "ext_panel_close",
        "ext_panel_resize",
        "reload_ext",
        "approve",
        "get_trace",
        "ping",
        "sessions",
        "new_session",
        "open_session",
        "fork",
        "switch_branch",
        "branches",
        "tree",
        "rename",
        "export",
        "import",
        "delete_session",
    ];

    /// The word on the wire.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hello { .. } => "hello",
            Self::Prompt { .. } => "prompt",
            Self::Abort => "abort",
            Self::Compact => "compact",
            Self::GetState => "get_state",
            Self::GetMessages => "get_messages",
            Self::Clear => "clear",
            Self::SetModel { .. } => "set_model",
            Self::SetReasoning { .. } => "set_reasoning",
            Self::GetModels => "get_models",
            Self::GetCommands => "get_commands",
            Self::ExtCommand { .. } => "ext_command",
            Self::Slash { .. } => "slash",
            Self::ExtPanelKey { .. } => "ext_panel_key",
            Self::ExtPanelClose { .. } => "ext_panel_close",
            Self::ExtPanelResize { .. } => "ext_panel_resize",
            Self::ReloadExt { .. } => "reload_ext",
            Self::Approve { .. } => "approve",
            Self::GetTrace => "get_trace",
            Self::Ping => "ping",
            Self::Sessions { .. } => "sessions",
            Self::NewSession => "new_session",
            Self::OpenSession { .. } => "open_session",
            Self::Fork { .. } => "fork",
            Self::SwitchBranch { .. } => "switch_branch",
            Self::Branches => "branches",
            Self::Tree => "tree",
            Self::Rename { .. } => "rename",
            Self::Export { .. } => "export",
            Self::Import { .. } => "import",
            Self::DeleteSession { .. } => "delete_session",
        }
    }
}

impl Request {
    /// Reads a line. Unknown fields are passed over, and `null` counts as absent.
    ///
    /// # Errors
    /// [`BadRequest`], for a response.
    pub fn parse(line: &[u8]) -> Result<Self, BadRequest> {
        let fields: Value = serde_json::from_slice(line)
            .map_err(|error| unreadable(format!("malformed JSON: {error}")))?;
        let Value::Object(mut fields) = fields else {
            let error = "a request is a JSON object such as {\"type\":\"ping\"}";
            return Err(unreadable(error.to_owned()));
        };
        let id = id(&mut fields);
        let (command, known) = name(&fields);
        let refuse = |id: Option<String>, error: String| BadRequest {
            id,
            command: command.clone(),
            error,
        };
        let id = id.map_err(|error| refuse(None, error))?;
        let command = known
            .and_then(|()| Command::deserialize(Value::Object(fields)).map_err(|e| e.to_string()))
            .map_err(|error| refuse(id.clone(), error))?;
        Ok(Self { id, command })
    }
}

fn unreadable(error: String) -> BadRequest {
    BadRequest {
        id: None,
        command: String::new(),
        error,
    }
}

fn id(fields: &mut Map<String, Value>) -> Result<Option<String>, String> {
    match fields.remove("id") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(id)) if id.len() <= ID_BYTES => Ok(Some(id)),
        Some(Value::String(id)) => Err(format!(
            "the id has {} bytes: use at most {ID_BYTES}",
            id.len()
        )),
        Some(_) => Err("the id must be a string, or absent".to_owned()),
    }
}

/// The command's name as far as there is one, and whether it is one of ours.
fn name(fields: &Map<String, Value>) -> (String, Result<(), String>) {
    let Some(name) = fields.get("type").and_then(Value::as_str) else {
        let error = "a request names its command: \"type\" must be a string";
        return (String::new(), Err(error.to_owned()));
    };
    let shown = text::one_line(name, NAME_BYTES);
    if Command::NAMES.contains(&name) {
        return (shown, Ok(()));
    }
    let near = suggest::nearest(name, Command::NAMES)
        .map(|near| format!(" (did you mean {near:?}?)"))
        .unwrap_or_default();
    let error = format!(
        "unknown command {shown:?}{near}; the commands are {}",
        Command::NAMES.join(", ")
    );
    (shown, Err(error))
}

#[cfg(test)]
mod tests;
