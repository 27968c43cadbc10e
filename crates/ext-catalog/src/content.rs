//! What a directory contains, as hashes: the base of trust and of the lock file.
//!
//! Every file counts: its path, its bytes, whether it is executable; a symbolic link counts by
//! where it says it leads. Two things do not count: `.git` at the top, and the `enabled` key of
//! `extension.json`, because switching an extension on or off does not change what it does.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use zeug_ext_protocol::manifest;

use crate::CatalogError;

/// Names shown of a change; more are counted.
const SHOWN: usize = 10;

/// How much may be looked through.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) files: usize,
    pub(crate) bytes: u64,
}

impl Bounds {
    /// For content that a user is asked to trust.
    pub(crate) const TRUST: Self = Self {
        files: 10_000,
        bytes: 256 * 1024 * 1024,
    };
    /// For what is installed; room for the modules of an npm package.
    pub(crate) const INSTALL: Self = Self {
        files: 100_000,
        bytes: 2 * 1024 * 1024 * 1024,
    };

    pub(crate) fn exceeded(self, dir: &Path) -> CatalogError {
        CatalogError::TooMuch {
            dir: dir.to_owned(),
            files: self.files,
            mebibytes: self.bytes / 1024 / 1024,
        }
    }
}

/// The hashes of a directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Content {
    /// Of everything: SHA-256 over the sorted paths and the hashes of the files.
    pub hash: String,
    /// Of each file, by its path from the directory, with `/`.
    pub files: BTreeMap<String, String>,
}

impl Content {
    /// Looks through a directory.
    ///
    /// # Errors
    /// When something in it cannot be read, a name is no UTF-8, or a bound is exceeded.
    ///
    /// # Limits
    /// 10,000 files and 256 MiB; past it an error.
    pub fn of(dir: &Path) -> Result<Self, CatalogError> {
        Self::within(dir, Bounds::TRUST)
    }

    pub(crate) fn within(dir: &Path, bounds: Bounds) -> Result<Self, CatalogError> {
        let mut walk = Walk {
            root: dir,
            bounds,
            bytes: 0,
            files: BTreeMap::new(),
        };
        walk.directory(dir)?;
        Ok(Self::from_files(walk.files))
    }

    fn from_files(files: BTreeMap<String, String>) -> Self {
        let mut all = Sha256::new();
        for (path, hash) in &files {
            all.update((path.len() as u64).to_be_bytes());
            all.update(path);
            all.update(hash);
        }
        Self {
            hash: format!("sha256:{}", hex(&all.finalize())),
            files,
        }
    }

    /// Leaves only these files.
    pub(crate) fn retain<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        let names: std::collections::BTreeSet<&str> = names.collect();
        let mut files = std::mem::take(&mut self.files);
        files.retain(|name, _| names.contains(name.as_str()));
        *self = Self::from_files(files);
    }

    /// What is different in `now`; `None` when nothing is.
    #[must_use]
    pub fn change_to(&self, now: &Self) -> Option<Change> {
        let mut change = Change::default();
        for (path, hash) in &self.files {
            match now.files.get(path) {
                None => change.removed.push(path.clone()),
                Some(other) if other != hash => change.changed.push(path.clone()),
                Some(_) => {}
            }
        }
        let added = now.files.keys().filter(|p| !self.files.contains_key(*p));
        change.added.extend(added.cloned());
        (!change.is_empty()).then_some(change)
    }
}

/// Names of files by what happened to them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    /// New files.
    pub added: Vec<String>,
    /// Files that are gone.
    pub removed: Vec<String>,
    /// Files with other content.
    pub changed: Vec<String>,
}

impl Change {
    /// Whether nothing happened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

impl fmt::Display for Change {
    /// `changed a.py; added b.py, c.py`: at most ten names, then how many more.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = [
            ("changed", &self.changed),
            ("added", &self.added),
            ("removed", &self.removed),
        ];
        let mut room = SHOWN;
        let mut separator = "";
        for (word, names) in groups {
            let shown = &names[..names.len().min(room)];
            if !shown.is_empty() {
                let names: Vec<_> = shown
                    .iter()
                    .map(|n| zeug_stdx::text::one_line(n, 200))
                    .collect();
                write!(f, "{separator}{word} {}", names.join(", "))?;
                separator = "; ";
                room -= shown.len();
            }
        }
        let all: usize = groups.iter().map(|(_, names)| names.len()).sum();
        if all > SHOWN {
            write!(f, "; and {} more", all - SHOWN)?;
        }
        Ok(())
    }
}

