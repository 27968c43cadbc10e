//! A session to read: its index in memory, its rows on disk until they are wanted.
//!
//! Does not write, and does not know what a model is told; that is `context`.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zeug_stdx::json::RawJson;
use zeug_transcript::Timestamp;

use crate::entry::{Body, Entry, Head, Kind, Meta};
use crate::error::{Located, Problem, SessionError, Trouble};
use crate::files::{self, read_some};
use crate::index::{Index, Slot};
use crate::{BranchId, EntryId, SessionId, row};

/// A session as it was when it was opened; within a [`Journal`](crate::Journal), as it is.
///
/// # Limits
/// In memory: some 50 bytes for each entry. What entries say is read when it is asked for.
#[derive(Debug)]
pub struct View {
    pub(crate) file: File,
    pub(crate) path: Arc<Path>,
    pub(crate) index: Index,
    id: SessionId,
    meta: Meta,
    /// Where it is looked from, when that is not the last entry.
    standing: Option<u32>,
}

impl View {
    /// Opens a session to read it, also while somebody writes it.
    ///
    /// # Errors
    /// [`SessionError::Io`], and [`SessionError::NotASession`] when no row of the file is an entry.
    pub fn open(path: &Path) -> Result<Self, SessionError> {
        let path = real(path)?;
        let file = files::open_read(&path).map_err(SessionError::io(&path, "open the session"))?;
        Self::of(file, path)
    }

    /// Reads the index of an open file.
    pub(crate) fn of(file: File, path: PathBuf) -> Result<Self, SessionError> {
        let path: Arc<Path> = path.into();
        let index = Index::read(&file, Arc::clone(&path))
            .map_err(SessionError::io(&path, "read the session"))?;
        if index.slots().is_empty() {
            return Err(SessionError::NotASession {
                path: path.to_path_buf(),
                why: "no row is an entry".to_owned(),
            });
        }
        Ok(Self::from_parts(file, path, index))
    }

    pub(crate) fn from_parts(file: File, path: Arc<Path>, index: Index) -> Self {
        let mut view = Self {
            file,
            path,
            index,
            id: SessionId::unknown(),
            meta: Meta::default(),
            standing: None,
        };
        view.read_meta();
        view
    }

    /// Reads the few rows that tell about the session as a whole.
    fn read_meta(&mut self) {
        let mut bodies = Vec::new();
        let mut damaged = Vec::new();
        let mut rows = Rows::single(&self.file);
        for slot in self.index.slots() {
            if matches!(slot.kind, Kind::Meta | Kind::Rename) {
                match rows.entry(slot) {
                    Ok(entry) => bodies.push(entry.body),
                    Err(why) => damaged.push((slot.at, Trouble::Damaged { id: slot.id, why })),
                }
            }
        }
        for (at, what) in damaged {
            self.index.problems.push(at, what);
        }
        for body in &bodies {
            self.learn(body);
        }
        self.id = self
            .meta
            .session
            .or_else(|| id_in_name(&self.path))
            .unwrap_or_else(SessionId::unknown);
    }

    /// Takes over what an entry says about the session as a whole.
    pub(crate) fn learn(&mut self, body: &Body) {
        self.meta.learn(body);
        if let Some(id) = self.meta.session {
            self.id = id;
        }
    }

    /// The session's id.
    #[must_use]
    pub fn id(&self) -> SessionId {
        self.id
    }

    /// The session's file, without symbolic links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The session's id and file.
    #[must_use]
    pub fn located(&self) -> Located {
        Located {
            id: self.id,
            path: self.path.to_path_buf(),
        }
    }

