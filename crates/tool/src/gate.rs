//! How a tool, or the owner of one, has other tools run.
//!
//! Does not know what the gate checks; every call passes the same one, in `engine`.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use zeug_stdx::json::RawJson;
use zeug_transcript::Outcome;

/// A call that an extension asks for.
#[derive(Debug, Clone)]
pub struct ToolRequest {
    /// The tool's name.
    pub name: String,
    /// The arguments, an object.
    pub args: RawJson,
    /// Who wants it.
    pub extension: String,
    /// The names of the calls above it, the outermost first.
    pub chain: Vec<String>,
    /// Gives it up.
    pub cancel: CancellationToken,
    /// How long the tool may run; waiting for an approval does not count.
    pub deadline: Duration,
}

/// The gate of one agent.
#[async_trait]
pub trait Gate: Send + Sync {
    /// Brings a call through the gate and runs it. What was refused, or went wrong, is an outcome.
    async fn call(&self, wanted: ToolRequest) -> Outcome;
}

/// What a running call may start.
#[derive(Clone, Default)]
pub struct Nested {
    /// The gate of the agent in which the call runs; without one it may start nothing.
    pub gate: Option<Arc<dyn Gate>>,
    /// The names of the calls above it and its own, the outermost first.
    pub chain: Vec<String>,
}

impl fmt::Debug for Nested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nested")
            .field("chain", &self.chain)
            .finish_non_exhaustive()
    }
}
