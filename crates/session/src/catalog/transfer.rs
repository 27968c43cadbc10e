//! Sessions that become files of their own: exports, imports, and forks into a new session.
//!
//! A copy gets ids of its own, so that an id of one session never means an entry of another. It
//! appears under its name when it is complete.

use std::collections::HashMap;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;
use zeug_stdx::json::RawJson;
use zeug_transcript::Timestamp;

use super::Catalog;
use crate::entry::{Body, Descent, FORMAT, Kind, Origin};
use crate::error::SessionError;
use crate::files;
use crate::journal::{Journal, NewSession};
use crate::tree::ForkAt;
use crate::view::{Rows, View};
use crate::{EntryId, row};

/// A copy of a session.
#[derive(Debug)]
pub struct Copied {
    /// The copy, open.
    pub journal: Journal,
    /// How many entries were too damaged to be copied.
    pub skipped: usize,
}

impl Catalog {
    /// Copies one branch, up to where `at` forks it, into a session of its own. The way to go on
    /// with a session that is open elsewhere.
    ///
    /// # Errors
    /// [`SessionError::NoEntry`], [`SessionError::NothingBefore`], [`SessionError::Io`].
    pub fn fork_to_new_file(
        &self,
        source: &View,
        at: ForkAt,
        cwd: &Path,
        now: Timestamp,
    ) -> Result<Copied, SessionError> {
        let last = source.fork_place(at)?;
        let mut places: Vec<u32> = source.index.chain(last).collect();
        places.reverse();
        let origin = Origin {
            session: source.id(),
            entry: Some(source.index.slot(last).id),
            how: Descent::Fork,
        };
        // One branch alone has no marks of branches.
        let left_out = |kind| matches!(kind, Kind::Branch | Kind::Switch);
        self.copy(source, &places, left_out, origin, cwd, now)
    }

    /// Takes over an exported session, with all its branches and under a new id.
    ///
    /// # Errors
    /// [`SessionError::NotASession`], [`SessionError::Newer`], [`SessionError::Io`].
    pub fn import(&self, from: &Path, cwd: &Path, now: Timestamp) -> Result<Copied, SessionError> {
        let source = View::open(from)?;
        if let Some(version) = source.meta().version.filter(|version| *version > FORMAT) {
            let path = from.to_owned();
            return Err(SessionError::Newer { path, version });
        }
        let places: Vec<u32> = (0..source.len() as u32).collect();
        let origin = Origin {
            session: source.id(),
            entry: None,
            how: Descent::Import,
        };
        self.copy(&source, &places, |_| false, origin, cwd, now)
    }

    fn copy(
        &self,
        source: &View,
        places: &[u32],
        left_out: impl Fn(Kind) -> bool,
        origin: Origin,
        cwd: &Path,
        now: Timestamp,
    ) -> Result<Copied, SessionError> {
        let facts = source.meta().clone();
        let session = NewSession {
            cwd: Some(cwd.to_string_lossy().into_owned()),
            provider: facts.provider,
            model: facts.model,
            title: facts.title,
            origin: Some(origin),
            ..NewSession::new()
        };
        let path = self.file(cwd, session.id, now);
        let mut copier = Copier::new(source, session, now)?;
        let mut sink = Sink::beside(&path)?;
        sink.put(&copier.out)?;
        for place in places.iter().copied() {
            copier.out.clear();
            copier.take(place, &left_out)?;
            sink.put(&copier.out)?;
        }
        sink.finish()?;
        Ok(Copied {
            journal: Journal::open(&path)?,
            skipped: copier.skipped,
        })
    }
}

impl View {
    /// Writes the session into a file for others, without the project directory. Returns how many
    /// entries were too damaged. What was said may still name files: that is the user's to decide.
    ///
    /// # Errors
    /// [`SessionError::Exists`], [`SessionError::Io`].
    pub fn export(&self, to: &Path) -> Result<usize, SessionError> {
        let mut sink = Sink::beside(to)?;
        let mut rows = Rows::of(&self.file);
        let mut skipped = 0;
        let mut out = Vec::new();
        for place in 0..self.len() as u32 {
            let slot = self.index.slot(place);
            let bytes = rows.bytes(slot);
            let bytes = bytes.map_err(SessionError::io(&self.path, "read the session"))?;
            let Ok(mut fields) = row::first_value::<row::Fields>(bytes) else {
                skipped += 1;
                continue;
            };
            if slot.kind == Kind::Meta {
                fields.remove("cwd");
            }
            out.clear();
            let parent = self.index.head(place).parent;
            row::rewrite(&mut out, fields, slot.id, parent).map_err(encode_error(&self.path))?;
            sink.put(&out)?;
        }
        sink.finish()?;
        Ok(skipped)
    }
}

