//! A hidden place beside the installed extensions where one is put together, and the moves out
//! of it. Dropped, it takes everything in it along.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::CatalogError;

const PREFIX: &str = ".staging-";

/// What a killed zeug left is removed once it is this old; nothing takes so long.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// One staging place.
#[derive(Debug)]
pub(crate) struct Staging {
    temp: TempDir,
}

impl Staging {
    /// Makes a place in `extensions`, which is made too.
    pub(crate) fn new(extensions: &Path) -> Result<Self, CatalogError> {
        let create = |cause| CatalogError::io("create", extensions, cause);
        fs::create_dir_all(extensions).map_err(create)?;
        remove_stale(extensions);
        let temp = tempfile::Builder::new()
            .prefix(PREFIX)
            .tempdir_in(extensions)
            .map_err(|cause| CatalogError::io("create a directory in", extensions, cause))?;
        Ok(Self { temp })
    }

    /// Where the extension is put together.
    pub(crate) fn payload(&self) -> PathBuf {
        self.temp.path().join("payload")
    }

    /// Moves the extension to `to`, where nothing may be.
    pub(crate) fn release(&self, to: &Path) -> Result<(), CatalogError> {
        let moved = match fs::symlink_metadata(to) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(self.payload(), to),
        };
        moved.map_err(|cause| CatalogError::io("move the extension to", to, cause))
    }

    /// Takes the extension at `from` back in, so that it goes with this place.
    pub(crate) fn take_back(&self, from: &Path) {
        if let Err(error) = fs::rename(from, self.payload()) {
            tracing::warn!(dir = %from.display(), %error, "a half-installed extension stays");
        }
    }

    /// Puts the extension in the place of the one at `at`; the old one goes with this place.
    ///
    /// Where the file system can, both change places at once; elsewhere the old one steps aside
    /// and comes back when the new one cannot follow.
    pub(crate) fn swap(&self, at: &Path) -> Result<(), CatalogError> {
        let failed = |cause| CatalogError::io("replace", at, cause);
        if exchange(&self.payload(), at).is_ok() {
            return Ok(());
        }
        let old = self.temp.path().join("old");
        fs::rename(at, &old).map_err(failed)?;
        fs::rename(self.payload(), at).map_err(|cause| {
            if let Err(error) = fs::rename(&old, at) {
                tracing::error!(dir = %at.display(), %error, "an extension could not be put back");
            }
            failed(cause)
        })
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn remove_stale(extensions: &Path) {
    let Ok(entries) = fs::read_dir(extensions) else {
        return;
    };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let age = entry
            .metadata()
            .and_then(|about| about.modified())
            .ok()
            .and_then(|changed| SystemTime::now().duration_since(changed).ok());
        if is_ours && age.is_some_and(|age| age > STALE) {
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}
