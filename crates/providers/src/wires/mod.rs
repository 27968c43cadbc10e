//! The library's wires behind our contract: requests in, pieces out.
//!
//! Every type of the library stays below this module.

mod build;
mod calls;
mod carrier;
mod effort;
mod failure;
mod listing;
mod marks;
mod replay;
mod request;
mod seam;
mod stream;

use std::sync::Arc;

use async_trait::async_trait;
use futures::StreamExt as _;
use rig_core::completion::{CompletionRequest, Reasoning};
use rig_core::error::ProviderError;
use rig_core::streaming::CompletionStream;
use tokio_util::sync::CancellationToken;
use zeug_provider::{DeltaStream, Failure, Provider, Request};

use crate::connect::Endpoint;
use crate::http::Client;

pub(crate) use build::line;
pub(crate) use calls::CallIds;
pub(crate) use failure::Blame;
pub(crate) use listing::{Listed, list};

/// A wire of the library with its types hidden.
pub(crate) trait Line: Send + Sync {
    /// What the wire calls its grammar.
    fn api(&self) -> String;

    /// What the library calls the provider.
    fn vendor(&self) -> String;

    /// Whether the wire can ask for this much reasoning.
    fn takes(&self, request: &CompletionRequest, reasoning: Reasoning) -> bool;

    /// Whether instructions may stand at the end of the conversation.
    fn hears_late_instructions(&self, model: &str) -> bool;

    /// Opens an answer. Nothing is sent until it is polled.
    #[expect(clippy::result_large_err, reason = "the library's error")]
    fn open(
        &self,
        request: CompletionRequest,
        ids: CallIds,
        hidden: bool,
    ) -> Result<CompletionStream, ProviderError>;
}

/// A model at a provider.
pub(crate) struct Wired {
    endpoint: Arc<Endpoint>,
    line: Box<dyn Line>,
    client: Client,
}

impl Wired {
    pub(crate) fn new(endpoint: Endpoint, line: Box<dyn Line>, client: Client) -> Self {
        Self {
            endpoint: Arc::new(endpoint),
            line,
            client,
        }
    }
}

#[async_trait]
impl Provider for Wired {
    fn key(&self) -> &str {
        &self.endpoint.provider
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<DeltaStream, Failure> {
        let model = if request.model.is_empty() {
            self.endpoint.model.clone()
        } else {
            request.model.clone()
        };
        let mask = self.client.mask().clone();
        let blame = Blame::new(Arc::clone(&self.endpoint), model.clone(), mask);
        let hidden = request.context.is_some();
        let asked = request::rig(&request, &model, &self.endpoint, self.line.as_ref());
        let ids = CallIds::default();
        let opened = self.line.open(asked, ids.clone(), hidden);
        let answer = opened.map_err(|error| blame.failure(&error))?;
        let pieces = stream::pieces(answer, ids, self.line.api(), blame, cancel);
        let mut pieces = Box::pin(pieces);
        // The request is sent by the first look at its answer, so that a refusal is found here.
        match pieces.next().await {
            Some(Err(failure)) => Err(failure),
            Some(first) => Ok(futures::stream::iter([first]).chain(pieces).boxed()),
            None => Ok(futures::stream::empty().boxed()),
        }
    }
}
