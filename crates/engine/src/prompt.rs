//! The system prompt as extensions left it: prepared once, reused until it is rebuilt.
//!
//! Does not know how the base prompt is assembled.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use zeug_hook::{AgentFacts, BeforeAgentStart, Did};
use zeug_provider::{Effort, Provider};
use zeug_stdx::id::IdSource;

use crate::Event;
use crate::cancel::Cancelled;
use crate::shared::Shared;

static RUN_IDS: IdSource = IdSource::new("run");

/// Which model is asked, and with which base prompt.
#[derive(Clone)]
pub(crate) struct Brain {
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) model: String,
    /// The tokens that fit into the model's window, when that is known.
    pub(crate) window: Option<u64>,
    /// How much it reasons; `None` leaves it to the provider.
    pub(crate) reasoning: Option<Effort>,
    pub(crate) base: Arc<str>,
    // Counts rebuilds: even one with the same text makes a preparation stale.
    pub(crate) generation: u64,
}

/// A brain with the prompt it is asked with.
pub(crate) struct Prepared {
    pub(crate) brain: Brain,
    pub(crate) system: Option<Arc<str>>,
}

pub(crate) struct SystemPrompt {
    brain: watch::Sender<Brain>,
    prepared: Mutex<Option<(u64, Arc<str>)>>,
    session_id: Mutex<String>,
    cwd: String,
}

impl Brain {
    pub(crate) fn new(provider: Arc<dyn Provider>, model: String, base: Arc<str>) -> Self {
        Self {
            provider,
            model,
            window: None,
            reasoning: None,
            base,
            generation: 0,
        }
    }
}

impl SystemPrompt {
    pub(crate) fn new(brain: Brain, session_id: String, cwd: String) -> Self {
        Self {
            brain: watch::Sender::new(brain),
            prepared: Mutex::default(),
            session_id: Mutex::new(session_id),
            cwd,
        }
    }

    /// Starts over from `base`.
    pub(crate) fn rebuild(&self, base: Arc<str>) {
        self.brain.send_modify(|brain| {
            brain.base = base;
            brain.generation += 1;
        });
    }

    /// Starts over with another model.
    pub(crate) fn switch(&self, provider: Arc<dyn Provider>, model: String, base: Arc<str>) {
        self.brain.send_modify(|brain| {
            brain.provider = provider;
            brain.model = model;
            brain.window = None;
            brain.base = base;
            brain.generation += 1;
        });
    }

    /// Another conversation is the one that is open; its prompt is prepared anew.
    pub(crate) fn move_to(&self, session_id: String) {
        *self.session() = session_id;
        self.renew();
    }

    fn session(&self) -> MutexGuard<'_, String> {
        self.session_id
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Says how much the model reasons from the next request on.
    pub(crate) fn set_reasoning(&self, reasoning: Option<Effort>) {
        // Nobody needs to be asked again for this.
        self.brain.send_if_modified(|brain| {
            brain.reasoning = reasoning;
            false
        });
    }

    /// Prepares the same base anew.
    pub(crate) fn renew(&self) {
        self.brain.send_modify(|brain| brain.generation += 1);
    }

    /// Says how much fits into the model's window.
    pub(crate) fn set_window(&self, window: Option<u64>) {
        // Nobody needs to be asked again for this.
        self.brain.send_if_modified(|brain| {
            brain.window = window;
            false
        });
    }

    /// Which model is asked now.
    pub(crate) fn brain(&self) -> Brain {
        self.brain.borrow().clone()
    }

    /// The conversation.
    pub(crate) fn session_id(&self) -> String {
        self.session().clone()
    }

    fn remembered(&self, generation: u64) -> Option<Arc<str>> {
        let prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        prepared
            .as_ref()
            .filter(|(of, _)| *of == generation)
            .map(|(_, text)| text.clone())
    }

    fn remember(&self, generation: u64, text: Arc<str>) {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        *prepared = Some((generation, text));
    }

    fn facts(&self, brain: &Brain) -> AgentFacts {
        AgentFacts {
            session_id: self.session_id(),
            agent_run_id: RUN_IDS.next(),
            cwd: self.cwd.clone(),
            provider: brain.provider.key().to_owned(),
            model: brain.model.clone(),
        }
    }
}

/// The prepared prompt. A rebuild while extensions are asked discards what they were asked about
/// and asks anew; giving up commits nothing.
pub(crate) async fn prepared(
    shared: &Shared,
    cancel: &CancellationToken,
) -> Result<Prepared, Cancelled> {
    let prompt = &shared.system_prompt;
    let mut rebuilt = prompt.brain.subscribe();
    loop {
        let brain = rebuilt.borrow_and_update().clone();
        if let Some(text) = prompt.remembered(brain.generation) {
            let system = (!text.is_empty()).then_some(text);
            return Ok(Prepared { brain, system });
        }
        let facts = prompt.facts(&brain);
        let slot = &shared.herald.board().before_agent_start;
        let chain = shared.herald.chain::<BeforeAgentStart>(slot, &facts);
        let outcome = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(Cancelled),
            _ = rebuilt.changed() => continue,
            outcome = chain.run(&facts, brain.base.clone()) => outcome,
        };
        for step in outcome.steps {
            // The verdict is of no account here: nobody can refuse that an agent starts.
            if let Did::Failed(silence) = step.did {
                let message = format!(
                    "it did not answer for the system prompt: {silence}; the prompt goes out \
                     without its changes"
                );
                let extension = Some(step.extension);
                let warning = Event::Warning { extension, message };
                shared.out.tell(warning, cancel).await;
            }
        }
        prompt.remember(brain.generation, outcome.value);
    }
}
