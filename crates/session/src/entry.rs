//! What a session consists of: entries and what they say.
//!
//! Does not know how an entry becomes a line of a file; that is `row`.

use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;
use zeug_transcript::{Message, Timestamp, Usage};

use crate::{EntryId, SessionId};

/// The version of the format that this crate writes.
pub const FORMAT: u32 = 1;

/// The largest state of one extension that is kept (spec: 256 KiB).
pub const STATE_BYTES: usize = 256 * 1024;

/// What sort of entry it is, as the index knows it without reading the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// [`Body::Meta`].
    Meta,
    /// [`Body::Message`].
    Message(Role),
    /// [`Body::Usage`].
    Usage,
    /// [`Body::ExtensionState`].
    ExtensionState,
    /// [`Body::ActivatedTools`].
    ActivatedTools,
    /// [`Body::Compaction`].
    Compaction,
    /// [`Body::Rename`].
    Rename,
    /// [`Body::Clear`].
    Clear,
    /// [`Body::Decision`].
    Decision,
    /// [`Body::Branch`].
    Branch,
    /// [`Body::Switch`].
    Switch,
    /// [`Body::Other`].
    Other,
}

/// Who said a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool.
    Tool,
}

impl Role {
    /// The role in which `message` speaks.
    #[must_use]
    pub fn of(message: &Message) -> Self {
        match message {
            Message::User(_) => Self::User,
            Message::Assistant(_) => Self::Assistant,
            Message::Tool(_) => Self::Tool,
        }
    }
}

/// One entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its id.
    pub id: EntryId,
    /// The entry that it continues; `None` for the first one.
    pub parent: Option<EntryId>,
    /// When it was written.
    pub time: Timestamp,
    /// What it says.
    pub body: Body,
}

/// An entry as the index knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Its id.
    pub id: EntryId,
    /// The entry that it continues; `None` for the first one.
    pub parent: Option<EntryId>,
    /// What sort it is.
    pub kind: Kind,
    /// The length of its row.
    pub bytes: u64,
}

/// What an entry says.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Facts about the session; later ones amend earlier ones.
    Meta(Meta),
    /// A message.
    Message(Message),
    /// Tokens that were used.
    Usage(UsageRecord),
    /// What an extension wants to remember on this branch; `null` forgets it.
    ExtensionState(ExtensionState),
    /// Deferred tools that are available from here on.
    ActivatedTools(ActivatedTools),
    /// A summary stands for what was before.
    Compaction(Compaction),
    /// The session has another title.
    Rename(Rename),
    /// The model forgets everything before.
    Clear,
    /// How it was decided about a call. The model is not told.
    Decision(Decision),
    /// A branch begins: this entry's parent is where it leaves another branch.
    Branch(BranchMark),
    /// The work goes on at this entry's parent, the tip of an older branch.
    Switch,
    /// Something that this version does not know. Kept, and passed over.
    Other(Other),
}

impl Body {
    /// The kind, as the index has it.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Meta(_) => Kind::Meta,
            Self::Message(message) => Kind::Message(Role::of(message)),
            Self::Usage(_) => Kind::Usage,
            Self::ExtensionState(_) => Kind::ExtensionState,
            Self::ActivatedTools(_) => Kind::ActivatedTools,
            Self::Compaction(_) => Kind::Compaction,
            Self::Rename(_) => Kind::Rename,
            Self::Clear => Kind::Clear,
            Self::Decision(_) => Kind::Decision,
            Self::Branch(_) => Kind::Branch,
            Self::Switch => Kind::Switch,
            Self::Other(_) => Kind::Other,
        }
    }
}

/// Facts about a session. What is absent says nothing: the fact of an earlier record holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Meta {
    /// The session's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// The version of the format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The project directory, for people: bytes that are no text are replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The key of the provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The model's name at its provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The session that this one came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
}

impl Meta {
    /// Takes over what an entry says about the session as a whole.
    pub(crate) fn learn(&mut self, body: &Body) {
        match body {
            Body::Meta(meta) => self.amend(meta.clone()),
            Body::Rename(rename) => {
                self.title = Some(rename.title.clone()).filter(|title| !title.is_empty());
            }
            _ => {}
        }
    }

    fn amend(&mut self, later: Self) {
        let Self {
            session,
            version,
            cwd,
            provider,
            model,
            title,
            origin,
        } = later;
        // The first id stays: events and file names already carry it.
        self.session = self.session.take().or(session);
        self.version = self.version.max(version);
        self.cwd = cwd.or(self.cwd.take());
        self.provider = provider.or(self.provider.take());
        self.model = model.or(self.model.take());
        self.title = title.or(self.title.take());
        self.origin = origin.or(self.origin.take());
    }
}

/// Where a session came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The session that was there before.
    pub session: SessionId,
    /// The entry at which it was left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryId>,
    /// How this one came of it.
    pub how: Descent,
}

/// How one session came of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Descent {
    /// A copy of one branch, to go on with.
    Fork,
    /// A copy that came from outside.
    Import,
    /// The conversation of a sub-agent. Not listed unless asked for.
    Subagent,
}

/// Tokens that were used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct UsageRecord {
    /// Of one request.
    pub usage: Usage,
    /// Of everything on this branch so far.
    pub cumulative: Usage,
}

/// What an extension wants to remember.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtensionState {
    /// The extension's manifest name.
    pub extension: String,
    /// Its state, opaque; `null` forgets it.
    pub state: RawJson,
}

/// Deferred tools that are available from here on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivatedTools {
    /// Their names. Earlier ones stay available.
    pub tools: Vec<String>,
}

/// A summary that stands for what was before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compaction {
    /// What the model is told instead, word for word.
    pub summary: String,
    /// The first message that it still sees as it was; `None` when it sees none.
    #[serde(default)]
    pub first_kept: Option<EntryId>,
    /// How many messages the summary stands for.
    #[serde(default)]
    pub covers_messages: u64,
    /// The estimated size of the context before, in tokens.
    #[serde(default)]
    pub tokens_before: u64,
}

/// How it was decided about a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The call and what was decided, opaque here.
    pub call: RawJson,
}

/// Another title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rename {
    /// The title; empty takes it away.
    pub title: String,
}

/// The beginning of a branch.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BranchMark {
    /// What the user calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// An entry of a kind that this version does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Other {
    /// Its kind.
    pub kind: String,
    /// A JSON object of its other fields.
    pub fields: RawJson,
}
