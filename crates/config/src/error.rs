//! What is wrong with the configuration, and where; decides nothing about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::Origin;

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
    /// A file cannot be written.
    #[error("{}: {cause}; nothing was changed there", file.display())]
    Write {
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
    /// Others can read or change the keys.
    #[error(
        "{0} can be read or changed by others (mode {mode:04o}): run `chmod 600 {0}`, and renew \
         its keys if others use this machine", file.display()
    )]
    AuthExposed {
        /// The file.
        file: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The keys are those of somebody else.
    #[error(
        "{0} belongs to user {owner}, not to you: run `chown` on it when it is yours, or set \
         ZEUG_HOME to a directory of your own", file.display()
    )]
    AuthOwner {
        /// The file.
        file: PathBuf,
        /// The owner's id.
        owner: u32,
    },
    /// An entry of the keys is none.
    #[error(
        "{}: the entry {name:?} is no table with an api_key in quotes: remove it there, then \
         run `zeug login {name}`", file.display()
    )]
    AuthEntry {
        /// The file.
        file: PathBuf,
        /// The entry.
        name: String,
    },
    /// The keys cannot be written.
    #[error("{}: {cause}; nothing was changed, and the key is not stored", file.display())]
    AuthWrite {
        /// The file.
        file: PathBuf,
        /// What the operating system said.
        #[source]
        cause: io::Error,
    },
    /// The command that should print a key did not.
    #[error("{origin}: providers.{provider}.api_key_command: {why}")]
    KeyCommand {
        /// The provider.
        provider: String,
        /// Where the command is set.
        origin: Box<Origin>,
        /// What went wrong, and what to do.
        why: String,
    },
    /// The user gave up while a key was fetched.
    #[error("interrupted")]
    Interrupted,
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
