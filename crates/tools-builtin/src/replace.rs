//! Putting a file in place whole or not at all, for `write` and `edit`.
//!
//! The new content goes into a temporary file beside the old one, which is then renamed over it.
//! So a hard link to the old file keeps the old content, and access lists are not carried over;
//! the mode and, where the system allows it, the owner are. Does not know what the content means.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};
use tokio_util::sync::CancellationToken;

use crate::blocking;
use crate::failure::Failure;
use crate::place::Place;

/// The most symbolic links that are followed to a file; the limit of Linux.
const MAX_LINKS: usize = 40;

/// One change of files at a time in this process, so that two calls which change the same file
/// cannot undo each other. Waiting takes as long as the disk takes for the change before; nothing
/// waits for it in async code.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turn(Arc<Mutex<()>>);

impl Turn {
    pub(crate) fn take(&self) -> MutexGuard<'_, ()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file that is to be replaced or created.
#[derive(Debug)]
pub(crate) struct Target<'a> {
    place: &'a Place,
    /// Where the links end.
    path: PathBuf,
    /// What is there now.
    before: Option<Metadata>,
}

impl<'a> Target<'a> {
    /// Finds out what is at `place`, through symbolic links.
    pub(crate) fn at(place: &'a Place) -> Result<Self, Failure> {
        let io = |why| place.failure("write", why);
        if place.path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(is_directory(place));
        }
        let path = end_of_links(&place.path).map_err(io)?;
        let before = match path.metadata() {
            Ok(meta) if meta.is_dir() => return Err(is_directory(place)),
            Ok(meta) if !meta.is_file() => return Err(Failure::Special(place.shown.clone())),
            Ok(meta) => Some(meta),
            Err(why) if why.kind() == io::ErrorKind::NotFound => None,
            Err(why) => return Err(io(why)),
        };
        Ok(Self {
            place,
            path,
            before,
        })
    }

    /// The size of the file that is there now.
    pub(crate) fn len(&self) -> Option<u64> {
        self.before.as_ref().map(Metadata::len)
    }

    /// The content of the file that is there now.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Failure> {
        fs::read(&self.path).map_err(|why| self.place.failure("read", why))
    }

    /// Puts `bytes` there. When this fails, or `stop` is set in time, nothing was changed except
    /// that parent directories may have been created.
    pub(crate) fn put(self, bytes: &[u8], stop: &CancellationToken) -> Result<(), Failure> {
        blocking::go_on(stop)?;
        let io = |why| self.place.failure("write", why);
        let dir = self.path.parent().unwrap_or(Path::new("/"));
        if self.before.is_some() {
            // A rename would replace even a file that must not be written.
            OpenOptions::new()
                .append(true)
                .open(&self.path)
                .map_err(io)?;
        } else {
            fs::create_dir_all(dir)
                .map_err(|why| self.place.failure("create the directory of", why))?;
        }
        let mut file = temporary(dir)
            .map_err(|why| self.place.failure("create a temporary file beside", why))?;
        file.write_all(bytes).map_err(io)?;
        if let Some(before) = &self.before {
            keep_owner_and_mode(file.as_file(), before).map_err(io)?;
        }
        file.as_file().sync_data().map_err(io)?;
        blocking::go_on(stop)?;
        file.persist(&self.path).map_err(|why| io(why.error))?;
        Ok(())
    }
}

fn is_directory(place: &Place) -> Failure {
    Failure::Directory {
        shown: place.shown.clone(),
        next: "name a file in it".to_owned(),
    }
}

/// Follows the links of the last component, also to a file that does not exist yet.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("/")).join(next),
            // Not a link, or nothing there.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

#[cfg(unix)]
fn temporary(dir: &Path) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt as _;
    // What any new file gets; the umask is applied by the system.
    let mode = fs::Permissions::from_mode(0o666);
    Builder::new()
        .prefix(".zeug-")
        .permissions(mode)
        .tempfile_in(dir)
}

#[cfg(not(unix))]
fn temporary(dir: &Path) -> io::Result<NamedTempFile> {
    Builder::new().prefix(".zeug-").tempfile_in(dir)
}

#[cfg(unix)]
fn keep_owner_and_mode(file: &File, before: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let now = file.metadata()?;
    if (now.uid(), now.gid()) != (before.uid(), before.gid()) {
        // Only some may give a file away; then it belongs to whoever wrote it.
        drop(fchown(file, Some(before.uid()), Some(before.gid())));
    }
    // After the owner, because a change of owner takes set-user-id bits away.
    file.set_permissions(before.permissions())
}

#[cfg(not(unix))]
fn keep_owner_and_mode(file: &File, before: &Metadata) -> io::Result<()> {
    file.set_permissions(before.permissions())
}
