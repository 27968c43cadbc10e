//! What the machine must be told by a person.
//!
//! Does not know how a question is shown. A dropped question answers itself with the safe default.

use zeug_hook::Agent;
use zeug_stdx::reply::Reply;
use zeug_tool::{Origin, Source};

/// A question that waits for an answer. When the call is given up meanwhile, a cancelled
/// permission decision is announced and the answer no longer matters.
#[derive(Debug)]
pub enum Ask {
    /// May this call run? Dropping it answers [`Consent::No`].
    Approve {
        /// The call.
        call_id: String,
        /// The tool's name.
        name: String,
        /// Who offers the tool.
        source: Source,
        /// Who wants the call.
        origin: Origin,
        /// The sub-agent whose model wants it; `None` is the main agent.
        agent: Option<Agent>,
        /// One line, at most 120 bytes.
        summary: String,
        /// What the call would do, in full: a command, a diff.
        preview: Option<String>,
        /// Why a person is asked although the policy would not, when a guard was silent.
        reason: Option<String>,
        /// The answer.
        reply: Reply<Consent>,
    },
}

/// The answer to [`Ask::Approve`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// This call may run.
    Once,
    /// This and every later call of this tool may run.
    Tool,
    /// This and every later call may run.
    Session,
    /// It may not run.
    No,
}
