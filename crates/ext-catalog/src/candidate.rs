//! What a look at the extension directories gives: plain values.

use std::fmt;
use std::path::PathBuf;

use zeug_ext_protocol::manifest::Manifest;

use crate::Change;

/// Where an extension was found, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Named on the command line.
    Explicit,
    /// In the project's directory.
    Project,
    /// In zeug's home.
    Global,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Explicit => "explicit",
            Self::Project => "project",
            Self::Global => "global",
        })
    }
}

/// An extension that may be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its manifest.
    pub manifest: Manifest,
    /// Its directory, absolute and without symbolic links.
    pub dir: PathBuf,
    /// Where it may keep state: its own directory, but for a project extension a directory in
    /// zeug's home, so that writing state does not change content that was trusted. It need not
    /// exist yet.
    pub data_dir: PathBuf,
    /// Where it was found.
    pub scope: Scope,
    /// The program: an absolute path, or a bare name for `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
}

impl Candidate {
    /// The name that counts everywhere: the manifest's.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.manifest.name
    }
}

/// Everything that was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// What may be started, in the one order: named on the command line as named there, then the
    /// project's by directory name, then the global ones by directory name.
    pub loadable: Vec<Candidate>,
    /// What is there and does not start, in the same order.
    pub skipped: Vec<Skipped>,
    /// What is broken, in the same order.
    pub errors: Vec<LoadError>,
    /// What starts but should be mentioned, in the same order.
    pub warnings: Vec<Warning>,
}

/// An extension that does not start, without anything being wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The manifest's name; the directory's when the manifest was not looked at.
    pub name: String,
    /// Its directory.
    pub dir: PathBuf,
    /// Where it was found.
    pub scope: Scope,
    /// Why it does not start.
    pub why: Why,
}

/// Why an extension does not start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It is switched off.
    Disabled {
        /// Where.
        by: DisabledBy,
    },
    /// A better one has its name.
    Shadowed {
        /// The better one's directory.
        by: PathBuf,
    },
    /// A project extension whose content the user has not trusted.
    Untrusted {
        /// What is different from what was trusted; `None` when nothing ever was.
        change: Option<Change>,
    },
    /// It brings a theme and no program.
    ThemeOnly,
}

/// Where an extension is switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DisabledBy {
    /// `"enabled": false` in its manifest.
    Manifest,
    /// `[extensions] disabled` in the settings.
    Settings,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disabled {
                by: DisabledBy::Manifest,
            } => f.write_str("disabled in extension.json"),
            Self::Disabled {
                by: DisabledBy::Settings,
            } => f.write_str("disabled in config.toml"),
            Self::Shadowed { by } => write!(f, "{} has the same name and wins", by.display()),
            Self::Untrusted { change: None } => f.write_str("not trusted yet"),
            Self::Untrusted {
                change: Some(change),
            } => write!(f, "changed since it was trusted ({change})"),
            Self::ThemeOnly => f.write_str("theme only"),
        }
    }
}

/// A directory that should hold an extension and does not hold a usable one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError {
    /// The directory.
    pub dir: PathBuf,
    /// What is wrong and what to do.
    pub message: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.dir.display(), self.message)
    }
}

/// Something about an extension that starts all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The extension.
    pub name: String,
    /// Its directory.
    pub dir: PathBuf,
    /// What it is.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.message)
    }
}
