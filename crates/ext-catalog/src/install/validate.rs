//! Whether a directory is an extension that can start; looks, runs nothing.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use zeug_ext_protocol::manifest::{FILE, Manifest};

use crate::CatalogError;
use crate::directory::{program, read_manifest, without_program};
use crate::requires;

/// The manifest of a directory, which need not be built yet.
pub(crate) fn manifest(dir: &Path) -> Result<Manifest, CatalogError> {
    if !dir.join(FILE).exists() {
        let message = format!("there is no {FILE}; give the directory that holds it");
        return Err(CatalogError::unusable(dir, message));
    }
    read_manifest(dir).map_err(|message| CatalogError::unusable(dir, message))
}

/// Checks that a complete extension can start; `shown` is the directory that messages name.
pub(crate) fn complete(dir: &Path, shown: &Path) -> Result<Manifest, CatalogError> {
    let manifest = read_manifest(dir).map_err(|message| CatalogError::unusable(shown, message))?;
    executable(dir, &manifest).map_err(|message| CatalogError::unusable(shown, message))?;
    Ok(manifest)
}

fn executable(dir: &Path, manifest: &Manifest) -> Result<(), String> {
    let exec = &manifest.exec;
    if exec.is_empty() {
        return without_program(dir, manifest);
    }
    if !exec.contains('/') {
        return Ok(());
    }
    inner_program(exec)?;
    let program = program(dir, exec);
    let Ok(about) = fs::metadata(&program) else {
        return Err(format!(
            "executable {exec:?} is missing; build it first, or install with \
             --build=go, --build=cargo or --build=npm"
        ));
    };
    if about.is_dir() {
        return Err(format!("executable {exec:?} is a directory; name a file"));
    }
    if about.permissions().mode() & 0o111 == 0 {
        return Err(format!(
            "executable {exec:?} is not executable; run: chmod +x {exec}"
        ));
    }
    Ok(())
}

/// Where in the extension's directory its program is: `None` when it is elsewhere, by an
/// absolute path or on `PATH`.
pub(crate) fn inner_program(exec: &str) -> Result<Option<PathBuf>, String> {
    if !exec.contains('/') || Path::new(exec).is_absolute() {
        return Ok(None);
    }
    match lexical(Path::new(exec)) {
        Some(inner) if !inner.as_os_str().is_empty() => Ok(Some(inner)),
        _ => Err(format!(
            "manifest: exec {exec:?} escapes the extension directory; put the program inside"
        )),
    }
}

/// The path without `.` and `..`; `None` when it goes above where it starts.
pub(crate) fn lexical(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if plain.pop() => {}
            Component::ParentDir => return None,
            other => plain.push(other),
        }
    }
    Some(plain)
}

/// What a person should know about an extension that was just installed.
pub(crate) fn notes(
    dir: &Path,
    manifest: &Manifest,
    path: Option<&OsStr>,
    version: &str,
) -> Vec<String> {
    let mut notes = Vec::new();
    let exec = &manifest.exec;
    if !exec.is_empty() && !exec.contains('/') && !requires::on_path(exec, path, dir) {
        notes.push(format!(
            "{exec} was not found on PATH; install it before the extension can start"
        ));
    }
    if let Some(requires) = &manifest.requires
        && let Some(missing) = requires::missing(requires, dir, path, version)
    {
        notes.push(missing);
    }
    if !manifest.is_enabled() {
        let name = &manifest.name;
        notes.push(format!(
            "it is disabled; `zeug ext enable {name}` switches it on"
        ));
    }
    if manifest.permissions.is_none() && !exec.is_empty() {
        notes.push("it declares no permissions and runs with all of your rights".to_owned());
    }
    notes
}
