//! The puppet: a provider whose answers are written in the prompt.
//!
//! ```text
//! call weather {"city":"Berlin"}      one tool call; several lines = several calls in one turn
//! then                                ends this model turn; what follows is the next one
//! say It is warm.                     text, streamed by word
//! think …                             reasoning, streamed by word
//! js …                                a call of `codemode` with the rest of the block
//! wait 200ms                          a pause in the stream
//! fail 529 overloaded                 fails once, so that a retry succeeds; `fail! 400 …` always
//! usage 1200 80                       reported token counts
//! ```
//!
//! It holds no conversation: everything but the memory of past failures is in the request.

mod answer;
mod failed;
mod fill;
mod scene;
mod script;
mod stream;

use std::sync::Arc;

use async_trait::async_trait;
use futures::StreamExt as _;
use tokio_util::sync::CancellationToken;
use zeug_provider::{DeltaStream, Failure, Provider, Request};

use answer::Beat;
use failed::Failed;
use scene::Scene;

/// The provider's key.
const KEY: &str = "puppet";

/// The provider.
#[derive(Debug, Default)]
pub(crate) struct Puppet {
    failed: Arc<Failed>,
}

#[async_trait]
impl Provider for Puppet {
    fn key(&self) -> &str {
        KEY
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<DeltaStream, Failure> {
        let scene = Scene::of(&request);
        let mut beats = answer::compose(&scene);
        // A refusal before the first piece is an error of the request, as a real provider's is.
        while !cancel.is_cancelled()
            && let Some(Beat::Fail(fail)) = beats.front()
        {
            self.failed.check(fail)?;
            beats.pop_front();
        }
        Ok(stream::play(beats, Arc::clone(&self.failed), cancel).boxed())
    }
}

#[cfg(test)]
mod tests;
