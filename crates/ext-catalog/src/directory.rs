//! One directory of extensions and one directory of an extension; no order, no names taken.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use zeug_ext_protocol::manifest::{self, Manifest};

use crate::CatalogError;

/// The names that file systems without case would take for one.
pub(crate) fn key(name: &str) -> String {
    name.to_lowercase()
}

/// The directories in `root` that may hold extensions, by name; none when `root` does not exist.
///
/// A symbolic link to a directory counts; a name that starts with a dot does not.
pub(crate) fn list_directories(root: &Path) -> Result<Vec<(String, PathBuf)>, CatalogError> {
    let read = |cause| CatalogError::io("read", root, cause);
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(read(cause)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(read)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && entry.path().is_dir() {
            found.push((name, entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

/// The manifest of a directory, or what to say when there is no usable one.
pub(crate) fn read_manifest(dir: &Path) -> Result<Manifest, String> {
    let text = fs::read_to_string(dir.join(manifest::FILE)).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => format!("there is no {} in it", manifest::FILE),
        _ => format!("cannot read {}: {e}", manifest::FILE),
    })?;
    Manifest::parse(&text).map_err(|e| e.to_string())
}

/// Whether an extension without a program is complete all the same.
pub(crate) fn without_program(dir: &Path, manifest: &Manifest) -> Result<(), String> {
    if manifest.transport.is_some() {
        return Err(
            "manifest: this version of zeug starts programs only; give exec instead of \
             transport"
                .to_owned(),
        );
    }
    let has_theme = ["theme.json", "themes/theme.json"]
        .iter()
        .any(|file| dir.join(file).is_file());
    if has_theme {
        Ok(())
    } else {
        Err("manifest: exec is required, unless the extension only brings a theme.json".to_owned())
    }
}

/// The program as it is started: a path with a `/` counts from the extension's directory.
pub(crate) fn program(dir: &Path, exec: &str) -> PathBuf {
    if exec.contains('/') {
        // Through the components, which leaves out `.`.
        dir.join(exec).components().collect()
    } else {
        PathBuf::from(exec)
    }
}

pub(crate) fn base_name(dir: &Path) -> String {
    let name = dir.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
