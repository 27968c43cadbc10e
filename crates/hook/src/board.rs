//! Who listens where. Readers take a snapshot; joining and leaving replace it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    Agent, AssistantMessage, BeforeAgentStart, Listener, Moment, Observation, Observer, ToolCall,
    TurnStart,
};

/// The listeners of one moment, in order.
pub struct Slot<M: Moment>(Mutex<Snapshot<M>>);

type Snapshot<M> = Arc<Vec<Arc<dyn Listener<M>>>>;

impl<M: Moment> Default for Slot<M> {
    fn default() -> Self {
        Self(Mutex::new(Arc::default()))
    }
}

impl<M: Moment> std::fmt::Debug for Slot<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.snapshot().iter().map(|l| &l.meta().extension))
            .finish()
    }
}

impl<M: Moment> Slot<M> {
    fn change(&self, change: impl FnOnce(&mut Vec<Arc<dyn Listener<M>>>)) {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut listeners = slot.as_ref().clone();
        change(&mut listeners);
        *slot = Arc::new(listeners);
    }

    /// Adds a listener at its place.
    pub fn join(&self, listener: Arc<dyn Listener<M>>) {
        self.change(|all| {
            let at = all.partition_point(|l| l.meta().rank() <= listener.meta().rank());
            all.insert(at, listener);
        });
    }

    /// Removes the listeners that `gone` points out.
    pub fn leave(&self, gone: impl Fn(&crate::Meta) -> bool) {
        self.change(|all| all.retain(|l| !gone(l.meta())));
    }

    /// The listeners now.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Vec<Arc<dyn Listener<M>>>> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// All moments and the observers.
#[derive(Default)]
pub struct Board {
    /// Before a tool call.
    pub tool_call: Slot<ToolCall>,
    /// Before a model request.
    pub turn_start: Slot<TurnStart>,
    /// After a model's message.
    pub assistant_message: Slot<AssistantMessage>,
    /// After the system prompt was assembled.
    pub before_agent_start: Slot<BeforeAgentStart>,
    observers: Mutex<Arc<Vec<Arc<dyn Observer>>>>,
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Board")
            .field("tool_call", &self.tool_call)
            .field("turn_start", &self.turn_start)
            .field("assistant_message", &self.assistant_message)
            .field("before_agent_start", &self.before_agent_start)
            .finish_non_exhaustive()
    }
}

impl Board {
    /// Removes the listeners that `gone` points out from every moment.
    pub fn leave(&self, gone: impl Fn(&crate::Meta) -> bool) {
        self.tool_call.leave(&gone);
        self.turn_start.leave(&gone);
        self.assistant_message.leave(&gone);
        self.before_agent_start.leave(&gone);
    }

    /// Adds an observer.
    pub fn observe_with(&self, observer: Arc<dyn Observer>) {
        let mut slot = self
            .observers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut all = slot.as_ref().clone();
        all.push(observer);
        *slot = Arc::new(all);
    }

    /// Waits until every observer can take more, for whoever has much to tell.
    pub async fn room(&self) {
        for observer in self.observers().iter() {
            observer.room().await;
        }
    }

    fn observers(&self) -> Arc<Vec<Arc<dyn Observer>>> {
        let observers = self.observers.lock();
        observers.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells every observer, in order, before it returns: whoever is asked afterwards has been
    /// told first.
    pub fn announce(&self, observation: &Observation) {
        self.announce_in(None, observation);
    }

    /// Tells every observer in which agent it was; `None` is the main agent.
    pub fn announce_in(&self, agent: Option<&Agent>, observation: &Observation) {
        for observer in self.observers().iter() {
            match agent {
                None => observer.observe(observation),
                Some(agent) => observer.observe_in(agent, observation),
            }
        }
    }
}
