//! Records that are never half-written: one writer at a time, and a file is replaced whole.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::CatalogError;

/// How long to wait for another process; it holds the lock for some milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two looks at the lock.
const PAUSE: Duration = Duration::from_millis(10);

/// Reads a text file; `None` when there is none.
pub(crate) fn read(path: &Path) -> Result<Option<String>, CatalogError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(CatalogError::io("read", path, cause)),
    }
}

/// Reads a record's text.
pub(crate) fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, CatalogError> {
    toml::from_str(text).map_err(|e| {
        let start = e.span().unwrap_or_default().start;
        let line = text.bytes().take(start).filter(|b| *b == b'\n').count() + 1;
        damaged(path, format!("line {line}: {}", e.message()))
    })
}

/// Writes a record.
pub(crate) fn write<T: Serialize>(path: &Path, document: &T) -> Result<(), CatalogError> {
    let text = toml::to_string(document).map_err(|e| damaged(path, e.to_string()))?;
    replace(path, &text)
}

fn damaged(path: &Path, message: String) -> CatalogError {
    CatalogError::BadRecord {
        file: path.to_owned(),
        message,
    }
}

/// Puts `text` in the place of the file: whoever reads sees the old file or the new one.
///
/// A new file gets mode 0600; an existing one keeps its mode, and a symbolic link is followed.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), CatalogError> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    try_replace(&target, text).map_err(|cause| CatalogError::io("write", path, cause))
}

fn try_replace(target: &Path, text: &str) -> io::Result<()> {
    let dir = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    let mut new = tempfile::Builder::new().prefix(".new-").tempfile_in(dir)?;
    new.write_all(text.as_bytes())?;
    if let Ok(about) = fs::metadata(target) {
        new.as_file().set_permissions(about.permissions())?;
    }
    new.as_file().sync_all()?;
    new.persist(target).map(drop).map_err(|e| e.error)
}

/// The right to change a record, until it is dropped.
#[derive(Debug)]
pub(crate) struct Held(#[expect(dead_code, reason = "held for its lock")] File);

/// Waits for the right to change the record at `path`.
///
/// # Limits
/// 5 seconds, then [`CatalogError::Busy`].
pub(crate) fn hold(path: &Path) -> Result<Held, CatalogError> {
    let lock = lock_path(path);
    let dir = lock.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(dir).map_err(|cause| CatalogError::io("create", dir, cause))?;
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&lock)
        .map_err(|cause| CatalogError::io("open", &lock, cause))?;
    let until = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Held(file)),
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(CatalogError::Busy { file: path.into() }),
            Err(TryLockError::Error(cause)) => return Err(CatalogError::io("lock", &lock, cause)),
        }
    }
}

/// Beside the record, because the record itself is replaced by another file.
fn lock_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.held"))
}
