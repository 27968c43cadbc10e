//! What others are told about a session.

use std::path::PathBuf;

use zeug_engine::Refused;
use zeug_session::{Branch, Descent, EntryId, Node, SessionError, View};
use zeug_transcript::Timestamp;

/// Whether what is said is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// It is written as it is said.
    Written,
    /// An older conversation is shown and gone on with, and nothing new is written.
    ReadOnly,
    /// There is no file.
    Unkept,
}

/// The open session, as it was when it was opened or last changed as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionInfo {
    /// Its id.
    pub id: String,
    /// Its file, when there is one.
    pub path: Option<PathBuf>,
    /// Its title, when it has one.
    pub title: Option<String>,
    /// The branch on which the work goes on; `None` without a file.
    pub branch: Option<Branch>,
    /// A name for that branch which no branch of any session shares, fit for the name of a file:
    /// the session's id for its first branch. Extensions know a branch by it.
    pub branch_key: String,
    /// The same for the branch that it left, possibly in another session.
    pub parent_key: Option<String>,
    /// Whether what is said is kept.
    pub keeping: Keeping,
    /// How many messages the model is told.
    pub messages: usize,
}

impl SessionInfo {
    /// A conversation without a file.
    pub(super) fn unkept(id: String) -> Self {
        Self {
            branch_key: id.clone(),
            id,
            path: None,
            title: None,
            branch: None,
            parent_key: None,
            keeping: Keeping::Unkept,
            messages: 0,
        }
    }

    /// The active branch of a file.
    pub(super) fn of(view: &View, keeping: Keeping) -> Result<Self, SessionError> {
        let id = view.id().to_string();
        let branch = view.branch(view.active()?)?;
        let key = |branch: &Branch| match branch.parent {
            Some(_) => format!("{id}-{}", branch.id),
            None => id.clone(),
        };
        let parent_key = match branch.parent {
            Some(parent) => Some(key(&view.branch(parent)?)),
            None => {
                let origin = view.meta().origin.as_ref();
                let forked = origin.filter(|origin| origin.how == Descent::Fork);
                forked.map(|origin| origin.session.to_string())
            }
        };
        Ok(Self {
            branch_key: key(&branch),
            parent_key,
            path: Some(view.path().to_owned()),
            title: view.title().map(str::to_owned),
            messages: branch.messages,
            branch: Some(branch),
            keeping,
            id,
        })
    }
}

/// A fork that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forked {
    /// The session, on its new branch.
    pub session: SessionInfo,
    /// What the user had said where the fork leaves the other branch before it: to be said in
    /// other words.
    pub said: Option<String>,
}

/// A user message in its place among the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeNode {
    /// Where it stands.
    pub node: Node,
    /// When it was said.
    pub time: Timestamp,
    /// The beginning of what was said, in one line.
    pub text: String,
}

/// Why something was not done with a session. The conversation is as it was.
#[derive(Debug, thiserror::Error)]
pub enum SessionRefused {
    /// The session's file does not permit it.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// There is no file.
    #[error("this conversation is not kept (--no-session): start zeug without that flag to {0}")]
    Unkept(&'static str),
    /// The file is only read.
    #[error(
        "this session is open read-only: fork it into a session of its own, or open it again \
         without --read-only, to {0}"
    )]
    ReadOnly(&'static str),
    /// There is no such branch.
    #[error("this session has no branch {wanted:?}; its branches are {known}")]
    NoBranch {
        /// What was asked for.
        wanted: String,
        /// Those that there are.
        known: String,
    },
    /// There is no such entry.
    #[error("{0:?} names no entry: tree lists the messages at which a fork can begin")]
    NoEntry(String),
    /// It is the open one, and no other branch of it was asked for.
    #[error("this session is open already: choose another branch of it, or another session")]
    Already,
    /// It is the open one, which cannot be deleted.
    #[error("this is the open session: open another one or start a new one first")]
    Open,
    /// The turn machine did not take it on.
    #[error(transparent)]
    Engine(#[from] Refused),
    /// The thread that writes ended with an internal error.
    #[error("the session's writer is gone; the log says why. Start zeug again to go on")]
    Gone,
}

/// An entry by its name.
pub(super) fn entry(name: &str) -> Result<EntryId, SessionRefused> {
    name.trim()
        .parse()
        .map_err(|_| SessionRefused::NoEntry(name.to_owned()))
}