    /// The facts about the session, all records of them taken together.
    #[must_use]
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The title, when there is one.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.meta.title.as_deref()
    }

    /// What was passed over when the session was opened.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        self.index.problems.list()
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.slots().len()
    }

    /// The last decisions about calls, on any branch, oldest first; `max` at most. Damaged ones are
    /// passed over.
    #[must_use]
    pub fn decisions(&self, max: usize) -> Vec<(Timestamp, RawJson)> {
        let kept = |slot: &&Slot| slot.kind == Kind::Decision;
        let last = self.index.slots().iter().rev().filter(kept).take(max);
        let mut rows = Rows::single(&self.file);
        let mut decisions: Vec<_> = last
            .filter_map(|slot| match rows.entry(slot).ok()? {
                Entry {
                    time,
                    body: Body::Decision(decision),
                    ..
                } => Some((time, decision.call)),
                _ => None,
            })
            .collect();
        decisions.reverse();
        decisions
    }

    /// Whether nothing was said and no extension keeps a state: nobody would miss it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self
            .index
            .slots()
            .iter()
            .any(|slot| is_worth_keeping(slot.kind))
    }

    /// Looks from the tip of another branch, as if the work had gone on there: for whoever only
    /// reads.
    ///
    /// # Errors
    /// [`SessionError::NoBranch`].
    pub fn look_from(&mut self, branch: BranchId) -> Result<(), SessionError> {
        let (_, tip) = self.branch_places(branch)?;
        self.standing = Some(tip);
        Ok(())
    }

    /// The slot of the tip.
    pub(crate) fn here(&self) -> Option<u32> {
        self.standing.or_else(|| self.index.last())
    }

    /// The last entry of the active branch: where the work goes on.
    ///
    /// # Errors
    /// [`SessionError::NotASession`] when there is no entry, which an opened session has.
    pub fn tip(&self) -> Result<EntryId, SessionError> {
        let last = self.here().ok_or_else(|| SessionError::NotASession {
            path: self.path.to_path_buf(),
            why: "it is empty".to_owned(),
        })?;
        Ok(self.index.slot(last).id)
    }

    /// What the index knows about an entry.
    #[must_use]
    pub fn head(&self, id: EntryId) -> Option<Head> {
        self.index.find(id).map(|place| self.index.head(place))
    }

    /// `from` and everything it continues, newest first.
    ///
    /// # Errors
    /// [`SessionError::NoEntry`].
    pub fn chain(&self, from: EntryId) -> Result<impl Iterator<Item = Head>, SessionError> {
        let from = self.place(from)?;
        Ok(self.index.chain(from).map(|place| self.index.head(place)))
    }

    /// Reads an entry.
    ///
    /// # Errors
    /// [`SessionError::NoEntry`], and [`SessionError::Damaged`] when its row cannot be read.
    pub fn read(&self, id: EntryId) -> Result<Entry, SessionError> {
        let place = self.place(id)?;
        self.read_place(place)
    }

    pub(crate) fn read_place(&self, place: u32) -> Result<Entry, SessionError> {
        let slot = self.index.slot(place);
        match Rows::single(&self.file).entry(slot) {
            // The index knows better where a lost parent was replaced.
            Ok(entry) => Ok(Entry {
                parent: self.index.head(place).parent,
                ..entry
            }),
            Err(why) => Err(SessionError::Damaged {
                path: self.path.to_path_buf(),
                id: slot.id,
                why,
            }),
        }
    }

    /// The last `limit` entries of a kind that `wanted` likes, oldest first, of `from` and what it
    /// continues: a screenful. Damaged ones are left out.
    ///
    /// # Errors
    /// [`SessionError::NoEntry`].
    pub fn page(
        &self,
        from: EntryId,
        limit: usize,
        wanted: impl Fn(Kind) -> bool,
    ) -> Result<Vec<Entry>, SessionError> {
        let from = self.place(from)?;
        let mut page: Vec<Entry> = self
            .index
            .chain(from)
            .filter(|place| wanted(self.index.slot(*place).kind))
            .filter_map(|place| self.read_place(place).ok())
            .take(limit)
            .collect();
        page.reverse();
        Ok(page)
    }

    /// The number of messages on the way to `tip`.
    ///
    /// # Errors
    /// [`SessionError::NoEntry`].
    pub fn count_messages(&self, tip: EntryId) -> Result<usize, SessionError> {
        self.place(tip).map(|tip| self.messages_up_to(tip))
    }

    pub(crate) fn messages_up_to(&self, place: u32) -> usize {
        self.index
            .chain(place)
            .filter(|place| matches!(self.index.slot(*place).kind, Kind::Message(_)))
            .count()
    }

    pub(crate) fn place(&self, id: EntryId) -> Result<u32, SessionError> {
        self.index.find(id).ok_or_else(|| SessionError::NoEntry {
            path: self.path.to_path_buf(),
            id,
        })
    }
}

/// Entries without which a session counts as empty.
pub(crate) fn is_worth_keeping(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Message(_) | Kind::ExtensionState | Kind::Other | Kind::Compaction
    )
}

/// The place without symbolic links, so that one session has one lock and one name.
pub(crate) fn real(path: &Path) -> Result<PathBuf, SessionError> {
    path.canonicalize()
        .map_err(SessionError::io(path, "find the session"))
}

/// The id in `20260131-120000-0a1b2c3d.jsonl`, as far as it is there.
pub(crate) fn id_in_name(path: &Path) -> Option<SessionId> {
    let stem = path.file_stem()?.to_str()?;
    SessionId::from_short(stem.rsplit('-').next()?)
}

/// Reads rows; those that lie together with one call.
pub(crate) struct Rows<'a> {
    file: &'a File,
    window: Vec<u8>,
    at: u64,
    ahead: usize,
}

impl<'a> Rows<'a> {
    /// For rows in the order of the file: reads ahead.
    pub(crate) fn of(file: &'a File) -> Self {
        Self {
            ahead: 64 * 1024,
            ..Self::single(file)
        }
    }

    /// For rows here and there.
    pub(crate) fn single(file: &'a File) -> Self {
        Self {
            file,
            window: Vec::new(),
            at: 0,
            ahead: 0,
        }
    }

    /// The bytes of a row.
    pub(crate) fn bytes(&mut self, slot: &Slot) -> io::Result<&[u8]> {
        let len = usize::try_from(slot.len).map_err(io::Error::other)?;
        let inside = slot.at >= self.at && slot.at + slot.len <= self.at + self.window.len() as u64;
        if !inside {
            self.fill(slot.at, len)?;
        }
        let start = (slot.at - self.at) as usize;
        Ok(&self.window[start..start + len])
    }

    fn fill(&mut self, at: u64, len: usize) -> io::Result<()> {
        self.window.clear();
        self.window.resize(len.max(self.ahead), 0);
        self.at = at;
        let mut filled = 0;
        while filled < self.window.len() {
            match read_some(self.file, &mut self.window[filled..], at + filled as u64)? {
                0 => break,
                read => filled += read,
            }
        }
        self.window.truncate(filled);
        if filled < len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    /// A whole entry, or why it cannot be read.
    pub(crate) fn entry(&mut self, slot: &Slot) -> Result<Entry, String> {
        let bytes = self.bytes(slot).map_err(|error| error.to_string())?;
        row::decode(bytes).map_err(|error| error.to_string())
    }
}