struct Walk<'a> {
    root: &'a Path,
    bounds: Bounds,
    bytes: u64,
    files: BTreeMap<String, String>,
}

impl Walk<'_> {
    fn directory(&mut self, dir: &Path) -> Result<(), CatalogError> {
        let read = |cause| CatalogError::io("read", dir, cause);
        for entry in fs::read_dir(dir).map_err(read)? {
            let path = entry.map_err(read)?.path();
            if path == self.root.join(".git") {
                continue;
            }
            let about = fs::symlink_metadata(&path);
            let about = about.map_err(|cause| CatalogError::io("read", &path, cause))?;
            if about.is_dir() {
                self.directory(&path)?;
            } else {
                let name = relative(self.root, &path)?;
                let hash = self.entry(&path, &about)?;
                self.files.insert(name, hash);
                if self.files.len() > self.bounds.files {
                    return Err(self.bounds.exceeded(self.root));
                }
            }
        }
        Ok(())
    }

    fn entry(&mut self, path: &Path, about: &Metadata) -> Result<String, CatalogError> {
        self.bytes = self.bytes.saturating_add(about.len());
        if self.bytes > self.bounds.bytes {
            return Err(self.bounds.exceeded(self.root));
        }
        let is_manifest = path == self.root.join(manifest::FILE);
        hash_entry(path, about, is_manifest, self.bounds.bytes)
            .map_err(|cause| CatalogError::io("read", path, cause))
    }
}

/// The path from `root`, with `/`.
pub(crate) fn relative(root: &Path, path: &Path) -> Result<String, CatalogError> {
    let inner = path.strip_prefix(root).unwrap_or(path);
    inner.to_str().map(str::to_owned).ok_or_else(|| {
        let message = format!("the file name {} is not UTF-8; rename it", inner.display());
        CatalogError::unusable(root, message)
    })
}

/// `f:` a file, `x:` an executable one, `l:` a link, `s:` anything else, and the hash.
fn hash_entry(path: &Path, about: &Metadata, is_manifest: bool, most: u64) -> io::Result<String> {
    if about.is_symlink() {
        let target = fs::read_link(path)?;
        let hash = Sha256::digest(target.as_os_str().as_encoded_bytes());
        return Ok(format!("l:{}", hex(&hash)));
    }
    if !about.is_file() {
        // A socket or a pipe that a running extension made: reading it would block.
        return Ok("s:".to_owned());
    }
    let kind = if about.permissions().mode() & 0o111 == 0 {
        'f'
    } else {
        'x'
    };
    let mut file = File::open(path)?.take(most);
    let hash = if is_manifest {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Sha256::digest(without_enabled(bytes))
    } else {
        let mut hasher = Sha256::new();
        io::copy(&mut file, &mut hasher)?;
        hasher.finalize()
    };
    Ok(format!("{kind}:{}", hex(&hash)))
}

/// A manifest's meaning without the switch; the bytes as they are when it is no JSON object.
fn without_enabled(bytes: Vec<u8>) -> Vec<u8> {
    match serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&bytes) {
        Ok(mut object) => {
            object.shift_remove("enabled");
            serde_json::to_vec(&object).unwrap_or(bytes)
        }
        Err(_) => bytes,
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The files of `recorded` as they are in `dir` now; those that are gone are left out.
pub(crate) fn same_files(dir: &Path, recorded: &Content) -> Result<Content, CatalogError> {
    let mut files = BTreeMap::new();
    for name in recorded.files.keys() {
        let path: PathBuf = dir.join(name);
        let hash = fs::symlink_metadata(&path).and_then(|about| {
            hash_entry(&path, &about, name == manifest::FILE, Bounds::INSTALL.bytes)
        });
        match hash {
            Ok(hash) => drop(files.insert(name.clone(), hash)),
            Err(e)
                if matches!(
                    e.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) => {}
            Err(cause) => return Err(CatalogError::io("read", &path, cause)),
        }
    }
    Ok(Content::from_files(files))
}
