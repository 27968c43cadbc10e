//! `auth.toml`: keys that the user gave zeug to keep. Knows no provider; a name is a name.
//!
//! ```toml
//! [anthropic]
//! api_key = "…"
//! ```

use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::replace::replace;
use crate::{ConfigError, Paths, Secret};

/// The most bytes of the file: hundreds of keys.
const MOST_BYTES: u64 = 1024 * 1024;
/// What nobody but the owner may do.
const OTHERS: u32 = 0o077;
const API_KEY: &str = "api_key";

/// The keys that are kept.
pub struct Auth {
    file: PathBuf,
    table: Table,
}

/// Without what is in it.
impl std::fmt::Debug for Auth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.names().collect();
        let mut shown = f.debug_struct("Auth");
        shown
            .field("file", &self.file)
            .field("names", &names)
            .finish()
    }
}

impl Auth {
    /// Reads the file; one that does not exist has no keys.
    ///
    /// # Errors
    /// When others can read it or it belongs to somebody else, and when it cannot be understood.
    pub fn open(paths: &Paths) -> Result<Self, ConfigError> {
        let file = paths.auth();
        let text = read(&file)?;
        let table = text.parse::<Table>().map_err(|e| ConfigError::Syntax {
            line: line(&text, e.span().map_or(0, |span| span.start)),
            message: e.message().to_owned(),
            file: file.clone(),
        })?;
        for (name, entry) in &table {
            let key = entry.get(API_KEY);
            if !entry.is_table() || key.is_some_and(|key| !key.is_str()) {
                return Err(ConfigError::AuthEntry {
                    file,
                    name: name.clone(),
                });
            }
        }
        Ok(Self { file, table })
    }

    /// The names that have a key, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let with_key = self
            .table
            .iter()
            .filter(|(_, entry)| api_key(entry).is_some());
        with_key.map(|(name, _)| name.as_str())
    }

    /// Whether there is a key for a name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.table
            .get(name)
            .is_some_and(|entry| api_key(entry).is_some())
    }

    /// The key for a name.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<Secret> {
        Secret::key(api_key(self.table.get(name)?)?)
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Keeps a key, in place of the one before, and says whether there was one.
    ///
    /// # Errors
    /// When the file cannot be written; it is then as it was.
    pub fn store(&mut self, name: &str, key: &Secret) -> Result<bool, ConfigError> {
        let had = self.has(name);
        let entry = self
            .table
            .entry(name)
            .or_insert_with(|| Value::Table(Table::new()));
        if let Value::Table(entry) = entry {
            entry.insert(API_KEY.to_owned(), Value::String(key.reveal().to_owned()));
        }
        self.write()?;
        Ok(had)
    }

    /// Forgets a key and everything beside it, and says whether there was one.
    ///
    /// # Errors
    /// As [`Auth::store`].
    pub fn forget(&mut self, name: &str) -> Result<bool, ConfigError> {
        let had = self.table.remove(name).is_some();
        if had {
            self.write()?;
        }
        Ok(had)
    }

    fn write(&self) -> Result<(), ConfigError> {
        replace(&self.file, &self.table.to_string(), 0o600).map_err(|cause| {
            ConfigError::AuthWrite {
                file: self.file.clone(),
                cause,
            }
        })
    }
}

fn api_key(entry: &Value) -> Option<&str> {
    entry
        .get(API_KEY)?
        .as_str()
        .filter(|key| !key.trim().is_empty())
}

/// The text of the file, when nobody else could read or write it.
fn read(file: &Path) -> Result<String, ConfigError> {
    let unreadable = |cause| ConfigError::Read {
        file: file.to_owned(),
        cause,
    };
    match file.metadata() {
        Ok(meta) if meta.is_file() => {}
        Ok(_) => return Err(unreadable(io::Error::other("it is no file"))),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
        Err(cause) => return Err(unreadable(cause)),
    }
    let open = File::open(file).map_err(unreadable)?;
    // Of what was opened: between a look at the path and the opening, others could exchange it.
    let meta = open.metadata().map_err(unreadable)?;
    let me = rustix::process::geteuid().as_raw();
    if meta.uid() != me && meta.uid() != 0 {
        return Err(ConfigError::AuthOwner {
            file: file.to_owned(),
            owner: meta.uid(),
        });
    }
    if meta.mode() & OTHERS != 0 {
        return Err(ConfigError::AuthExposed {
            file: file.to_owned(),
            mode: meta.mode() & 0o7777,
        });
    }
    let mut bytes = Vec::new();
    open.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(unreadable(io::Error::other("it is over 1 MiB")));
    }
    String::from_utf8(bytes).map_err(|_| unreadable(io::Error::other("it is not UTF-8")))
}

fn line(text: &str, at: usize) -> usize {
    let before = &text.as_bytes()[..at.min(text.len())];
    before.iter().filter(|b| **b == b'\n').count() + 1
}

#[cfg(test)]
mod tests;
