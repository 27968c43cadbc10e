//! The one way to a server: what goes out, what comes in, who may look at it, how long it may
//! take.
//!
//! No library and no vendor is known here but the client that opens connections
//! (`network`). Everything that can be secret is masked before it reaches a log or an error.

mod client;
mod exchange;
mod interceptor;
mod mask;
mod memory;
mod network;
mod settings;
mod watch;

pub use exchange::{Body, Header, Headers, HttpRequest, HttpResponse};
pub use interceptor::{Inbound, Interceptor, Outbound, Refused};
pub use memory::{Memory, Reply};
pub use network::Network;
pub use settings::{HttpSettings, ProxySettings, Timeouts};

pub(crate) use client::{Client, Identity};
pub(crate) use mask::Mask;

use async_trait::async_trait;
use std::time::Duration;
use thiserror::Error;

/// Sends requests and gives answers as they arrive.
///
/// # Cancel safety
/// Dropping the future, or the body of the answer, gives the request up and closes its connection.
#[async_trait]
pub trait Transport: Send + Sync {
    /// Sends a request; the answer is there as soon as its head is.
    ///
    /// # Errors
    /// When there is no answer at all. An answer with any status is an answer.
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError>;
}

/// Why there was no answer, or only a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TransportError {
    /// Nobody listens there, the name is unknown, or the certificate is not trusted.
    #[error("no connection to {host}: {reason}")]
    Connect {
        /// Where to.
        host: String,
        /// What the system said.
        reason: String,
    },
    /// The head of the answer did not come in time.
    #[error("no answer within {} s", .0.as_secs_f64())]
    FirstByte(Duration),
    /// The answer stalled.
    #[error("nothing more came for {} s", .0.as_secs_f64())]
    Idle(Duration),
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broken(String),
    /// The request could not be made from what it was given.
    #[error("the request cannot be sent: {0}")]
    Unsendable(String),
    /// An interceptor stopped the request.
    #[error("stopped by {name}: {reason}")]
    Stopped {
        /// Who.
        name: String,
        /// Why.
        reason: String,
    },
}
