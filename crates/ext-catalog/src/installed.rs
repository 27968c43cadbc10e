//! The extensions that are here, by scope and name, whatever their state: for lists and for the
//! commands that take a name.

use std::path::PathBuf;

use zeug_ext_protocol::manifest::Manifest;

use crate::directory::{list_directories, read_manifest};
use crate::{CatalogError, Places, Scope};

/// One directory of an extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name among its neighbours.
    pub entry: String,
    /// Its path there; may be a symbolic link.
    pub dir: PathBuf,
    /// The project's or global.
    pub scope: Scope,
    /// Its manifest, or what is wrong with it.
    pub manifest: Result<Manifest, String>,
}

impl Entry {
    /// The manifest's name, else the directory's.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.manifest {
            Ok(manifest) => &manifest.name,
            Err(_) => &self.entry,
        }
    }
}

/// All of them.
///
/// # Errors
/// When a directory of extensions is there and cannot be read.
///
/// # Order
/// The project's by directory name, then the global ones by directory name.
pub fn installed(places: &Places) -> Result<Vec<Entry>, CatalogError> {
    let mut project = Vec::new();
    for (rank, root) in places.project.iter().enumerate() {
        let listed = list_directories(root)?.into_iter();
        project.extend(listed.map(|(entry, dir)| (entry, rank, dir)));
    }
    project.sort();
    let project = project
        .into_iter()
        .map(|(entry, _, dir)| (entry, dir, Scope::Project));
    let global = list_directories(&places.global)?
        .into_iter()
        .map(|(entry, dir)| (entry, dir, Scope::Global));
    let entry = |(entry, dir, scope): (String, PathBuf, Scope)| Entry {
        manifest: read_manifest(&dir),
        entry,
        dir,
        scope,
    };
    Ok(project.chain(global).map(entry).collect())
}

/// The extension of this name.
///
/// # Errors
/// When the name could mean something else than an extension, or no extension has it.
///
/// # Order
/// A manifest name wins over a directory name; of two equal ones the project's wins.
pub fn find(places: &Places, name: &str) -> Result<Entry, CatalogError> {
    check_name(name)?;
    let all = installed(places)?;
    let by_manifest = all.iter().position(|entry| entry.name() == name);
    let at = by_manifest.or_else(|| all.iter().position(|entry| entry.entry == name));
    match at {
        Some(at) => Ok(all.into_iter().nth(at).ok_or_else(|| not_here(name))?),
        None => Err(not_here(name)),
    }
}

/// Refuses what is no name but a path, or hidden.
///
/// # Errors
/// [`CatalogError::BadName`].
pub fn check_name(name: &str) -> Result<(), CatalogError> {
    if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\', '\0']) {
        let name = name.to_owned();
        return Err(CatalogError::BadName { name });
    }
    Ok(())
}

fn not_here(name: &str) -> CatalogError {
    CatalogError::NotInstalled {
        name: name.to_owned(),
    }
}
