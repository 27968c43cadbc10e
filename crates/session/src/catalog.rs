//! Which sessions there are: found, listed, created and removed.
//!
//! `sessions/<hash of the project directory>/<UTC time>-<first characters of the id>.jsonl`. What
//! is said in a session is the business of [`View`](crate::View) and [`Journal`].

mod search;
mod sidecar;
mod summary;
mod transfer;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use zeug_transcript::Timestamp;

use crate::error::{Located, SessionError};
use crate::files::{self, Section};
use crate::journal::{Journal, NewSession};
use crate::lock::{self, Locking};
use crate::view::id_in_name;
use crate::{Body, SessionId, row};

pub use search::Hit;
pub use summary::Summary;
pub use transfer::Copied;

/// The ending of a session's file.
const ENDING: &str = "jsonl";

/// The most that a session has in which nothing was said: a few facts about it.
const VOID_BYTES: u64 = 16 * 1024;

/// The most that is read to find a session's id.
const FIRST_ROW_BYTES: u64 = 64 * 1024;

/// The sessions below one directory.
#[derive(Debug, Clone)]
pub struct Catalog {
    root: PathBuf,
}

/// Which sessions are wanted.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Those of this project directory; `None` wants those of all.
    pub cwd: Option<PathBuf>,
    /// Those of sub-agents, too.
    pub subagents: bool,
}

impl Filter {
    /// The sessions of one project directory, without those of sub-agents.
    #[must_use]
    pub fn of(cwd: &Path) -> Self {
        Self {
            cwd: Some(cwd.to_owned()),
            subagents: false,
        }
    }
}

/// The sessions that were wanted.
#[derive(Debug, Default)]
pub struct Listing {
    /// The sessions, the one with the latest activity first.
    pub sessions: Vec<Summary>,
    /// Files that could not be looked at.
    pub problems: Vec<SessionError>,
}

impl Catalog {
    /// The sessions below `root`, which need not exist.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The directory for the sessions of a project directory.
    #[must_use]
    pub fn bucket(&self, cwd: &Path) -> PathBuf {
        let hash = Sha256::digest(cwd.as_os_str().as_encoded_bytes());
        let name: String = hash.iter().take(8).map(|b| format!("{b:02x}")).collect();
        self.root.join(name)
    }

    /// The file for a session.
    #[must_use]
    pub fn file(&self, cwd: &Path, id: SessionId, now: Timestamp) -> PathBuf {
        let name = format!("{}-{}.{ENDING}", now.strftime("%Y%m%d-%H%M%S"), id.short());
        self.bucket(cwd).join(name)
    }

    /// Begins a session in a project directory.
    ///
    /// # Errors
    /// Those of [`Journal::create`].
    pub fn create(
        &self,
        cwd: &Path,
        session: NewSession,
        now: Timestamp,
    ) -> Result<Journal, SessionError> {
        let path = self.file(cwd, session.id, now);
        let cwd = cwd.to_string_lossy().into_owned();
        Journal::create(
            &path,
            NewSession {
                cwd: Some(cwd),
                ..session
            },
        )
    }

    /// The sessions that are wanted, the one with the latest activity first.
    #[must_use]
    pub fn list(&self, filter: &Filter) -> Listing {
        let mut listing = Listing::default();
        for bucket in self.buckets(filter, &mut listing.problems) {
            sidecar::summaries(&bucket, &mut listing);
        }
        listing
            .sessions
            .retain(|summary| filter.subagents || !summary.is_subagent());
        // By file name, which begins with the time, where the activity is the same.
        listing.sessions.sort_by(|a, b| {
            (b.last_activity, b.path.file_name()).cmp(&(a.last_activity, a.path.file_name()))
        });
        listing
    }

    /// The session to go on with in a project directory: the latest in which something was said.
    #[must_use]
    pub fn continue_latest(&self, cwd: &Path) -> Option<Located> {
        let sessions = self.list(&Filter::of(cwd)).sessions;
        let latest = sessions.into_iter().find(|s| s.messages > 0)?;
        Some(Located {
            id: latest.id,
            path: latest.path,
        })
    }

    /// The session with this id, or the only one whose id begins like this.
    ///
    /// # Errors
    /// [`SessionError::NoSession`], [`SessionError::Ambiguous`].
    pub fn find(&self, id: &str) -> Result<Located, SessionError> {
        let wanted = id.trim().to_ascii_lowercase();
        let mut found = Vec::new();
        if !wanted.is_empty() {
            for path in self.all_files() {
                let begins = |id: &SessionId| id.to_string().starts_with(&wanted);
                // Names alone rule out almost all, so that almost no file is opened.
                let short = id_in_name(&path).map(|id| id.short());
                if short.is_none_or(|s| s.starts_with(&wanted) || wanted.starts_with(&s)) {
                    let id = id_of(&path).filter(begins);
                    found.extend(id.map(|id| Located { id, path }));
                }
            }
        }
        let wanted = id.to_owned();
        match found.len() {
            0 => Err(SessionError::NoSession { wanted }),
            1 => Ok(found.remove(0)),
            _ => Err(SessionError::Ambiguous { wanted, found }),
        }
    }

