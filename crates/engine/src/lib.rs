//! The turn machine: prompts go in, a model is asked, its tool calls pass one gate, events come out.
//!
//! Three doors: [`Handle`] (what it may be told), [`Event`] (what it announces) and [`Ask`] (what
//! it must be told). It does not know where extensions live, who shows the events or who stores
//! the conversation; it touches no disk, no terminal and no process.

mod adopt;
mod ask;
mod call;
mod cancel;
mod common;
mod compact;
mod event;
mod handle;
mod herald;
mod out;
mod owner;
mod prompt;
mod queue;
mod retry;
mod setup;
mod shared;
mod trail;
mod transcript;
mod turn;

pub use adopt::Adoption;
pub(crate) use adopt::Loading;
pub use ask::{Ask, Consent};
pub use call::{CallReport, CallRequest};
pub use common::{Child, Common};
pub use compact::{CompactReport, Compacted, Trigger, summary_message};
pub use event::{DoneOutcome, Event, ToolResult};
pub use handle::{EndReason, Handle, Refused};
pub use queue::{FirstCall, Prompt, PromptId};
pub use setup::{Approval, Limits, Setup};
pub use trail::{Ruling, Trace};

use tokio::sync::mpsc::Receiver;

/// Starts a turn machine: one task that owns the conversation. It ends after [`Handle::close`],
/// or when the last handle is gone.
///
/// # Panics
/// Outside a tokio runtime.
#[must_use]
pub fn start(setup: Setup) -> (Handle, Receiver<Event>, Receiver<Ask>) {
    owner::start(setup)
}

/// Starts the turn machine of a sub-agent. Everything in it is told, asked and permitted as in the
/// agent that `common` is of, and is told to be the sub-agent's. Its questions go to that agent's
/// [`Ask`]s. It ends like every machine, and is given up together with that agent.
///
/// # Errors
/// When that agent is over.
///
/// # Panics
/// Outside a tokio runtime.
pub fn start_child(common: &Common, child: Child) -> Result<(Handle, Receiver<Event>), Refused> {
    owner::start_child(common, child)
}
