//! Whose doing something is, when it is not the main agent's.

/// A sub-agent. What happens in it is told and asked like what happens in the agent that the user
/// talks to, with this beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Names the sub-agent; survives a resume.
    pub agent_id: String,
    /// Names this run of it; pairs its start with its stop.
    pub agent_run_id: String,
    /// What it is called, for people.
    pub name: String,
    /// How many agents are above it, the main agent included.
    pub depth: u32,
}
