//! One call of a tool and what surrounds it.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use zeug_stdx::json::RawJson;

use crate::Nested;

/// A call with its effective arguments.
#[derive(Debug, Clone)]
pub struct Call {
    /// The transcript's id of the call, chosen by the model's provider.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments, valid against the tool's schema when `execute` sees them.
    pub args: RawJson,
}

/// Who wanted the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The model.
    Model,
    /// An extension, by `call_tool`.
    Extension(String),
    /// An extension, by the answer of its slash command. The call and its result are part of the
    /// conversation, as if the model had wanted it.
    Command(String),
    /// The user, by a typed `!COMMAND`. The call and its result are part of the conversation, and
    /// typing it was the permission.
    Typed,
    /// The user, directly.
    User,
}

impl Origin {
    /// Whether the call and its result are part of the conversation.
    #[must_use]
    pub fn is_in_transcript(&self) -> bool {
        matches!(self, Self::Model | Self::Command(_) | Self::Typed)
    }

    /// The extension that started the call, for `origin_extension` on the wire.
    #[must_use]
    pub fn extension(&self) -> Option<&str> {
        match self {
            Self::Extension(name) | Self::Command(name) => Some(name),
            Self::Model | Self::Typed | Self::User => None,
        }
    }
}

/// What surrounds a call.
#[derive(Debug, Clone)]
pub struct Context {
    /// Ends the call.
    pub cancel: CancellationToken,
    /// The project directory, against which relative paths are resolved.
    pub cwd: Arc<PathBuf>,
    /// Whether a face is there that can show a panel and ask a person.
    pub can_interact: bool,
    /// Who wanted the call.
    pub origin: Origin,
    /// Where progress goes.
    pub progress: Progress,
    /// What it may start.
    pub nested: Nested,
}

/// Shows the progress of a running call in the faces; the model never sees it.
///
/// # Limits
/// Progress is for the eye: when nobody takes it fast enough, lines are dropped.
#[derive(Debug, Clone, Default)]
pub struct Progress(Option<mpsc::Sender<String>>);

impl Progress {
    /// Sends to `sink`.
    #[must_use]
    pub fn to(sink: mpsc::Sender<String>) -> Self {
        Self(Some(sink))
    }

    /// Goes nowhere.
    #[must_use]
    pub fn nowhere() -> Self {
        Self(None)
    }

    /// Shows a line of progress.
    pub fn show(&self, text: impl Into<String>) {
        if let Some(sink) = &self.0 {
            drop(sink.try_send(text.into()));
        }
    }
}
