//! A new file in the place of an old one.

use std::fs::{DirBuilder, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;

/// Puts a new file in the place of the old one, so that whoever reads finds one of the two whole.
///
/// `mode` are the permissions of a file that was not there; an old one keeps its own, as far as
/// `mode` allows them.
pub(crate) fn replace(file: &Path, text: &str, mode: u32) -> io::Result<()> {
    // A link, as to a directory of dotfiles, stays one.
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let dir = file.parent().unwrap_or(Path::new("."));
    let mode = file
        .metadata()
        .map_or(mode, |old| old.permissions().mode() & mode);
    DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    let mut fresh = tempfile::Builder::new()
        .prefix(".zeug-")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(dir)?;
    fresh.write_all(text.as_bytes())?;
    fresh.as_file().sync_all()?;
    fresh.persist(&file).map_err(|e| e.error)?;
    Ok(())
}
