//! A session to write: entries go to the end of its file, whole rows at a time.
//!
//! Earlier bytes are never changed; only a row that was not written to its end is taken away.
//! All calls block on the disk: an asynchronous caller keeps the journal on a thread of its own.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use zeug_transcript::Timestamp;

use crate::entry::{Body, BranchMark, FORMAT, Rename};
use crate::error::{SessionError, Trouble};
use crate::files;
use crate::index::{Index, Tail};
use crate::lock::{self, Locking};
use crate::tree::ForkAt;
use crate::view::{View, real};
use crate::{BranchId, EntryId};

mod begin;
mod write;

pub use begin::NewSession;
use write::Onto;

/// What became of a session's file when it was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    /// It stays.
    Kept,
    /// Nothing had been said, and it was removed.
    Removed,
}

/// The one writer of a session. The lock goes with it, however its process ends.
///
/// # Order
/// An entry appended is safe from the end of this process; after [`commit`](Self::commit) it is
/// safe from a loss of power.
#[derive(Debug)]
pub struct Journal {
    view: View,
    /// What ids of entries are drawn from.
    seed: u64,
    clock: fn() -> Timestamp,
    /// Set when it is unknown what is on disk.
    uncertain: bool,
    /// Whether the name of the file is safe from a loss of power.
    named: bool,
    dirty: bool,
}

impl Journal {
    /// Creates a session at `path`, which must not exist, with the directories above it.
    ///
    /// # Errors
    /// [`SessionError::Exists`], [`SessionError::Io`].
    pub fn create(path: &Path, session: NewSession) -> Result<Self, SessionError> {
        if let Some(dir) = path.parent() {
            files::create_dir(dir).map_err(SessionError::io(dir, "create the directory"))?;
        }
        let file = files::create_new(path).map_err(|cause| match cause.kind() {
            io::ErrorKind::AlreadyExists => SessionError::Exists {
                path: path.to_owned(),
            },
            _ => SessionError::io(path, "create the session")(cause),
        })?;
        let path: Arc<Path> = real(path)?.into();
        let mut index = Index::empty(Arc::clone(&path));
        lock(&file, &path, &mut index)?;
        let seed = session.id.seed();
        let mut journal = Self::over(View::from_parts(file, path, index), seed, false);
        match journal.append(Body::Meta(session.meta())) {
            Ok(_) => Ok(journal),
            Err(error) => {
                // A file without an entry is no session; nothing is lost with it.
                let _ = std::fs::remove_file(&journal.view.path);
                Err(error)
            }
        }
    }

    /// Opens a session to go on with it. A row at the end that was not written to its end goes;
    /// everything else stays, whatever state it is in.
    ///
    /// # Errors
    /// [`SessionError::Locked`] when somebody writes it, [`SessionError::NotASession`] when there
    /// is no entry in it, [`SessionError::Newer`], [`SessionError::Io`].
    pub fn open(path: &Path) -> Result<Self, SessionError> {
        let path = real(path)?;
        let file =
            files::open_append(&path).map_err(SessionError::io(&path, "open the session"))?;
        let mut locking = Index::empty(path.clone().into());
        lock(&file, &path, &mut locking)?;
        let mut view = View::of(file, path.clone())?;
        for problem in locking.problems.list() {
            view.index.problems.push(problem.at, problem.what);
        }
        if let Some(version) = view.meta().version.filter(|version| *version > FORMAT) {
            return Err(SessionError::Newer { path, version });
        }
        let seed = view.id().seed();
        let mut journal = Self::over(view, seed, true);
        journal.mend_tail()?;
        Ok(journal)
    }

    fn over(view: View, seed: u64, named: bool) -> Self {
        Self {
            view,
            seed,
            clock: Timestamp::now,
            uncertain: false,
            named,
            dirty: true,
        }
    }

    /// The same journal with another clock, for tests and replays.
    #[must_use]
    pub fn with_clock(self, clock: fn() -> Timestamp) -> Self {
        Self { clock, ..self }
    }

    /// Everything that can be read.
    #[must_use]
    pub fn view(&self) -> &View {
        &self.view
    }

    fn mend_tail(&mut self) -> Result<(), SessionError> {
        let index = &mut self.view.index;
        let done = match index.tail {
            Tail::Clean => return Ok(()),
            Tail::Unended => {
                index.end += 1;
                self.view.file.write_all(b"\n")
            }
            Tail::Torn(bytes) => {
                index.problems.push(index.end, Trouble::Torn { bytes });
                self.view.file.set_len(index.end)
            }
        };
        index.tail = Tail::Clean;
        done.map_err(SessionError::io(&self.view.path, "mend the last row"))
    }

