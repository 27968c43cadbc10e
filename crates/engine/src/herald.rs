//! Tells observers, and brackets everything they hear with one start and one end: those of the
//! conversation, or those of a sub-agent.
//!
//! Does not know who observes. An observer that panics is logged; the turn goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use zeug_hook::{Agent, Board, Chain, Moment, Observation, Slot};
use zeug_transcript::Status;

use crate::EndReason;

/// What was told of the bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Nothing,
    Start,
    End,
}

pub(crate) struct Herald {
    board: Arc<Board>,
    /// Whose doings these are; `None` is the main agent.
    agent: Option<Arc<Agent>>,
    // Held while a start or an end is told: whoever comes second waits until it was.
    told: Mutex<Told>,
    /// How the last prompt ended, and why if not well: how a sub-agent ended.
    last: Mutex<(Status, Option<String>)>,
}

impl Herald {
    pub(crate) fn new(board: Arc<Board>, agent: Option<Arc<Agent>>) -> Self {
        Self {
            board,
            agent,
            told: Mutex::new(Told::Nothing),
            last: Mutex::new((Status::Cancelled, None)),
        }
    }

    pub(crate) fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// The sub-agent whose herald this is.
    pub(crate) fn agent(&self) -> Option<&Arc<Agent>> {
        self.agent.as_ref()
    }

    /// Waits until whoever observes can take more: a model may want a thousand calls at once, and
    /// nobody who listens well is to lose one.
    pub(crate) async fn room(&self) {
        self.board.room().await;
    }

    /// Those who are asked at a moment. They hear in which agent it is.
    pub(crate) fn chain<M: Moment>(&self, slot: &Slot<M>, facts: &M::Facts) -> Chain<M> {
        Chain::of(slot, facts).within(self.agent.clone())
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        // An observer's panic is caught below, so nothing breaks off half-way.
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells that the conversation is active, once.
    pub(crate) fn open(&self) {
        let mut told = self.told();
        if *told == Told::Nothing {
            *told = Told::Start;
            self.start();
        }
    }

    /// Another conversation takes the place of this one: the end of the one is told, then
    /// `between` is done, then the start of the other is told. Before the first start only
    /// `between` is done.
    pub(crate) fn switch(&self, reason: EndReason, between: impl FnOnce()) {
        let told = self.told();
        if *told == Told::Start {
            self.stop(reason);
        }
        between();
        if *told == Told::Start {
            self.start();
        }
    }

    fn start(&self) {
        self.tell(&match &self.agent {
            None => Observation::SessionStart,
            Some(agent) => Observation::SubagentStart {
                agent_id: agent.agent_id.clone(),
                agent_run_id: agent.agent_run_id.clone(),
                name: agent.name.clone(),
            },
        });
    }

    /// Tells an observation, after the start.
    pub(crate) fn announce(&self, observation: &Observation) {
        self.open();
        self.tell(observation);
    }

    /// Takes note of how a prompt ended.
    pub(crate) fn remember(&self, status: Status, error: Option<String>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = (status, error);
    }

    /// Tells that the conversation closed, once, and only if it was open.
    pub(crate) fn end(&self, reason: EndReason) {
        let mut told = self.told();
        if *told == Told::Start {
            *told = Told::End;
            self.stop(reason);
        }
    }

    fn stop(&self, reason: EndReason) {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (status, error) = last.clone();
        drop(last);
        self.tell(&match &self.agent {
            None => Observation::SessionEnd {
                reason: reason.as_str(),
            },
            Some(agent) => Observation::SubagentStop {
                agent_id: agent.agent_id.clone(),
                agent_run_id: agent.agent_run_id.clone(),
                name: agent.name.clone(),
                status,
                error,
            },
        });
    }

    fn tell(&self, observation: &Observation) {
        let told = catch_unwind(AssertUnwindSafe(|| {
            self.board.announce_in(self.agent.as_deref(), observation);
        }));
        if told.is_err() {
            tracing::error!(?observation, "an observer panicked");
        }
    }
}

impl Drop for Herald {
    // The owner may be dropped with its runtime, without a chance to close.
    fn drop(&mut self) {
        self.end(EndReason::Shutdown);
    }
}
