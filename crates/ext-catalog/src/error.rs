//! Why something about extensions on disk cannot be done; each message says what to do next.

use std::io;
use std::path::{Path, PathBuf};

use crate::Change;

/// Why a look at the catalog, or a change of it, failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// The operating system refused.
    #[error("cannot {what} {}: {cause}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// With which file or directory.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        cause: io::Error,
    },
    /// The directory holds no usable extension.
    #[error("{}: {message}", dir.display())]
    Unusable {
        /// The directory.
        dir: PathBuf,
        /// What is wrong and what to do.
        message: String,
    },
    /// More than zeug is willing to look through.
    #[error(
        "{}: more than {files} files or {mebibytes} MiB; remove what the extension does not need",
        dir.display()
    )]
    TooMuch {
        /// The directory.
        dir: PathBuf,
        /// The limit in files.
        files: usize,
        /// The limit in bytes.
        mebibytes: u64,
    },
    /// What was looked at is not there any more.
    #[error("{}: its content changed while it was looked at; look again", dir.display())]
    Moved {
        /// The directory.
        dir: PathBuf,
    },
    /// One of zeug's own records is damaged.
    #[error("{}: {message}; correct the file, or remove it to start anew", file.display())]
    BadRecord {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// Another process holds the records.
    #[error("{} is held by another zeug; try again when that one has finished", file.display())]
    Busy {
        /// The file that is locked.
        file: PathBuf,
    },
    /// A name that could leave the directory of extensions.
    #[error("{name:?} is no extension name; `zeug ext list` shows those there are")]
    BadName {
        /// The name.
        name: String,
    },
    /// No extension has this name.
    #[error("no extension {name:?} here; `zeug ext list` shows those there are")]
    NotInstalled {
        /// The name.
        name: String,
    },
    /// The name is taken.
    #[error(
        "{name} is already installed at {}; `zeug ext update {name}` renews it, \
         `zeug ext remove {name}` removes it",
        dir.display()
    )]
    AlreadyInstalled {
        /// The name that is there.
        name: String,
        /// Where.
        dir: PathBuf,
    },
    /// Nothing can be installed from there.
    #[error("cannot install from {source_text}: {message}")]
    BadSource {
        /// The source, without passwords.
        source_text: String,
        /// What is wrong and what to do.
        message: String,
    },
    /// A symbolic link that cannot be taken along.
    #[error("{}: the symbolic link {link}; {hint}", dir.display())]
    Link {
        /// The extension's directory.
        dir: PathBuf,
        /// The link, with where it leads.
        link: String,
        /// What to do.
        hint: &'static str,
    },
    /// A helper such as git or go failed.
    #[error("{what} failed: {message}")]
    Helper {
        /// Which step.
        what: String,
        /// What the helper said.
        message: String,
    },
    /// Files were changed by the user or the extension and by its source.
    #[error("{} changed both here and at the source: {change}; put the files aside or restore them", dir.display())]
    Conflict {
        /// The extension's directory.
        dir: PathBuf,
        /// Which files.
        change: Change,
    },
    /// The user cancelled; nothing was left behind.
    #[error("cancelled; nothing was changed")]
    Cancelled,
}

impl CatalogError {
    pub(crate) fn io(what: &'static str, path: &Path, cause: io::Error) -> Self {
        Self::Io {
            what,
            path: path.to_owned(),
            cause,
        }
    }

    pub(crate) fn unusable(dir: &Path, message: impl Into<String>) -> Self {
        Self::Unusable {
            dir: dir.to_owned(),
            message: message.into(),
        }
    }
}
