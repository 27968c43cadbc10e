//! Sessions as they are shown: the open one, its branches, and those that there are.
//!
//! Plain values; who fills them in is not known here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeug_transcript::Timestamp;

use crate::Role;

/// The open session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionData {
    /// Its id.
    pub session_id: String,
    /// Its file, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its title, when it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The branch on which the work goes on; absent without a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<BranchData>,
    /// Whether what is said is kept.
    pub keeping: Keeping,
}

/// Whether what is said is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Keeping {
    /// It is written as it is said.
    Written,
    /// An older conversation is gone on with, and nothing new is written.
    ReadOnly,
    /// There is no file.
    Unkept,
}

/// A branch of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BranchData {
    /// Its id within the session.
    pub id: String,
    /// What the user calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The branch that it left; absent for the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// How many messages it shares with that one.
    pub fork_point: usize,
    /// How many messages it has.
    pub messages: usize,
    /// Whether the work goes on here.
    pub active: bool,
}

/// Data of `branches`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BranchesData {
    /// All of them, the oldest first.
    pub branches: Vec<BranchData>,
}

/// Data of `tree`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TreeData {
    /// All user messages of all branches, the oldest first.
    pub nodes: Vec<NodeData>,
}

/// A user message in its place among the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NodeData {
    /// Its entry, as `fork` takes it.
    pub entry: String,
    /// The user message before it, on whichever branch that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The branch it is on.
    pub branch: String,
    /// Whether the open conversation goes through it.
    pub active: bool,
    /// When it was said.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// The beginning of what was said, in one line.
    pub text: String,
}

/// Data of `fork`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForkData {
    /// The session, on its new branch.
    #[serde(flatten)]
    pub session: SessionData,
    /// What the user had said where the new branch leaves the old one: to be said in other words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Data of `sessions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionsData {
    /// The sessions, the one with the latest activity first.
    pub sessions: Vec<SummaryData>,
    /// Where the words stand that were searched for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hits: Vec<HitData>,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SummaryData {
    /// Its id.
    pub session_id: String,
    /// Its file.
    pub path: String,
    /// What to call it: its title, or how it began.
    pub label: String,
    /// The project directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The number of messages on all branches.
    pub messages: u64,
    /// When it began.
    #[schemars(with = "String")]
    pub created: Timestamp,
    /// When its last entry was written.
    #[schemars(with = "String")]
    pub last_activity: Timestamp,
    /// The size of its file.
    pub bytes: u64,
    /// The model that was last used, as `provider/model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The session that it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// How: `fork`, `import` or `subagent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
}

/// A place where the words stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HitData {
    /// The session.
    pub session_id: String,
    /// The message's entry.
    pub entry: String,
    /// Who said it.
    pub role: Role,
    /// When.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// The words with what stands around them, in one line.
    pub snippet: String,
}

/// Data of `export`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExportData {
    /// The file that was written.
    pub path: String,
}