/// Renames the entries of a source, one after the other.
struct Copier<'a> {
    source: &'a View,
    rows: Rows<'a>,
    seed: u64,
    number: u64,
    /// What stands for each slot of the source: its copy, or of one left out what it continues.
    copies: HashMap<u32, EntryId>,
    first: EntryId,
    out: Vec<u8>,
    skipped: usize,
}

impl<'a> Copier<'a> {
    /// Begins the copy with what is known of the new session.
    fn new(source: &'a View, session: NewSession, now: Timestamp) -> Result<Self, SessionError> {
        let seed = session.id.seed();
        let first = EntryId::new(1, seed);
        let mut out = Vec::new();
        row::encode(&mut out, first, None, now, &Body::Meta(session.meta()))
            .map_err(encode_error(&source.path))?;
        Ok(Self {
            source,
            rows: Rows::of(&source.file),
            seed,
            number: 2,
            copies: HashMap::new(),
            first,
            out,
            skipped: 0,
        })
    }

    fn take(&mut self, place: u32, left_out: &impl Fn(Kind) -> bool) -> Result<(), SessionError> {
        let slot = self.source.index.slot(place);
        let parent = self.copies.get(&slot.parent).copied().unwrap_or(self.first);
        self.copies.insert(place, parent);
        if matches!(slot.kind, Kind::Meta | Kind::Rename) || left_out(slot.kind) {
            return Ok(());
        }
        let bytes = self.rows.bytes(slot);
        let bytes = bytes.map_err(SessionError::io(&self.source.path, "read the session"))?;
        let Ok(mut fields) = row::first_value::<row::Fields>(bytes) else {
            self.skipped += 1;
            return Ok(());
        };
        if slot.kind == Kind::Compaction {
            self.point_to_copy(&mut fields);
        }
        let id = EntryId::new(self.number, self.seed);
        row::rewrite(&mut self.out, fields, id, Some(parent))
            .map_err(encode_error(&self.source.path))?;
        self.copies.insert(place, id);
        self.number += 1;
        Ok(())
    }

    /// The only entry that an entry names besides its parent.
    fn point_to_copy(&self, fields: &mut row::Fields) {
        const KEY: &str = "first_kept";
        let kept: Option<EntryId> = fields.get(KEY).and_then(|id| id.view().ok());
        let copy = kept
            .and_then(|id| self.source.index.find(id))
            .and_then(|place| self.copies.get(&place))
            .and_then(|id| RawJson::of(id).ok());
        if let Some(copy) = copy {
            fields.insert(KEY.to_owned(), copy);
        }
    }
}

fn encode_error(path: &Path) -> impl FnOnce(serde_json::Error) -> SessionError {
    move |cause| SessionError::Encode {
        path: path.to_owned(),
        cause,
    }
}

/// A file that appears under its name when it is complete.
struct Sink<'a> {
    path: &'a Path,
    file: BufWriter<NamedTempFile>,
}

impl<'a> Sink<'a> {
    fn beside(path: &'a Path) -> Result<Self, SessionError> {
        let dir = match path.parent() {
            Some(dir) if !dir.as_os_str().is_empty() => dir,
            _ => Path::new("."),
        };
        files::create_dir(dir).map_err(SessionError::io(dir, "create the directory"))?;
        let file = NamedTempFile::new_in(dir).map_err(SessionError::io(dir, "create a file"))?;
        Ok(Self {
            path,
            file: BufWriter::new(file),
        })
    }

    fn put(&mut self, text: &[u8]) -> Result<(), SessionError> {
        let written = self.file.write_all(text);
        written.map_err(SessionError::io(self.path, "write the session"))
    }

    fn finish(self) -> Result<(), SessionError> {
        let doing = "write the session";
        let file = self.file.into_inner();
        let file = file.map_err(|e| SessionError::io(self.path, doing)(e.into_error()))?;
        let synced = file.as_file().sync_all();
        synced.map_err(SessionError::io(self.path, doing))?;
        match file.persist_noclobber(self.path) {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => {
                let path = self.path.to_owned();
                Err(SessionError::Exists { path })
            }
            Err(error) => Err(SessionError::io(self.path, doing)(error.error)),
        }
    }
}
