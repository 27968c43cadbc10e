//! Where the catalog's files are; creates nothing.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The directories and records that the catalog works with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// Directories of project extensions, best first.
    pub project: Vec<PathBuf>,
    /// The directory of global extensions.
    pub global: PathBuf,
    /// Where project extensions keep state.
    pub data: PathBuf,
    /// `extensions.lock`.
    pub lock: PathBuf,
    /// `trust.toml`.
    pub trust: PathBuf,
}

impl Places {
    /// The usual places in zeug's home, with these project directories.
    #[must_use]
    pub fn in_home(home: &Path, project: Vec<PathBuf>) -> Self {
        Self {
            project,
            global: home.join("extensions"),
            data: home.join("data"),
            lock: home.join("extensions.lock"),
            trust: home.join("trust.toml"),
        }
    }

    /// Where a project extension keeps state: told apart by its path, because two projects may
    /// have extensions of one name.
    pub(crate) fn project_data(&self, name: &str, dir: &Path) -> PathBuf {
        let hash = Sha256::digest(dir.as_os_str().as_encoded_bytes());
        let short = u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]);
        self.data.join(format!("{name}-{short:08x}"))
    }
}

/// The log of the extension with this manifest name.
#[must_use]
pub fn log_file(logs: &Path, name: &str) -> PathBuf {
    logs.join(format!("ext-{name}.log"))
}
