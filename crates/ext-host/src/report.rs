//! What can be said about an extension, for lists and for `ext doctor`.

use std::path::PathBuf;

use crate::lifecycle::Readiness;

/// How an extension stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Not ready yet.
    Starting,
    /// It takes part. The word says how it became ready: `ready`, `auto-ready`, `ready-timeout`.
    Ready(&'static str),
    /// It could not be started, and why.
    Failed(String),
    /// It went away by itself, and how.
    Gone(String),
    /// It was stopped.
    Stopped,
}

impl State {
    pub(crate) fn ready(readiness: Readiness) -> Self {
        Self::Ready(match readiness {
            Readiness::Said => "ready",
            Readiness::Idle => "auto-ready",
            Readiness::Late => "ready-timeout",
        })
    }

    /// Whether it does not run any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self, Self::Failed(_) | Self::Gone(_) | Self::Stopped)
    }

    /// Whether the wait at the start is over for this extension.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        !matches!(self, Self::Starting)
    }
}

/// What an extension said in its `hello`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Greeting {
    /// Its own name for itself.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The protocol version it speaks.
    pub protocol_version: u32,
}

/// Everything about one extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuestReport {
    /// The manifest's name.
    pub name: String,
    /// Its directory.
    pub dir: PathBuf,
    /// How it stands.
    pub state: State,
    /// Its `hello`.
    pub greeting: Option<Greeting>,
    /// Tools it holds.
    pub tools: Vec<String>,
    /// Tools it registered that somebody else holds, with the holder.
    pub shadowed_tools: Vec<(String, String)>,
    /// Commands it holds.
    pub commands: Vec<String>,
    /// Commands it registered that somebody else holds, with the holder.
    pub shadowed_commands: Vec<(String, String)>,
    /// Remarks, oldest first.
    pub diagnostics: Vec<String>,
    /// Remarks that were not kept.
    pub diagnostics_dropped: usize,
    /// Its log.
    pub log: Option<PathBuf>,
}
