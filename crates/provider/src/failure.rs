//! Why a request failed, and whether trying again can help.

use std::time::Duration;

use thiserror::Error;

/// The kinds of failure that lead to different behaviour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// Too many requests: wait and try again.
    RateLimited,
    /// The provider has too much to do: wait and try again.
    Overloaded,
    /// The provider broke, or a gateway did: try again.
    Server,
    /// No connection, or it was cut: try again.
    Network,
    /// The conversation does not fit into the model's window.
    ContextOverflow,
    /// The credentials were refused.
    Authentication,
    /// The account has no budget left.
    Quota,
    /// The request was wrong; the same one will fail again.
    BadRequest,
    /// The model, or a filter around it, declined to answer.
    Refused,
}

/// A failed request.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{provider}/{model}: {}{message}", status.map(|s| format!("{s} ")).unwrap_or_default())]
pub struct Failure {
    /// What to do about it.
    pub kind: FailureKind,
    /// The provider's key.
    pub provider: String,
    /// The model's name.
    pub model: String,
    /// The HTTP status, when there was one.
    pub status: Option<u16>,
    /// What the provider said.
    pub message: String,
    /// How long the provider asked to wait.
    pub retry_after: Option<Duration>,
    /// What to do, when the provider's side knows better than the kind alone tells.
    pub advice: Option<String>,
}

impl FailureKind {
    /// The kind that an HTTP status stands for.
    #[must_use]
    pub fn of_status(status: u16) -> Self {
        match status {
            401 | 403 => Self::Authentication,
            402 => Self::Quota,
            408 => Self::Network,
            413 => Self::ContextOverflow,
            429 => Self::RateLimited,
            503 | 529 => Self::Overloaded,
            500..=599 => Self::Server,
            _ => Self::BadRequest,
        }
    }

    /// Whether the same request may succeed later.
    #[must_use]
    pub fn is_retryable(self) -> bool {
        matches!(
            self,
            Self::RateLimited | Self::Overloaded | Self::Server | Self::Network
        )
    }
}
