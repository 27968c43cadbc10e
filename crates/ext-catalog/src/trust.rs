//! Which content of project extensions the user has trusted; never asks.
//!
//! Trust is bound to content: another file, another byte, another executable bit, and it has to
//! be given again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{CatalogError, Change, Content, file};

/// How a directory stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// This content was trusted.
    Trusted,
    /// Nothing was ever trusted here.
    Unknown,
    /// Other content was trusted.
    Changed(Change),
}

/// `trust.toml`.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    file: PathBuf,
    trusted: BTreeMap<PathBuf, Entry>,
    everything: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    path: PathBuf,
    hash: String,
    trusted_at: jiff::Timestamp,
    files: BTreeMap<String, String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Document {
    #[serde(default)]
    extension: Vec<Entry>,
}

impl Trust {
    /// Reads the file; one that does not exist trusts nothing.
    ///
    /// # Errors
    /// When it is unreadable or damaged.
    pub fn load(file: &Path) -> Result<Self, CatalogError> {
        let mut trust = Self {
            file: file.to_owned(),
            ..Self::default()
        };
        trust.reload()?;
        Ok(trust)
    }

    /// Trusts everything in this process, and stores nothing: `--trust`.
    #[must_use]
    pub fn everything(mut self) -> Self {
        self.everything = true;
        self
    }

    /// How a directory stands.
    ///
    /// # Errors
    /// When its content cannot be looked through.
    ///
    /// # Limits
    /// Those of [`Content::of`].
    pub fn check(&self, dir: &Path) -> Result<Standing, CatalogError> {
        if self.everything {
            return Ok(Standing::Trusted);
        }
        let dir = canonical(dir)?;
        let Some(entry) = self.trusted.get(&dir) else {
            return Ok(Standing::Unknown);
        };
        let now = Content::of(&dir)?;
        if now.hash == entry.hash {
            return Ok(Standing::Trusted);
        }
        let then = Content {
            hash: entry.hash.clone(),
            files: entry.files.clone(),
        };
        Ok(match then.change_to(&now) {
            Some(change) => Standing::Changed(change),
            // The record's hash does not fit its own files: somebody edited it.
            None => Standing::Unknown,
        })
    }

    /// Trusts what the directory contains now, from now on.
    ///
    /// # Errors
    /// When the content cannot be looked through or the file not be written.
    pub fn trust(&mut self, dir: &Path) -> Result<Content, CatalogError> {
        let path = canonical(dir)?;
        let content = Content::of(&path)?;
        self.store(path, &content)?;
        Ok(content)
    }

    /// Trusts content that was looked at before, by its [hash](Content::hash).
    ///
    /// # Errors
    /// As [`Trust::trust`], and when the directory contains something else by now; nothing is
    /// trusted then.
    pub fn trust_seen(&mut self, dir: &Path, hash: &str) -> Result<(), CatalogError> {
        let path = canonical(dir)?;
        let content = Content::of(&path)?;
        if content.hash != hash {
            return Err(CatalogError::Moved { dir: path });
        }
        self.store(path, &content)
    }

    fn store(&mut self, path: PathBuf, content: &Content) -> Result<(), CatalogError> {
        let entry = Entry {
            path: path.clone(),
            hash: content.hash.clone(),
            trusted_at: jiff::Timestamp::now(),
            files: content.files.clone(),
        };
        self.change(|trusted| drop(trusted.insert(path, entry)))
    }

    /// Takes trust back; true when there was some. The directory need not exist any more.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn forget(&mut self, dir: &Path) -> Result<bool, CatalogError> {
        let path = canonical(dir).unwrap_or_else(|_| dir.to_owned());
        if !self.trusted.contains_key(&path) {
            return Ok(false);
        }
        self.change(|trusted| drop(trusted.remove(&path)))?;
        Ok(true)
    }

    /// The directories with trusted content, and since when.
    pub fn trusted(&self) -> impl Iterator<Item = (&Path, jiff::Timestamp)> {
        self.trusted
            .values()
            .map(|entry| (entry.path.as_path(), entry.trusted_at))
    }

    fn change(
        &mut self,
        with: impl FnOnce(&mut BTreeMap<PathBuf, Entry>),
    ) -> Result<(), CatalogError> {
        let held = file::hold(&self.file)?;
        self.reload()?;
        with(&mut self.trusted);
        let document = Document {
            extension: self.trusted.values().cloned().collect(),
        };
        file::write(&self.file, &document)?;
        drop(held);
        Ok(())
    }

    fn reload(&mut self) -> Result<(), CatalogError> {
        let text = file::read(&self.file)?.unwrap_or_default();
        let document: Document = file::parse(&self.file, &text)?;
        self.trusted = document
            .extension
            .into_iter()
            .map(|entry| (entry.path.clone(), entry))
            .collect();
        Ok(())
    }
}

fn canonical(dir: &Path) -> Result<PathBuf, CatalogError> {
    dir.canonicalize()
        .map_err(|cause| CatalogError::io("open", dir, cause))
}
