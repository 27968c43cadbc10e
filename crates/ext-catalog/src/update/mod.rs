//! Renewing what was installed, each extension from where it came; independent of how zeug
//! itself is renewed.

mod checkout;
mod recopy;

use std::fmt;
use std::path::PathBuf;

use crate::installed::{Entry, check_name, find, installed};
use crate::tools::Tools;
use crate::{CatalogError, Lock, Places, Scope, SourceKind};

/// What became of one extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It was renewed.
    Updated,
    /// It could be renewed; only with `check`.
    Available,
    /// There is nothing new.
    UpToDate,
    /// It was left alone, and why.
    Skipped(String),
    /// It could not be renewed, and why; it is as it was before.
    Failed(String),
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Updated => f.write_str("updated"),
            Self::Available => f.write_str("update available"),
            Self::UpToDate => f.write_str("up-to-date"),
            Self::Skipped(why) => write!(f, "skipped: {why}"),
            Self::Failed(why) => write!(f, "failed: {why}"),
        }
    }
}

/// One extension and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Updated {
    /// Its name.
    pub name: String,
    /// Its directory.
    pub dir: PathBuf,
    /// What became of it.
    pub status: Status,
}

/// Renews the global extension `name`, or all that are enabled; with `check` only looks.
///
/// # Errors
/// When there is no such extension, a record is damaged, or it was cancelled. What concerns one
/// extension only is its [`Status`].
///
/// # Order
/// By directory name, one after the other.
///
/// # Cancel safety
/// A cancelled token ends the running step, puts the extension back as it was, and ends. Do not
/// drop the future: a git checkout could keep its local changes in the stash.
pub async fn update(
    places: &Places,
    name: Option<&str>,
    check: bool,
    tools: &Tools,
) -> Result<Vec<Updated>, CatalogError> {
    let mut lock = Lock::load(&places.lock)?;
    let entries = match name {
        Some(name) => vec![global(places, name)?],
        None => installed(places)?,
    };
    let mut all = Vec::new();
    for entry in entries.into_iter().filter(|e| e.scope == Scope::Global) {
        tools.check()?;
        let one = match skip(&entry, name.is_some()) {
            Some(why) => Ok(Status::Skipped(why.to_owned())),
            None => one(places, &entry, check, &mut lock, tools).await,
        };
        let status = match one {
            Ok(status) => status,
            Err(CatalogError::Cancelled) => return Err(CatalogError::Cancelled),
            Err(error) => Status::Failed(error.to_string()),
        };
        all.push(Updated {
            name: entry.name().to_owned(),
            dir: entry.dir,
            status,
        });
    }
    Ok(all)
}

/// Of a project's extension and a global one with the same name, the global one is meant.
fn global(places: &Places, name: &str) -> Result<Entry, CatalogError> {
    check_name(name)?;
    let only_global = Places {
        project: Vec::new(),
        ..places.clone()
    };
    find(&only_global, name)
}

fn skip(entry: &Entry, named: bool) -> Option<&'static str> {
    if entry.dir.is_symlink() {
        return Some("a link to a directory elsewhere");
    }
    match &entry.manifest {
        Ok(manifest) if !manifest.is_enabled() && !named => Some("disabled"),
        _ => None,
    }
}

async fn one(
    places: &Places,
    entry: &Entry,
    check: bool,
    lock: &mut Lock,
    tools: &Tools,
) -> Result<Status, CatalogError> {
    let record = lock.get(&entry.entry).cloned();
    match record {
        Some(record) if record.kind == SourceKind::Path => {
            recopy::update(places, entry, record, check, lock, tools).await
        }
        record if entry.dir.join(".git").exists() => {
            checkout::update(entry, record, check, lock, tools).await
        }
        _ => Ok(Status::Skipped(
            "neither installed by zeug nor a git checkout".to_owned(),
        )),
    }
}
