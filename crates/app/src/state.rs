//! How an agent stands: which model answers, what runs, what was spent.
//!
//! Kept beside the machines, which hand out no such picture; read as a snapshot.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use zeug_engine::{Event, PromptId};
use zeug_provider::Provider;
use zeug_transcript::Usage;

/// A picture of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The provider's key.
    pub provider: String,
    /// The model's name at its provider.
    pub model: String,
    /// The project directory.
    pub cwd: PathBuf,
    /// The conversation's id.
    pub session_id: String,
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
    session_id: String,
    live: Mutex<Live>,
}

struct Live {
    provider: Arc<dyn Provider>,
    model: String,
    running: Option<PromptId>,
    queued: usize,
    usage: Usage,
}

impl Standing {
    pub(crate) fn new(setup: &zeug_engine::Setup) -> Self {
        Self {
            cwd: Arc::clone(&setup.cwd),
            session_id: setup.session_id.clone(),
            live: Mutex::new(Live {
                provider: Arc::clone(&setup.provider),
                model: setup.model.clone(),
                running: None,
                queued: 0,
                usage: Usage::default(),
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
            session_id: self.session_id.clone(),
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
