//! The closed vocabularies of the events: who retries, who decided, how serious a note is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which layer tries a request again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RetryScope {
    /// The turn as a whole.
    Agent,
    /// The connection to the model.
    Provider,
}

/// What became of a permission question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The call may run.
    Approved,
    /// The call must not run.
    Denied,
    /// The turn ended before there was an answer.
    Cancelled,
}

impl Decision {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Denied => "denied",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Who answered a permission question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionSource {
    /// A person, just now.
    User,
    /// A person, earlier in this process.
    Remembered,
    /// A guard, a setting, or the lack of anybody to ask.
    Policy,
    /// The user wanted no questions at all.
    Yolo,
}

impl DecisionSource {
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

/// When a permission question was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionStage {
    /// Before the tool was entered.
    PreExecution,
    /// Inside the tool, which refused on its own.
    ToolExecution,
}

/// How serious a note of an extension is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteLevel {
    /// For information.
    Info,
    /// Good news.
    Success,
    /// A warning.
    Warn,
    /// An error.
    Error,
}