    /// Appends an entry to the active branch.
    ///
    /// # Errors
    /// [`SessionError::StateTooLarge`], [`SessionError::NoEntry`] for a compaction that keeps an
    /// entry which is not on the branch, [`SessionError::Encode`], [`SessionError::Io`],
    /// [`SessionError::Uncertain`]. Nothing was written then.
    pub fn append(&mut self, body: Body) -> Result<EntryId, SessionError> {
        self.append_all([body])
    }

    /// Appends several entries with one write, each continuing the one before: a state and the
    /// result it came with, for example. The last one's id.
    ///
    /// # Errors
    /// Those of [`append`](Self::append).
    pub fn append_all(
        &mut self,
        bodies: impl IntoIterator<Item = Body>,
    ) -> Result<EntryId, SessionError> {
        let rows: Vec<_> = bodies.into_iter().map(|body| (Onto::Last, body)).collect();
        self.write(&rows)?;
        self.view.tip()
    }

    /// Appends an entry to a branch that need not be the active one, and leaves the active one
    /// active: for what comes late.
    ///
    /// # Errors
    /// [`SessionError::NoBranch`], and those of [`append`](Self::append).
    pub fn append_on(&mut self, branch: BranchId, body: Body) -> Result<EntryId, SessionError> {
        let (_, tip) = self.view.branch_places(branch)?;
        match self.view.index.last() {
            Some(active) if active != tip => {
                // Here and back in one write: the last row of the file is where the work goes on.
                self.write(&[(Onto::Slot(tip), body), (Onto::Slot(active), Body::Switch)])
            }
            _ => self.append(body),
        }
    }

    /// Makes everything appended so far safe from a loss of power.
    ///
    /// # Errors
    /// [`SessionError::Io`]. From then on the journal refuses to write: after a failed sync nobody
    /// knows what is on disk, and the next one may succeed falsely.
    pub fn commit(&mut self) -> Result<(), SessionError> {
        self.sure()?;
        if !self.dirty {
            return Ok(());
        }
        self.sync().map_err(|cause| {
            self.uncertain = true;
            SessionError::io(&self.view.path, "make the session safe on disk")(cause)
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        self.view.file.sync_data()?;
        if !self.named {
            // The directory may be as new as the file.
            for dir in self.view.path.ancestors().skip(1).take(2) {
                match files::sync_dir(dir) {
                    // One that may be used and not be listed was not made here.
                    Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
                    done => done?,
                }
            }
            self.named = true;
        }
        self.dirty = false;
        Ok(())
    }

    /// Begins a branch and makes it the active one.
    ///
    /// # Errors
    /// [`SessionError::NoEntry`], [`SessionError::NothingBefore`], and those of
    /// [`append`](Self::append).
    pub fn fork(&mut self, at: ForkAt, name: Option<String>) -> Result<BranchId, SessionError> {
        let place = self.view.fork_place(at)?;
        let mark = Body::Branch(BranchMark { name });
        self.write(&[(Onto::Slot(place), mark)]).map(BranchId)
    }

    /// Makes a branch the active one.
    ///
    /// # Errors
    /// [`SessionError::NoBranch`], and those of [`append`](Self::append).
    pub fn switch(&mut self, branch: BranchId) -> Result<EntryId, SessionError> {
        let (_, tip) = self.view.branch_places(branch)?;
        if self.view.index.last() == Some(tip) {
            return Ok(self.view.index.slot(tip).id);
        }
        self.write(&[(Onto::Slot(tip), Body::Switch)])
    }

    /// Gives the session a title; an empty one takes it away.
    ///
    /// # Errors
    /// Those of [`append`](Self::append).
    pub fn rename(&mut self, title: impl Into<String>) -> Result<EntryId, SessionError> {
        let title = title.into();
        self.append(Body::Rename(Rename { title }))
    }

    /// Ends the writing. A session in which nothing was said is removed.
    ///
    /// # Errors
    /// [`SessionError::Io`], [`SessionError::Uncertain`].
    pub fn close(mut self) -> Result<Closed, SessionError> {
        if self.view.is_empty() {
            std::fs::remove_file(&self.view.path).map_err(SessionError::io(
                &self.view.path,
                "remove the empty session",
            ))?;
            return Ok(Closed::Removed);
        }
        self.commit()?;
        Ok(Closed::Kept)
    }
}

/// Takes the lock and makes sure that the file is still the one of that name.
fn lock(file: &File, path: &Path, index: &mut Index) -> Result<(), SessionError> {
    match lock::take(file).map_err(SessionError::io(path, "lock the session"))? {
        Locking::Ours => {}
        Locking::None => index.problems.push(0, Trouble::NoLock),
        Locking::Theirs(pid) => {
            return Err(SessionError::Locked {
                path: path.to_owned(),
                pid,
            });
        }
    }
    let there = files::is_at(file, path).map_err(SessionError::io(path, "look at the session"))?;
    if there {
        Ok(())
    } else {
        let gone = io::Error::new(io::ErrorKind::NotFound, "it was deleted meanwhile");
        Err(SessionError::io(path, "open the session")(gone))
    }
}
