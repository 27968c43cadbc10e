//! What was wrong with a file or directory, where, and what became of it.

use std::fmt;
use std::path::PathBuf;

use crate::Source;

/// What became of the skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It is there all the same.
    Kept,
    /// It is left out.
    Skipped,
    /// It is left out because a better one has its name; nothing is wrong with it.
    Shadowed,
}

/// Something worth saying about a place that was looked at.
///
/// Shown as `skill: FILE:LINE: WHAT`, which is also how it stands among an extension's
/// diagnostics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Who brought the place; a [`Source::Extension`] should hear of it in its own log.
    pub source: Source,
    /// The file or directory.
    pub path: PathBuf,
    /// Counted from 1, when there is one.
    pub line: Option<usize>,
    /// What is wrong and what would be right.
    pub what: String,
    /// What became of it.
    pub effect: Effect,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skill: {}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.what)
    }
}