    /// Gives a session that nobody writes a title.
    ///
    /// # Errors
    /// Those of [`Journal::open`] and [`Journal::rename`].
    pub fn rename(&self, path: &Path, title: &str) -> Result<(), SessionError> {
        let mut journal = Journal::open(path)?;
        journal.rename(title)?;
        journal.commit()
    }

    /// Removes a session that nobody writes, and the conversations of its sub-agents as far as
    /// nobody writes them.
    ///
    /// # Errors
    /// [`SessionError::Locked`], [`SessionError::Io`]. Nothing was removed then.
    pub fn delete(&self, session: &Located) -> Result<(), SessionError> {
        let children = self.subagents(session.id);
        self.delete_if(&session.path, |_| Ok(true))?;
        for child in children {
            let child = Located {
                id: child.id,
                path: child.path,
            };
            // One that stays is found by whoever looks for sub-agents.
            let _ = self.delete(&child);
        }
        Ok(())
    }

    /// The conversations of a session's own sub-agents, the first one first.
    #[must_use]
    pub fn subagents(&self, of: SessionId) -> Vec<Summary> {
        let all = Filter {
            cwd: None,
            subagents: true,
        };
        let mut sessions = self.list(&all).sessions;
        sessions.retain(|summary| {
            let origin = summary.origin.as_ref();
            summary.is_subagent() && origin.is_some_and(|origin| origin.session == of)
        });
        sessions.sort_by_key(|child| child.created);
        sessions
    }

    /// Removes the sessions in which nothing was said and which nobody writes. Returns them.
    ///
    /// Those that changed after `before` stay: one that another zeug just creates is not locked at
    /// first.
    #[must_use]
    pub fn prune_empty(&self, before: Timestamp) -> Vec<PathBuf> {
        let old = |path: &Path| {
            let Ok(meta) = path.metadata() else {
                return false;
            };
            let modified = meta.modified().ok().and_then(|at| at.try_into().ok());
            // A large one is not worth a look: something was said in it.
            meta.len() <= VOID_BYTES && modified.is_some_and(|at: Timestamp| at < before)
        };
        let mut removed = Vec::new();
        for path in self.all_files().into_iter().filter(|path| old(path)) {
            if matches!(self.delete_if(&path, summary::is_void), Ok(true)) {
                removed.push(path);
            }
        }
        removed
    }

    fn delete_if(
        &self,
        path: &Path,
        condition: impl FnOnce(&fs::File) -> io::Result<bool>,
    ) -> Result<bool, SessionError> {
        let doing = "remove the session";
        let file = files::open_append(path).map_err(SessionError::io(path, doing))?;
        if let Locking::Theirs(pid) = lock::take(&file).map_err(SessionError::io(path, doing))? {
            return Err(SessionError::Locked {
                path: path.to_owned(),
                pid,
            });
        }
        let remove = condition(&file).map_err(SessionError::io(path, doing))?;
        if remove {
            fs::remove_file(path).map_err(SessionError::io(path, doing))?;
        }
        Ok(remove)
    }

    fn buckets(&self, filter: &Filter, problems: &mut Vec<SessionError>) -> Vec<PathBuf> {
        if let Some(cwd) = &filter.cwd {
            return vec![self.bucket(cwd)];
        }
        match directories(&self.root) {
            Ok(buckets) => buckets,
            Err(cause) => {
                problems.push(SessionError::io(&self.root, "list the sessions")(cause));
                Vec::new()
            }
        }
    }

    fn all_files(&self) -> Vec<PathBuf> {
        let buckets = directories(&self.root).unwrap_or_default();
        let mut files: Vec<PathBuf> = buckets
            .iter()
            .flat_map(|bucket| session_files(bucket).unwrap_or_default())
            .collect();
        files.sort();
        files
    }
}

fn directories(root: &Path) -> io::Result<Vec<PathBuf>> {
    entries(root, |entry| {
        entry.file_type().is_ok_and(|kind| kind.is_dir())
    })
}

/// The sessions of one directory. A symbolic link is none: what it leads to is somebody else's.
fn session_files(bucket: &Path) -> io::Result<Vec<PathBuf>> {
    entries(bucket, |entry| {
        entry.file_type().is_ok_and(|kind| kind.is_file())
            && entry
                .path()
                .extension()
                .is_some_and(|ending| ending == ENDING)
    })
}

fn entries(dir: &Path, wanted: impl Fn(&fs::DirEntry) -> bool) -> io::Result<Vec<PathBuf>> {
    let list = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        list => list?,
    };
    let mut paths = Vec::new();
    for entry in list {
        let entry = entry?;
        if wanted(&entry) {
            paths.push(entry.path());
        }
    }
    Ok(paths)
}

/// The id that a file's first row states, else the one in its name.
fn id_of(path: &Path) -> Option<SessionId> {
    let stated = || {
        let file = files::open_read(path).ok()?;
        let bytes = Section::new(&file, 0, FIRST_ROW_BYTES).bytes().ok()?;
        let end = memchr::memchr(b'\n', &bytes)?;
        match row::decode(&bytes[..end]).ok()?.body {
            Body::Meta(meta) => meta.session,
            _ => None,
        }
    };
    stated().or_else(|| id_in_name(path))
}
