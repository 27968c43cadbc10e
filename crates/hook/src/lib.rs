//! Moments, and the ordered chains of listeners that observe or change them.
//!
//! Does not know where a listener lives (a child process, a test) or what an answer looks like on
//! the wire; `ext-host` adapts extensions to the traits here, `engine` runs the chains.

mod agent;
mod board;
mod chain;
mod listener;
mod moment;
mod moments;
mod observation;

pub use agent::Agent;
pub use board::{Board, Slot};
pub use chain::{Chain, Did, Outcome, Step, Verdict};
pub use listener::{Listener, Matcher, Meta, OnFailure, Silence};
pub use moment::{Fold, Moment};
pub use moments::{
    AgentFacts, AssistantAnswer, AssistantMessage, BeforeAgentStart, MessageFacts, Prompt,
    StepFacts, ToolAnswer, ToolCall, ToolFacts, TurnAnswer, TurnStart,
};
pub use observation::{
    Observation, Observer, PermissionDecision, PermissionSource, PermissionStage,
};
