//! Who may look at requests and answers, and change requests, on their way.
//!
//! The chain is empty until somebody puts an interceptor into
//! [`HttpSettings`](super::HttpSettings).

use async_trait::async_trait;
use serde_json::Value;
use thiserror::Error;

use super::Headers;

/// A request before it is sent.
#[derive(Debug, Clone)]
pub struct Outbound {
    /// The provider's key.
    pub provider: String,
    /// The model; empty for a request that is about none.
    pub model: String,
    /// `POST` or `GET`.
    pub method: String,
    /// Where to.
    pub url: String,
    /// Its headers. Those with a credential say so.
    pub headers: Headers,
    /// Its body; `null` when there is none.
    pub body: Value,
}

/// The head of an answer.
#[derive(Debug, Clone)]
pub struct Inbound<'a> {
    /// The provider's key.
    pub provider: &'a str,
    /// The model; empty for a request that is about none.
    pub model: &'a str,
    /// Where it comes from.
    pub url: &'a str,
    /// The status.
    pub status: u16,
    /// Its headers.
    pub headers: &'a Headers,
}

/// A request is not to be sent.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// Looks at requests and answers. Each attempt at a request passes through the chain anew.
#[async_trait]
pub trait Interceptor: Send + Sync {
    /// Its name, for messages.
    fn name(&self) -> &str;

    /// Sees a request, and may change its URL, headers and body.
    ///
    /// # Errors
    /// When the request must not be sent.
    async fn request(&self, outbound: &mut Outbound) -> Result<(), Refused> {
        let _ = outbound;
        Ok(())
    }

    /// Sees the head of an answer, whatever its status.
    async fn response(&self, inbound: &Inbound<'_>) {
        let _ = inbound;
    }
}
