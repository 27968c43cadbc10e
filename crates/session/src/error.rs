//! What can be wrong with a session: errors that stop an operation, and problems that do not.
//!
//! Decides nothing about either.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{BranchId, EntryId, SessionId};

/// Why something was not done. Nothing is half-written when one of these is returned.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Another handle writes this session.
    #[error(
        "{}: the session is open in another zeug{}; close it there, open it read-only, or fork it \
         into a session of its own",
        path.display(),
        pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
    )]
    Locked {
        /// The session's file.
        path: PathBuf,
        /// The process that holds it, where the system tells.
        pid: Option<u32>,
    },
    /// There is no readable entry in the file.
    #[error("{}: this is no session of zeug ({why}); choose another file", path.display())]
    NotASession {
        /// The file.
        path: PathBuf,
        /// What was found instead.
        why: String,
    },
    /// A newer zeug wrote it.
    #[error(
        "{}: written in format {version}, and this zeug writes format {}; update zeug, or open it \
         read-only",
        path.display(),
        crate::FORMAT
    )]
    Newer {
        /// The session's file.
        path: PathBuf,
        /// Its format.
        version: u32,
    },
    /// The operating system refused.
    #[error("{}: cannot {doing}: {cause}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was to be done.
        doing: &'static str,
        /// What the operating system said.
        #[source]
        cause: io::Error,
    },
    /// An earlier write could not be made safe.
    #[error(
        "{}: an earlier write failed and what is on disk is uncertain; open the session again",
        path.display()
    )]
    Uncertain {
        /// The session's file.
        path: PathBuf,
    },
    /// No such entry.
    #[error("{}: there is no entry {id}; the entries are those of `chain` and `tree`", path.display())]
    NoEntry {
        /// The session's file.
        path: PathBuf,
        /// The entry that was asked for.
        id: EntryId,
    },
    /// No such branch.
    #[error("{}: there is no branch {id}; the branches are those of `branches`", path.display())]
    NoBranch {
        /// The session's file.
        path: PathBuf,
        /// The branch that was asked for.
        id: BranchId,
    },
    /// Nothing lies before the first entry.
    #[error("{}: nothing is before entry {id}; fork behind it instead", path.display())]
    NothingBefore {
        /// The session's file.
        path: PathBuf,
        /// The first entry.
        id: EntryId,
    },
    /// An entry's row is damaged.
    #[error("{}: entry {id} is damaged ({why}); the other entries can be used", path.display())]
    Damaged {
        /// The session's file.
        path: PathBuf,
        /// The entry.
        id: EntryId,
        /// What the parser said.
        why: String,
    },
    /// An extension's state is too large to be kept.
    #[error(
        "state of extension {extension} has {bytes} bytes, the limit is {}; the last smaller state \
         stays: keep bulk in files of the extension",
        crate::STATE_BYTES
    )]
    StateTooLarge {
        /// The extension.
        extension: String,
        /// The size of its state.
        bytes: usize,
    },
    /// A value cannot be written as JSON.
    #[error("{}: the entry cannot be written as JSON: {cause}", path.display())]
    Encode {
        /// The session's file.
        path: PathBuf,
        /// What the encoder said.
        #[source]
        cause: serde_json::Error,
    },
    /// No session has such an id.
    #[error("no session's id begins with {wanted:?}; `zeug --resume` without an id lists them")]
    NoSession {
        /// What was asked for.
        wanted: String,
    },
    /// Several sessions have such an id.
    #[error("{} sessions have an id that begins with {wanted:?}; give more of it: {}", found.len(), listed(found))]
    Ambiguous {
        /// What was asked for.
        wanted: String,
        /// The sessions it could be.
        found: Vec<Located>,
    },
    /// A file is in the way.
    #[error("{}: the file exists and is not overwritten; choose another name or remove it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
}

impl SessionError {
    pub(crate) fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |cause| Self::Io {
            path: path.to_owned(),
            doing,
            cause,
        }
    }
}

/// A session and its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The session's id.
    pub id: SessionId,
    /// Its file.
    pub path: PathBuf,
}

fn listed(found: &[Located]) -> String {
    const SHOWN: usize = 8;
    let mut names: Vec<String> = found
        .iter()
        .take(SHOWN)
        .map(|f| format!("{} ({})", f.id, f.path.display()))
        .collect();
    if found.len() > SHOWN {
        names.push(format!("and {} more", found.len() - SHOWN));
    }
    names.join(", ")
}

/// Something in a session that is passed over. The bytes stay as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The session's file.
    pub file: Arc<Path>,
    /// Where the row begins, in bytes from the beginning of the file.
    pub at: u64,
    /// What is wrong.
    pub what: Trouble,
}

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It is no entry.
    NoEntry {
        /// What the parser said.
        why: String,
    },
    /// It is an entry, and its contents cannot be read.
    Damaged {
        /// The entry.
        id: EntryId,
        /// What the parser said.
        why: String,
    },
    /// Its parent is not there; it was taken to continue the row before it.
    LostParent {
        /// The entry.
        id: EntryId,
        /// The parent that is missing, if it names one.
        parent: Option<EntryId>,
    },
    /// The line break before it is damaged. It can be read.
    Merged {
        /// The entry.
        id: EntryId,
    },
    /// The last row was not written to its end and was taken away.
    Torn {
        /// How many bytes it had.
        bytes: u64,
    },
    /// The file system has no locks: nothing keeps a second zeug from writing.
    NoLock,
    /// More rows are wrong than are listed one by one.
    More {
        /// How many.
        count: u64,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, byte {}: ", self.file.display(), self.at)?;
        match &self.what {
            Trouble::NoEntry { why } => write!(f, "a row is no entry ({why}); it is passed over"),
            Trouble::Damaged { id, why } => {
                write!(f, "entry {id} is damaged ({why}); it is passed over")
            }
            Trouble::LostParent { id, parent } => {
                let what = match parent {
                    Some(parent) => format!("{parent}, which is lost"),
                    None => "nothing".to_owned(),
                };
                write!(
                    f,
                    "entry {id} continues {what}; it is taken to follow the row before it"
                )
            }
            Trouble::Merged { id } => write!(
                f,
                "the line break before entry {id} is damaged; the entry is used"
            ),
            Trouble::Torn { bytes } => write!(
                f,
                "the last row was not written to its end; its {bytes} bytes were removed"
            ),
            Trouble::NoLock => write!(
                f,
                "the file system has no locks; see to it that only one zeug uses the session"
            ),
            Trouble::More { count } => write!(f, "{count} more rows have problems"),
        }
    }
}

/// Problems in the order they were met.
///
/// # Limits
/// The first 100 are listed, the others counted: a file of rubbish must not fill the memory.
#[derive(Debug, Clone)]
pub(crate) struct Problems {
    file: Arc<Path>,
    listed: Vec<Problem>,
    more: u64,
}

impl Problems {
    const LISTED: usize = 100;

    pub(crate) fn new(file: Arc<Path>) -> Self {
        Self {
            file,
            listed: Vec::new(),
            more: 0,
        }
    }

    pub(crate) fn push(&mut self, at: u64, what: Trouble) {
        if self.listed.len() < Self::LISTED {
            self.listed.push(Problem {
                file: Arc::clone(&self.file),
                at,
                what,
            });
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn list(&self) -> Vec<Problem> {
        let mut all = self.listed.clone();
        if self.more > 0 {
            all.push(Problem {
                file: Arc::clone(&self.file),
                at: 0,
                what: Trouble::More { count: self.more },
            });
        }
        all
    }
}
