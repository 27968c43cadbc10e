//! What the face wants of the world beyond the agent: settings that last, trust, what was sent
//! before, an editor.

use std::ffi::OsString;
use std::fmt::Debug;
use std::path::PathBuf;

/// A setting's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// On or off.
    Switch(bool),
    /// A name, such as a theme's.
    Name(String),
}

/// A project's extension that has not started, because nobody has trusted what it contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stranger {
    /// What it is called, and its version.
    pub name: String,
    /// Where it lies.
    pub dir: PathBuf,
    /// The hash of its content, as it is described here.
    pub hash: String,
    /// What it would run and asks for, one thing a line.
    pub asks: Vec<String>,
}

/// The world beyond the agent. Functions may block for a moment; the face calls them on threads of
/// their own.
pub trait Outside: Debug + Send + Sync + 'static {
    /// Keeps a setting of the terminal for the next start.
    ///
    /// # Errors
    /// In words, when it cannot be kept.
    fn keep(&self, setting: &str, value: &Kept) -> Result<(), String>;

    /// Extensions of this project that wait for trust.
    ///
    /// # Errors
    /// In words, when they cannot be looked through.
    fn strangers(&self) -> Result<Vec<Stranger>, String>;

    /// Trusts extensions, as they were described.
    ///
    /// # Errors
    /// In words, when one is not any more what was described, or trust cannot be stored; those
    /// before it are trusted then.
    fn trust(&self, strangers: &[Stranger]) -> Result<(), String>;

    /// The files that tell the model about the project, as they are shown.
    fn context(&self) -> Vec<String>;

    /// What was sent before, the oldest first; asked once, before the first frame.
    fn history(&self) -> Vec<String>;

    /// Keeps something that was sent.
    ///
    /// # Errors
    /// In words, when it cannot be kept.
    fn remember(&self, text: &str) -> Result<(), String>;

    /// The user's editor with its arguments, for the file that comes behind them.
    fn editor(&self) -> Vec<OsString>;
}
