//! What is wrong with the configuration, and where; decides nothing about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// There is no place for the state home.
    #[error("no home directory is known; set ZEUG_HOME to a directory for zeug's state")]
    NoHome,
    /// A file that is there cannot be read.
    #[error("{}: {cause}; make it readable or remove it", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the operating system said.
        #[source]
        cause: io::Error,
    },
    /// A file is not TOML.
    #[error("{}:{line}: {message}", file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What the parser said.
        message: String,
    },
    /// A key has a value that it cannot have.
    #[error("{}:{line}: {key} must be {expected}, not {found}", file.display())]
    Value {
        /// The file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The key, with its tables.
        key: String,
        /// What may stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
}

/// Something in a configuration file that has no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: usize,
    /// What is ignored, why, and what to do.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.message)
    }
}
