//! What the writing thread owns: the open book, those of sub-agents, and where sessions are.
//!
//! Blocks on the disk. Decides what of a failure the user is told; knows no turn and no face.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use zeug_engine::{Event, Trace};
use zeug_session::{Body, Branch, Decision, Meta, SessionError};
use zeug_stdx::json::RawJson;
use zeug_stdx::text;
use zeug_transcript::{Content, Message, Timestamp};

use super::late::Late;
use super::subagents::Subagents;
use super::{Book, Opened, SessionInfo, SessionRefused, Sessions, TreeNode};
use crate::task::Note;
use crate::trace;

/// The longest beginning of a message that a tree shows.
const TREE_BYTES: usize = 160;

/// An empty session of the last day may be one that somebody is about to speak in.
const DAY: Duration = Duration::from_secs(24 * 3600);

/// The owner of everything that is written.
pub(crate) struct Desk {
    pub(super) sessions: Option<Sessions>,
    pub(super) book: Book,
    late: Late,
    subagents: Subagents,
    /// How many announcements in a row could not be written.
    unwritten: u64,
}

impl Desk {
    pub(crate) fn new(sessions: Option<Sessions>, book: Book) -> Self {
        Self {
            sessions,
            book,
            late: Late::default(),
            subagents: Subagents::default(),
            unwritten: 0,
        }
    }

    /// Removes sessions of other days in which nothing was said: their zeug was killed.
    pub(crate) fn prune(&self) {
        if let Some(sessions) = &self.sessions {
            let removed = sessions.catalog.prune_empty(Timestamp::now() - DAY);
            if !removed.is_empty() {
                tracing::debug!(count = removed.len(), "empty sessions were removed");
            }
        }
    }

    /// Writes what is to be kept of an event; what the user should be told.
    pub(crate) fn record(&mut self, event: &Event) -> Option<String> {
        match self.late.record(&mut self.book, event) {
            Ok(true) => return None,
            Ok(false) => {}
            Err(error) => {
                return Some(format!(
                    "what an extension wanted to remember is not kept: {error}"
                ));
            }
        }
        match self.book.record(event) {
            Err(error) => {
                self.unwritten += 1;
                (self.unwritten == 1).then(|| trouble(&error))
            }
            Ok(()) if self.unwritten > 0 && matches!(event, Event::Appended(_)) => {
                let missing = std::mem::take(&mut self.unwritten);
                Some(format!(
                    "the session is written again; what was said meanwhile is missing in it \
                     ({missing} entries)"
                ))
            }
            Ok(()) => None,
        }
    }

    /// Writes what is to be kept of a sub-agent.
    pub(crate) fn note(&mut self, note: &Note) {
        self.subagents
            .record(&mut self.book, self.sessions.as_ref(), note);
    }

    /// Writes how it was decided about calls. What cannot be written is in the log: the user is
    /// told of a disk that fails when something is said.
    pub(crate) fn decided(&mut self, calls: Vec<Trace>) {
        let Ok(journal) = self.book.must_write("keep decisions") else {
            return;
        };
        for call in calls {
            let call = RawJson::of(&trace::kept(call)).map(|call| Decision { call });
            let written = match call {
                Ok(decision) => journal.append(Body::Decision(decision)).map(drop),
                Err(error) => {
                    tracing::error!(%error, "a decision has no row");
                    continue;
                }
            };
            if let Err(error) = written {
                tracing::warn!(%error, "a decision is not kept");
            }
        }
    }

    /// What each extension remembers in the open conversation.
    pub(crate) fn states(&self) -> BTreeMap<String, RawJson> {
        self.book.states()
    }

    /// Gives the open session a title; an empty one takes it away.
    pub(crate) fn rename(&mut self, title: &str) -> Result<SessionInfo, SessionRefused> {
        let title = text::one_line(title.trim(), TREE_BYTES);
        let journal = self.book.must_write("give it a title")?;
        journal.rename(title)?;
        Ok(self.book.info()?)
    }

    /// Takes note of another model.
    pub(crate) fn model(&mut self, provider: &str, model: &str) -> Result<(), SessionRefused> {
        let facts = Meta {
            provider: Some(provider.to_owned()),
            model: Some(model.to_owned()),
            ..Meta::default()
        };
        match self.book.must_write("take note of a model") {
            Ok(journal) => Ok(journal.append(Body::Meta(facts)).map(drop)?),
            // Nothing is written there anyway.
            Err(_) => Ok(()),
        }
    }

    /// All branches of the open session, the oldest first.
    pub(crate) fn branches(&self) -> Result<Vec<Branch>, SessionRefused> {
        Ok(self.book.must_view("have branches")?.branches())
    }

    /// All user messages of the open session, the oldest first.
    pub(crate) fn tree(&self) -> Result<Vec<TreeNode>, SessionRefused> {
        let view = self.book.must_view("have a tree")?;
        let mut nodes = Vec::new();
        for node in view.tree() {
            // One that is damaged cannot be forked at either.
            let Ok(entry) = view.read(node.entry) else {
                continue;
            };
            if let Body::Message(Message::User(said)) = entry.body {
                nodes.push(TreeNode {
                    node,
                    time: entry.time,
                    text: text::one_line(Content::joined(&said.content).trim(), TREE_BYTES),
                });
            }
        }
        Ok(nodes)
    }

    /// Writes the open session into a file for others.
    pub(crate) fn export(&mut self, to: &Path) -> Result<PathBuf, SessionRefused> {
        let view = self.book.must_view("export it")?;
        view.export(to)?;
        Ok(to.to_owned())
    }

    /// Whether the open session is the one in this file.
    pub(crate) fn has_open(&self, path: &Path) -> bool {
        self.book.view().is_some_and(|view| view.path() == path)
    }

    /// Ends the writing: what is not safe yet is made safe, and a session in which nothing was
    /// said is removed.
    pub(crate) fn close(&mut self) -> Result<(), SessionError> {
        self.subagents.close();
        let empty = Opened::unkept().book;
        std::mem::replace(&mut self.book, empty).close()
    }
}

fn trouble(error: &SessionError) -> String {
    format!(
        "the session is not kept: {error}. The conversation goes on, and is written again as soon as \
         that is possible: free space there"
    )
}
