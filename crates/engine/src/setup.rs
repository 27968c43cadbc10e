//! What a turn machine is started with. Does not know where any of it was configured.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use zeug_hook::Board;
use zeug_provider::{Effort, Provider};
use zeug_tool::Table;
use zeug_transcript::{Message, Usage};

/// Which tool calls a person must approve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Approval {
    /// None.
    Never,
    /// All but those of built-in tools that change nothing.
    #[default]
    Writes,
    /// All.
    Always,
}

/// Everything a turn machine needs.
#[derive(Clone)]
pub struct Setup {
    /// Where the model is.
    pub provider: Arc<dyn Provider>,
    /// The model's name at its provider.
    pub model: String,
    /// How much the model reasons before it answers; `None` leaves it to the provider.
    pub reasoning: Option<Effort>,
    /// The tools, which may change at any time.
    pub tools: Table,
    /// Who listens, which may change at any time.
    pub board: Arc<Board>,
    /// The assembled system prompt, before extensions see it; empty sends none.
    pub system_prompt: Arc<str>,
    /// The project directory.
    pub cwd: Arc<PathBuf>,
    /// The conversation's id.
    pub session_id: String,
    /// What was said before, oldest first; calls without a result are given one.
    pub history: Vec<Message>,
    /// The tokens that this took.
    pub spent: Usage,
    /// Which calls a person must approve.
    pub approval: Approval,
    /// Whether a person can be asked for approval.
    pub can_ask: bool,
    /// Whether a face can show a panel.
    pub can_interact: bool,
    /// Numbers that bound the work.
    pub limits: Limits,
}

impl std::fmt::Debug for Setup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setup")
            .field("provider", &self.provider.key())
            .field("model", &self.model)
            .field("session_id", &self.session_id)
            .field("approval", &self.approval)
            .field("can_ask", &self.can_ask)
            .field("can_interact", &self.can_interact)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Numbers that bound the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Model calls in one prompt; `None` is no bound.
    pub max_steps: Option<u32>,
    /// Attempts at one model call, the first included.
    pub max_attempts: u32,
    /// The upper end of the first pause between attempts; it doubles with each attempt.
    pub retry_base: Duration,
    /// The longest pause, also when the provider asks for more.
    pub retry_cap: Duration,
    /// Events that wait for the face before the machine waits for it.
    pub event_queue: usize,
    /// The tokens that fit into the model's window. Unknown, room is made only after the provider
    /// refused a conversation as too long.
    pub context_window: Option<u64>,
    /// How full the window may be before room is made, in percent; 0 makes room only after the
    /// provider refused a conversation.
    pub compact_at_percent: u8,
    /// How long making room may take, retries included.
    pub compact_deadline: Duration,
    /// Fixes the random pauses, for tests and replays.
    pub jitter_seed: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_steps: Some(200),
            max_attempts: 5,
            retry_base: Duration::from_millis(500),
            retry_cap: Duration::from_secs(30),
            event_queue: 1024,
            context_window: None,
            compact_at_percent: 85,
            compact_deadline: Duration::from_secs(300),
            jitter_seed: None,
        }
    }
}
