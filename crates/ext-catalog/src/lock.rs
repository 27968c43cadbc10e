//! `extensions.lock`: where each installed extension came from and what it then contained.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{CatalogError, Change, Content, content, file};

/// What kind of source an extension was installed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// A directory on this machine.
    Path,
    /// A git repository.
    Git,
}

/// One installed extension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The name of its directory.
    pub name: String,
    /// What kind of source it is.
    pub kind: SourceKind,
    /// The directory or the address; never with a password.
    pub source: String,
    /// The branch, tag or commit that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The commit that was installed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The builder that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The hash of its content as it was installed.
    pub hash: String,
    /// When it was installed or updated.
    pub installed_at: jiff::Timestamp,
    /// The hash of each of its files.
    pub files: BTreeMap<String, String>,
}

impl Record {
    /// The content as it was installed.
    #[must_use]
    pub fn content(&self) -> Content {
        Content {
            hash: self.hash.clone(),
            files: self.files.clone(),
        }
    }
}

/// The lock file's records.
#[derive(Debug, Clone, Default)]
pub struct Lock {
    file: PathBuf,
    records: BTreeMap<String, Record>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Document {
    #[serde(default)]
    extension: Vec<Record>,
}

impl Lock {
    /// Reads the file; one that does not exist records nothing.
    ///
    /// # Errors
    /// When it is unreadable or damaged.
    pub fn load(file: &Path) -> Result<Self, CatalogError> {
        let mut lock = Self {
            file: file.to_owned(),
            ..Self::default()
        };
        lock.reload()?;
        Ok(lock)
    }

    /// The record of the extension in the directory of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Record> {
        self.records.get(name)
    }

    /// All records, by name.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.records.values()
    }

    /// Compares a directory with the record of this name: `None` when nothing that was installed
    /// is different, or nothing is recorded.
    ///
    /// Files that appeared since do not count: an extension keeps its state in its directory.
    ///
    /// # Errors
    /// When a recorded file is there and cannot be read.
    pub fn verify(&self, name: &str, dir: &Path) -> Result<Option<Change>, CatalogError> {
        let Some(record) = self.get(name) else {
            return Ok(None);
        };
        let then = record.content();
        let now = content::same_files(dir, &then)?;
        Ok(then.change_to(&now))
    }

    pub(crate) fn put(&mut self, record: Record) -> Result<(), CatalogError> {
        self.change(|records| drop(records.insert(record.name.clone(), record)))
    }

    pub(crate) fn remove(&mut self, name: &str) -> Result<(), CatalogError> {
        if self.get(name).is_none() {
            return Ok(());
        }
        self.change(|records| drop(records.remove(name)))
    }

    fn change(
        &mut self,
        with: impl FnOnce(&mut BTreeMap<String, Record>),
    ) -> Result<(), CatalogError> {
        let held = file::hold(&self.file)?;
        self.reload()?;
        with(&mut self.records);
        let document = Document {
            extension: self.records.values().cloned().collect(),
        };
        file::write(&self.file, &document)?;
        drop(held);
        Ok(())
    }

    fn reload(&mut self) -> Result<(), CatalogError> {
        let text = file::read(&self.file)?.unwrap_or_default();
        let document: Document = file::parse(&self.file, &text)?;
        self.records = document
            .extension
            .into_iter()
            .map(|record| (record.name.clone(), record))
            .collect();
        Ok(())
    }
}
