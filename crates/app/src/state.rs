//! How an agent stands: which model answers, what runs, what was spent.
//!
//! Kept beside the machines, which hand out no such picture; read as a snapshot.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use zeug_engine::{Event, PromptId};
use zeug_provider::{Effort, Provider};
use zeug_transcript::Usage;

use crate::SessionInfo;

/// A picture of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The provider's key.
    pub provider: String,
    /// The model's name at its provider.
    pub model: String,
    /// The project directory.
    pub cwd: PathBuf,
    /// How much the model reasons; `None` leaves it to the provider.
    pub reasoning: Option<Effort>,
    /// The open session.
    pub session: SessionInfo,
    /// The prompt that runs.
    pub running: Option<PromptId>,
    /// How many prompts wait behind it.
    pub queued: usize,
    /// Tokens of everything that was asked so far.
    pub usage: Usage,
    /// The calls that wait for [`Agent::approve`](crate::Agent::approve), the oldest first.
    pub waiting_for_approval: Vec<String>,
}

impl State {
    /// Whether a prompt runs or waits.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.running.is_some() || self.queued > 0
    }
}

/// What changes.
pub(crate) struct Standing {
    cwd: Arc<PathBuf>,
    live: Mutex<Live>,
}

struct Live {
    provider: Arc<dyn Provider>,
    model: String,
    reasoning: Option<Effort>,
    session: SessionInfo,
    running: Option<PromptId>,
    queued: usize,
    usage: Usage,
}

impl Standing {
    pub(crate) fn new(setup: &zeug_engine::Setup, session: SessionInfo) -> Self {
        Self {
            cwd: Arc::clone(&setup.cwd),
            live: Mutex::new(Live {
                provider: Arc::clone(&setup.provider),
                model: setup.model.clone(),
                reasoning: setup.reasoning,
                session,
                running: None,
                queued: 0,
                usage: setup.spent,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Live> {
        // Assignments only; nothing in there panics half-way.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a prompt as waiting until it starts, or until this is dropped unaccepted.
    pub(crate) fn submit(&self) -> Submission<'_> {
        self.lock().queued += 1;
        Submission(self, false)
    }

    /// Another model of the same provider answers from now on; that provider.
    pub(crate) fn switch(&self, model: &str) -> Arc<dyn Provider> {
        let mut live = self.lock();
        model.clone_into(&mut live.model);
        Arc::clone(&live.provider)
    }

    /// The model reasons so much from now on.
    pub(crate) fn set_reasoning(&self, reasoning: Option<Effort>) {
        self.lock().reasoning = reasoning;
    }

    /// Another session is open, or the open one has changed as a whole.
    pub(crate) fn set_session(&self, session: SessionInfo) {
        self.lock().session = session;
    }

    /// So many tokens were used on the way to the conversation that is open now.
    pub(crate) fn set_usage(&self, usage: Usage) {
        self.lock().usage = usage;
    }

    /// The open session.
    pub(crate) fn session(&self) -> SessionInfo {
        self.lock().session.clone()
    }

    /// Follows what the turn machine announces.
    pub(crate) fn observe(&self, event: &Event) {
        match event {
            Event::UserMessage { prompt, .. } => {
                let mut live = self.lock();
                live.queued = live.queued.saturating_sub(1);
                live.running = Some(*prompt);
            }
            Event::Done { prompt, .. } => {
                let mut live = self.lock();
                if live.running == Some(*prompt) {
                    live.running = None;
                } else {
                    live.queued = live.queued.saturating_sub(1);
                }
            }
            Event::Usage { cumulative, .. } => self.lock().usage = *cumulative,
            _ => {}
        }
    }

    pub(crate) fn snapshot(&self, waiting_for_approval: Vec<String>) -> State {
        let live = self.lock();
        State {
            provider: live.provider.key().to_owned(),
            model: live.model.clone(),
            cwd: self.cwd.as_ref().clone(),
            reasoning: live.reasoning,
            session: live.session.clone(),
            running: live.running,
            queued: live.queued,
            usage: live.usage,
            waiting_for_approval,
        }
    }
}

/// A prompt that is being handed to the turn machine.
pub(crate) struct Submission<'a>(&'a Standing, bool);

impl Submission<'_> {
    /// The machine took it: from here on its events count.
    pub(crate) fn accepted(mut self) {
        self.1 = true;
    }
}

impl Drop for Submission<'_> {
    fn drop(&mut self) {
        if !self.1 {
            let mut live = self.0.lock();
            live.queued = live.queued.saturating_sub(1);
        }
    }
}
