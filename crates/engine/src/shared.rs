//! What every room of the machine can reach: contracts, the way out, and state behind short locks.
//!
//! Does not decide anything.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use zeug_hook::Observation;
use zeug_provider::Effort;
use zeug_stdx::id::IdSource;
use zeug_tool::Table;
use zeug_transcript::{Message, StopReason, Usage};

use crate::call::approve::Policy;
use crate::herald::Herald;
use crate::out::Out;
use crate::prompt::SystemPrompt;
use crate::trail::Trail;
use crate::transcript::Transcript;
use crate::{Ask, Event, Limits, Setup};

/// Ids of calls that the model did not start, and so gave no id.
pub(crate) static CALL_IDS: IdSource = IdSource::new("call");

pub(crate) struct Shared {
    pub(crate) tools: Table,
    pub(crate) herald: Herald,
    pub(crate) system_prompt: SystemPrompt,
    pub(crate) out: Out,
    pub(crate) asks: mpsc::Sender<Ask>,
    pub(crate) policy: Mutex<Policy>,
    pub(crate) transcript: Arc<Transcript>,
    pub(crate) trail: Arc<Trail>,
    pub(crate) spent: Mutex<Usage>,
    pub(crate) cwd: Arc<PathBuf>,
    pub(crate) limits: Limits,
    pub(crate) reasoning: Option<Effort>,
    /// Ends everything this machine does.
    pub(crate) root: CancellationToken,
}

impl Shared {
    pub(crate) fn new(setup: Setup, events: mpsc::Sender<Event>, asks: mpsc::Sender<Ask>) -> Self {
        let policy = Policy::new(&setup);
        Self {
            tools: setup.tools,
            herald: Herald::new(setup.board),
            out: Out::new(events),
            asks,
            policy: Mutex::new(policy),
            transcript: Arc::new(Transcript::new(setup.history)),
            trail: Arc::default(),
            spent: Mutex::default(),
            limits: setup.limits,
            reasoning: setup.reasoning,
            root: CancellationToken::new(),
            system_prompt: SystemPrompt::new(
                setup.provider,
                &setup.model,
                setup.system_prompt,
                setup.session_id,
                setup.cwd.display().to_string(),
            ),
            cwd: setup.cwd,
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

    /// The conversation grows, and whoever stores it hears of it.
    pub(crate) async fn append(&self, message: Message, cancel: &CancellationToken) {
        self.transcript.push(message.clone());
        self.out.tell(Event::Appended(message), cancel).await;
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
