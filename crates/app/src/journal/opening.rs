//! The session that a run begins with: a new one, or an older one to go on with.
//!
//! Blocks on the disk. Does not know how it was asked for.

use std::fmt;
use std::path::{Path, PathBuf};

use zeug_session::{
    Branch, BranchId, Catalog, ForkAt, Journal, Located, NewSession, SessionError, SessionId, View,
};
use zeug_transcript::Timestamp;

use super::book::Conversation;
use super::{Book, SessionInfo, SessionRefused};

/// Where the sessions are, and those of which project are meant.
#[derive(Debug, Clone)]
pub struct Sessions {
    /// All of them.
    pub catalog: Catalog,
    /// The project directory.
    pub cwd: PathBuf,
}

/// Which session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// A new one.
    New,
    /// The project's latest in which something was said; a new one when there is none.
    Latest,
    /// The one with this id, or whose id begins like this.
    Id(String),
    /// The one in this file; a new one there when there is no such file.
    File(PathBuf),
}

impl Wanted {
    /// What somebody typed: an id, or a file when it looks like one.
    #[must_use]
    pub fn named(word: &str) -> Self {
        if word.contains(std::path::MAIN_SEPARATOR) || word.ends_with(".jsonl") {
            Self::File(word.into())
        } else {
            Self::Id(word.to_owned())
        }
    }
}

/// What is done with an older session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Access {
    /// It is gone on with.
    #[default]
    Write,
    /// It is read; what is said now is not kept.
    ReadOnly,
    /// A copy of its branch is gone on with, also when another zeug has it open.
    Fork,
}

/// The session that is wanted.
#[derive(Debug, Clone)]
pub struct Opening {
    /// Which.
    pub wanted: Wanted,
    /// What is done with it.
    pub access: Access,
    /// The branch on which to go on, by name or id; the one last worked on when absent.
    pub branch: Option<String>,
    /// The provider's key, for a new session.
    pub provider: String,
    /// The model's name, for a new session.
    pub model: String,
}

/// An open session, with the conversation in it.
pub struct Opened {
    pub(crate) book: Book,
    pub(crate) conversation: Conversation,
    pub(crate) info: SessionInfo,
    pub(crate) sessions: Option<Sessions>,
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened")
            .field("sessions", &self.sessions)
            .finish_non_exhaustive()
    }
}

impl Opened {
    /// A conversation that is kept nowhere.
    #[must_use]
    pub fn unkept() -> Self {
        let id = SessionId::random();
        Self {
            book: Book::unkept(id),
            info: SessionInfo::unkept(id.to_string()),
            conversation: Conversation::default(),
            sessions: None,
        }
    }
}

impl Sessions {
    /// Opens the session that is wanted.
    ///
    /// # Errors
    /// [`SessionRefused`]. Nothing was changed then.
    pub fn open(self, opening: &Opening) -> Result<Opened, SessionRefused> {
        let mut book = self.book(opening)?;
        let conversation = book.take_up()?;
        Ok(Opened {
            info: book.info()?,
            book,
            conversation,
            sessions: Some(self),
        })
    }

    pub(super) fn book(&self, opening: &Opening) -> Result<Book, SessionRefused> {
        let path = match &opening.wanted {
            Wanted::New => None,
            Wanted::Latest => self.catalog.continue_latest(&self.cwd).map(|it| it.path),
            Wanted::Id(id) => Some(self.find(id)?.path),
            Wanted::File(path) if !path.exists() => {
                let session = self.new_session(opening);
                return Ok(Book::written(Journal::create(path, session)?));
            }
            Wanted::File(path) => Some(path.clone()),
        };
        match path {
            Some(path) => self.older(&path, opening),
            None => {
                let session = self.new_session(opening);
                let now = Timestamp::now();
                Ok(Book::written(self.catalog.create(&self.cwd, session, now)?))
            }
        }
    }

    /// The session with this id; of several that begin like this, the one of this project.
    pub(super) fn find(&self, id: &str) -> Result<Located, SessionError> {
        self.catalog.find(id)
    }

    fn new_session(&self, opening: &Opening) -> NewSession {
        NewSession {
            cwd: Some(self.cwd.to_string_lossy().into_owned()),
            provider: Some(opening.provider.clone()),
            model: Some(opening.model.clone()),
            ..NewSession::new()
        }
    }

    fn older(&self, path: &Path, opening: &Opening) -> Result<Book, SessionRefused> {
        match opening.access {
            Access::Write => {
                let mut journal = Journal::open(path)?;
                if let Some(wanted) = &opening.branch {
                    let branch = find_branch(journal.view(), wanted)?;
                    journal.switch(branch)?;
                }
                Ok(Book::written(journal))
            }
            Access::ReadOnly => Ok(Book::read_only(at_branch(path, opening)?)),
            Access::Fork => {
                let source = at_branch(path, opening)?;
                let at = ForkAt::After(source.tip()?);
                self.copy(&source, at)
            }
        }
    }

    /// A session of its own with everything up to there.
    pub(super) fn copy(&self, source: &View, at: ForkAt) -> Result<Book, SessionRefused> {
        let now = Timestamp::now();
        let copied = self.catalog.fork_to_new_file(source, at, &self.cwd, now)?;
        Ok(Book::written(copied.journal))
    }
}

fn at_branch(path: &Path, opening: &Opening) -> Result<View, SessionRefused> {
    let mut view = View::open(path)?;
    if let Some(wanted) = &opening.branch {
        let branch = find_branch(&view, wanted)?;
        view.look_from(branch)?;
    }
    Ok(view)
}

/// A branch by its name or id.
///
/// # Errors
/// [`SessionRefused::NoBranch`].
pub fn find_branch(view: &View, wanted: &str) -> Result<BranchId, SessionRefused> {
    let branches = view.branches();
    let is_it = |branch: &&Branch| {
        branch.name.as_deref() == Some(wanted) || branch.id.to_string() == wanted
    };
    // Of branches with one name the youngest is meant.
    if let Some(found) = branches.iter().rev().find(is_it) {
        return Ok(found.id);
    }
    let said = |branch: &Branch| match &branch.name {
        Some(name) => format!("{name} ({})", branch.id),
        None => branch.id.to_string(),
    };
    let known: Vec<String> = branches.iter().map(said).collect();
    Err(SessionRefused::NoBranch {
        wanted: wanted.to_owned(),
        known: known.join(", "),
    })
}
