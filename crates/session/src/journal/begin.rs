//! What is known of a session when it begins.

use crate::SessionId;
use crate::entry::{FORMAT, Meta, Origin};

/// What is known of a session when it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// Its id.
    pub id: SessionId,
    /// The project directory, for people.
    pub cwd: Option<String>,
    /// The key of the provider.
    pub provider: Option<String>,
    /// The model's name at its provider.
    pub model: Option<String>,
    /// The title.
    pub title: Option<String>,
    /// The session that it comes from.
    pub origin: Option<Origin>,
}

impl NewSession {
    /// A session of which nothing is known.
    #[must_use]
    pub fn new() -> Self {
        Self {
            id: SessionId::random(),
            cwd: None,
            provider: None,
            model: None,
            title: None,
            origin: None,
        }
    }

    pub(crate) fn meta(self) -> Meta {
        Meta {
            session: Some(self.id),
            version: Some(FORMAT),
            cwd: self.cwd,
            provider: self.provider,
            model: self.model,
            title: self.title,
            origin: self.origin,
        }
    }
}

impl Default for NewSession {
    fn default() -> Self {
        Self::new()
    }
}
