//! Taking an extension away; asks nobody.

use std::fs;
use std::io;
use std::path::Path;

use crate::installed::Entry;
use crate::{CatalogError, Lock, Places, Scope, Trust};

/// Removes an extension's directory and its records. Logs stay, and so does the state that a
/// project extension keeps in zeug's home.
///
/// Of a symbolic link only the link goes. The directory is first moved out of sight, so that
/// nobody loads half of it.
///
/// # Errors
/// When the directory cannot be moved or removed, or a record not be written.
pub fn remove(places: &Places, entry: &Entry) -> Result<(), CatalogError> {
    let canonical = entry.dir.canonicalize();
    remove_directory(&entry.dir).map_err(|cause| CatalogError::io("remove", &entry.dir, cause))?;
    if entry.scope == Scope::Global {
        Lock::load(&places.lock)?.remove(&entry.entry)?;
    } else {
        let path = canonical.unwrap_or_else(|_| entry.dir.clone());
        Trust::load(&places.trust)?.forget(&path)?;
    }
    Ok(())
}

fn remove_directory(dir: &Path) -> io::Result<()> {
    if fs::symlink_metadata(dir)?.is_symlink() {
        return fs::remove_file(dir);
    }
    let parent = dir.parent().unwrap_or(Path::new("."));
    let aside = tempfile::Builder::new()
        .prefix(".removing-")
        .tempdir_in(parent)?;
    fs::rename(dir, aside.path().join("old"))?;
    aside.close()
}
