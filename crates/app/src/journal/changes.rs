//! Another conversation takes the place of the open one: what can be refused is refused before the
//! running turn is given up, and the rest is done when that turn has settled.
//!
//! Blocks on the disk. Does not know the turn machine.

use std::path::Path;

use zeug_session::{Body, BranchId, ForkAt, SessionError};
use zeug_transcript::{Content, Message, Timestamp};

use super::book::Conversation;
use super::facts::entry;
use super::opening::find_branch;
use super::{Book, Desk, Opening, SessionInfo, SessionRefused};

/// A change that can be made.
pub(crate) enum Change {
    /// Another session, open already.
    Other(Box<Book>),
    /// A new branch of the open one.
    Fork { at: ForkAt, name: Option<String> },
    /// Another branch of the open one.
    Branch(BranchId),
}

/// What holds after a change.
pub(crate) struct Turned {
    pub(crate) session: SessionInfo,
    pub(crate) conversation: Conversation,
    /// What went wrong when the session that was left was closed: for the log.
    pub(crate) remark: Option<String>,
}

impl Desk {
    /// Another session: a new one, or an older one.
    pub(crate) fn other(&self, opening: &Opening) -> Result<Change, SessionRefused> {
        let to = "open sessions";
        let sessions = self.sessions.as_ref().ok_or(SessionRefused::Unkept(to))?;
        match sessions.book(opening) {
            Ok(book) => Ok(Change::Other(Box::new(book))),
            Err(SessionRefused::Session(SessionError::Locked { path, .. }))
                if self.has_open(&path) =>
            {
                let branch = opening.branch.as_deref().ok_or(SessionRefused::Already)?;
                let view = self.book.must_view(to)?;
                find_branch(view, branch).map(Change::Branch)
            }
            Err(refused) => Err(refused),
        }
    }

    /// A session from a file of somebody else, under an id of its own.
    pub(crate) fn imported(&self, from: &Path) -> Result<Change, SessionRefused> {
        let to = "import sessions";
        let sessions = self.sessions.as_ref().ok_or(SessionRefused::Unkept(to))?;
        let now = Timestamp::now();
        let copied = sessions.catalog.import(from, &sessions.cwd, now)?;
        Ok(Change::Other(Box::new(Book::written(copied.journal))))
    }

    /// A branch that leaves the active one: before or behind an entry, or behind the last one. A
    /// session that is only read is copied. With it what the user had said there.
    pub(crate) fn fork(
        &self,
        at: Option<&str>,
        after: bool,
        name: Option<String>,
    ) -> Result<(Change, Option<String>), SessionRefused> {
        let view = self.book.must_view("fork it")?;
        let mut said = None;
        let at = match at {
            None => ForkAt::After(view.tip()?),
            Some(at) => {
                let id = entry(at)?;
                let read = view.read(id)?;
                match (&read.body, after) {
                    (Body::Message(Message::User(user)), false) => {
                        said = Some(Content::joined(&user.content));
                        ForkAt::Before(id)
                    }
                    _ => ForkAt::After(id),
                }
            }
        };
        let change = match self.book.branch() {
            Some(_) => Change::Fork { at, name },
            None => {
                let sessions = self.sessions.as_ref();
                let sessions = sessions.ok_or(SessionRefused::Unkept("fork it"))?;
                Change::Other(Box::new(sessions.copy(view, at)?))
            }
        };
        Ok((change, said))
    }

    /// Another branch of the open session, by its name or id.
    pub(crate) fn branch(&mut self, wanted: &str) -> Result<Change, SessionRefused> {
        let journal = self.book.must_write("go on with another branch")?;
        find_branch(journal.view(), wanted).map(Change::Branch)
    }

    /// Makes the change. The turn that ran has settled and is written.
    pub(crate) fn turn_over(&mut self, change: Change) -> Result<Turned, SessionRefused> {
        let mut left = None;
        match change {
            Change::Other(book) => left = Some(std::mem::replace(&mut self.book, *book)),
            Change::Fork { at, name } => {
                let name = name.filter(|name| !name.trim().is_empty());
                self.book.must_write("fork it")?.fork(at, name)?;
            }
            Change::Branch(branch) => {
                self.book.must_write("switch branches")?.switch(branch)?;
            }
        }
        match self.taken_up() {
            Ok((session, conversation)) => Ok(Turned {
                session,
                conversation,
                remark: left
                    .and_then(|left| left.close().err())
                    .map(|e| e.to_string()),
            }),
            Err(error) => {
                // The conversation that the machine has stays the one that is written.
                if let Some(left) = left {
                    self.book = left;
                }
                Err(error.into())
            }
        }
    }

    fn taken_up(&mut self) -> Result<(SessionInfo, Conversation), SessionError> {
        let conversation = self.book.take_up()?;
        Ok((self.book.info()?, conversation))
    }
}
