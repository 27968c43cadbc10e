//! What every room of the machine can reach: contracts, the way out, and state behind short locks.
//!
//! Does not decide anything.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use zeug_hook::Observation;
use zeug_stdx::id::IdSource;
use zeug_tool::Table;
use zeug_transcript::{Message, StopReason, Usage};

use crate::call::approve::Policy;
use crate::handle::Command;
use crate::herald::Herald;
use crate::out::Out;
use crate::prompt::{Brain, SystemPrompt};
use crate::trail::Trail;
use crate::transcript::Transcript;
use crate::{Adoption, Ask, Child, EndReason, Event, Limits, Setup};

/// Ids of calls that the model did not start, and so gave no id.
pub(crate) static CALL_IDS: IdSource = IdSource::new("call");

pub(crate) struct Shared {
    pub(crate) tools: Table,
    pub(crate) herald: Herald,
    pub(crate) system_prompt: SystemPrompt,
    pub(crate) out: Out,
    pub(crate) asks: mpsc::Sender<Ask>,
    /// One for an agent and its sub-agents: what was permitted once is permitted to all.
    pub(crate) policy: Arc<Mutex<Policy>>,
    pub(crate) transcript: Arc<Transcript>,
    pub(crate) trail: Arc<Trail>,
    pub(crate) spent: Mutex<Usage>,
    pub(crate) cwd: Arc<PathBuf>,
    pub(crate) limits: Limits,
    /// How calls that running calls start come in.
    pub(crate) commands: OnceLock<mpsc::WeakSender<Command>>,
    /// Ends everything this machine does.
    pub(crate) root: CancellationToken,
}

impl Shared {
    pub(crate) fn new(setup: Setup, events: mpsc::Sender<Event>, asks: mpsc::Sender<Ask>) -> Self {
        let policy = Policy::new(&setup);
        Self {
            tools: setup.tools,
            herald: Herald::new(setup.board, None),
            out: Out::new(events),
            asks,
            policy: Arc::new(Mutex::new(policy)),
            transcript: Arc::new(Transcript::new(setup.history)),
            trail: Arc::default(),
            spent: Mutex::new(setup.spent),
            limits: setup.limits,
            root: CancellationToken::new(),
            commands: OnceLock::new(),
            system_prompt: SystemPrompt::new(
                Brain {
                    window: setup.limits.context_window,
                    reasoning: setup.reasoning,
                    ..Brain::new(setup.provider, setup.model, setup.system_prompt)
                },
                setup.session_id,
                setup.cwd.display().to_string(),
            ),
            cwd: setup.cwd,
        }
    }

    /// For a sub-agent of the agent that this is of.
    pub(crate) fn child(&self, child: Child, events: mpsc::Sender<Event>) -> Self {
        let brain = self.system_prompt.brain();
        let (model, window) = match child.model {
            Some(model) if model != brain.model => (model, child.context_window),
            _ => (brain.model, brain.window),
        };
        let limits = Limits {
            max_steps: child.max_steps,
            context_window: window,
            ..self.limits
        };
        Self {
            tools: child.tools,
            herald: Herald::new(self.herald.board().clone(), Some(Arc::new(child.agent))),
            out: Out::new(events),
            asks: self.asks.clone(),
            policy: self.policy.clone(),
            transcript: Arc::default(),
            trail: self.trail.clone(),
            spent: Mutex::default(),
            limits,
            root: self.root.child_token(),
            commands: OnceLock::new(),
            system_prompt: SystemPrompt::new(
                Brain {
                    window,
                    reasoning: brain.reasoning,
                    ..Brain::new(brain.provider, model, child.system_prompt)
                },
                self.system_prompt.session_id(),
                self.cwd.display().to_string(),
            ),
            cwd: self.cwd.clone(),
        }
    }

    /// Looks at or changes the policy.
    pub(crate) fn with_policy<T>(&self, look: impl FnOnce(&mut Policy) -> T) -> T {
        look(&mut self.policy.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What was spent so far, after adding `more`.
    pub(crate) fn spend(&self, more: Usage) -> Usage {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        *spent += more;
        *spent
    }

    /// Another conversation takes the place of the one that is open.
    pub(crate) fn adopt(&self, adoption: Adoption) {
        let Adoption {
            session_id,
            history,
            spent,
            activated,
            between,
        } = adoption;
        self.herald.switch(EndReason::SessionSwitch, || {
            self.transcript.adopt(history);
            self.tools.restore_activated(activated);
            *self.spent.lock().unwrap_or_else(PoisonError::into_inner) = spent;
            self.system_prompt.move_to(session_id);
            between();
        });
        self.out.owe(Event::Adopted);
    }

    /// The conversation grows, and whoever stores it hears of it.
    pub(crate) async fn append(&self, message: Message, cancel: &CancellationToken) {
        self.transcript.push(message.clone());
        self.out.tell(Event::Appended(message), cancel).await;
    }

    /// Puts right a conversation that no provider would accept. There is nothing to do unless
    /// something broke off.
    pub(crate) async fn mend(&self, cancel: &CancellationToken) {
        for message in self.transcript.mend() {
            tracing::error!("a call had no result when the conversation was needed");
            self.out.tell(Event::Appended(message), cancel).await;
        }
    }

    /// A model response ended.
    pub(crate) async fn turn_end(
        &self,
        stop: StopReason,
        error: Option<String>,
        cancel: &CancellationToken,
    ) {
        self.herald.announce(&Observation::TurnEnd {
            stop,
            error: error.clone(),
        });
        self.out.tell(Event::TurnEnd { stop, error }, cancel).await;
    }
}
