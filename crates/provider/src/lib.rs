//! What a model is: a request in, a stream of parts out, which failures are worth a retry.
//!
//! Does not know any vendor; those are in `providers`.

mod failure;
mod request;

use async_trait::async_trait;
use futures::stream::BoxStream;
use tokio_util::sync::CancellationToken;
use zeug_transcript::{StopReason, Usage};

pub use failure::{Failure, FailureKind};
pub use request::{Effort, Request, ToolDeclaration};

/// A piece of an answer as it arrives.
#[derive(Debug, Clone, PartialEq)]
pub enum Delta {
    /// More text.
    Text(String),
    /// More reasoning.
    Thinking(String),
    /// The signature that closes the reasoning so far. Without open reasoning before it, it becomes
    /// an empty reasoning part of its own.
    ThinkingSignature(String),
    /// A tool call begins. Calls may arrive interleaved; `id` tells them apart.
    ToolCallStart {
        /// The provider's id of the call.
        id: String,
        /// The tool's name.
        name: String,
    },
    /// More of a call's arguments, as JSON text.
    ToolCallArgs {
        /// The call.
        id: String,
        /// The next piece of JSON text.
        json: String,
    },
    /// A call's arguments are complete.
    ToolCallEnd {
        /// The call.
        id: String,
    },
    /// Token counts of this request, possibly more than once; the last one counts.
    Usage(Usage),
    /// The answer is complete.
    Stop(StopReason),
}

/// The pieces of one answer. Ends after [`Delta::Stop`] or the first failure; an end without
/// either is a cut stream. Dropping it closes the connection.
pub type DeltaStream = BoxStream<'static, Result<Delta, Failure>>;

/// A connection to models.
#[async_trait]
pub trait Provider: Send + Sync {
    /// The provider's key, for example `puppet`.
    fn key(&self) -> &str;

    /// Sends a request and gives the answer as it arrives.
    ///
    /// # Errors
    /// When the provider refuses before anything was streamed.
    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<DeltaStream, Failure>;
}
