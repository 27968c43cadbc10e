//! Files and directories as sessions need them: private, read at a place, never half there.
//!
//! Does not know what is in them.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

/// What people say to a model is nobody else's business.
const FILE_MODE: u32 = 0o600;
const DIR_MODE: u32 = 0o700;

/// Creates a directory and those above it that are missing, for this user alone.
pub(crate) fn create_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(DIR_MODE)
        .create(path)
}

/// Creates a file that must not be there, to be read and to be appended to.
pub(crate) fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .append(true)
        .create_new(true)
        .mode(FILE_MODE)
        .open(path)
}

/// Opens a file to be read and to be appended to.
pub(crate) fn open_append(path: &Path) -> io::Result<File> {
    regular(path)?;
    OpenOptions::new().read(true).append(true).open(path)
}

/// Opens a file to be read.
pub(crate) fn open_read(path: &Path) -> io::Result<File> {
    regular(path)?;
    File::open(path)
}

/// Opening a pipe would wait for its other end, and a device has no length.
fn regular(path: &Path) -> io::Result<()> {
    if path.metadata()?.is_file() {
        Ok(())
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ))
    }
}

/// Makes sure that the names in a directory survive a loss of power.
pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Whether `path` still names the file that is open: it may have been deleted meanwhile.
pub(crate) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    Ok(match path.metadata() {
        Ok(there) => (open.dev(), open.ino()) == (there.dev(), there.ino()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(error),
    })
}

/// Some bytes at `at`; 0 at the end.
pub(crate) fn read_some(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    loop {
        match file.read_at(buffer, at) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// A part of a file, read without moving the file's own position.
pub(crate) struct Section<'a> {
    file: &'a File,
    at: u64,
    left: u64,
}

impl<'a> Section<'a> {
    pub(crate) fn new(file: &'a File, at: u64, len: u64) -> Self {
        Self {
            file,
            at,
            left: len,
        }
    }

    /// All of it.
    pub(crate) fn bytes(mut self) -> io::Result<Vec<u8>> {
        let mut all = Vec::with_capacity(usize::try_from(self.left).unwrap_or(0));
        self.read_to_end(&mut all)?;
        Ok(all)
    }
}

impl Read for Section<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let read = read_some(self.file, &mut buffer[..most], self.at)?;
        self.at += read as u64;
        self.left -= read as u64;
        Ok(read)
    }
}
