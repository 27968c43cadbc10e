//! Asking the listeners of one moment, one after the other.
//!
//! The rules are the same for every moment: load order, a deadline each, the first refusal ends
//! it, changes add up, silence counts as its subscription says. What an answer means is the
//! moment's own affair ([`Moment::fold`]).

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout};

use crate::{Agent, Fold, Listener, Moment, OnFailure, Silence};

/// What the listeners decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nobody objects.
    Pass,
    /// `extension` refuses.
    Refused {
        /// Who.
        extension: String,
        /// Why.
        reason: String,
    },
    /// Nobody refuses, but `extension` failed and its silence asks the user.
    Ask {
        /// Whose silence.
        extension: String,
        /// What happened to it.
        reason: String,
    },
}

/// One listener's part in a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Who was asked.
    pub extension: String,
    /// How long it took.
    pub took: Duration,
    /// What it did.
    pub did: Did,
    /// Whether this was the second time, after a rewrite by a later listener.
    pub again: bool,
}

/// What a listener did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Did {
    /// Nothing.
    Kept,
    /// It changed the value.
    Changed,
    /// It refused.
    Refused(String),
    /// It failed.
    Failed(Silence),
}

/// What came of a chain.
#[derive(Debug, Clone)]
pub struct Outcome<M: Moment> {
    /// The value after all changes.
    pub value: M::Value,
    /// Whether it was changed.
    pub changed: bool,
    /// The decision.
    pub verdict: Verdict,
    /// Who did what, in order.
    pub steps: Vec<Step>,
}

/// The listeners of a moment that want this occurrence, ready to be asked.
pub struct Chain<M: Moment> {
    listeners: Vec<Arc<dyn Listener<M>>>,
    agent: Option<Arc<Agent>>,
}

impl<M: Moment> std::fmt::Debug for Chain<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Chain({}, {} listeners)", M::NAME, self.listeners.len())
    }
}

impl<M: Moment> Chain<M> {
    /// The listeners of `slot` that want these facts.
    #[must_use]
    pub fn of(slot: &crate::Slot<M>, facts: &M::Facts) -> Self {
        let subject = M::subject(facts);
        Self {
            listeners: slot
                .snapshot()
                .iter()
                .filter(|l| subject.is_none_or(|s| l.meta().matcher.matches(s)))
                .cloned()
                .collect(),
            agent: None,
        }
    }

    /// The same listeners, who are told in which agent it is; `None` is the main agent.
    #[must_use]
    pub fn within(mut self, agent: Option<Arc<Agent>>) -> Self {
        self.agent = agent;
        self
    }

    /// Whether nobody will be asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.listeners.is_empty()
    }

    /// Asks all, in order.
    ///
    /// # Cancel safety
    /// Dropping the future withdraws the question that is being asked.
    pub async fn run(&self, facts: &M::Facts, value: M::Value) -> Outcome<M> {
        let mut out = Outcome {
            value,
            changed: false,
            verdict: Verdict::Pass,
            steps: Vec::new(),
        };
        let mut last_change = 0;
        for (at, listener) in self.listeners.iter().enumerate() {
            let before = out.steps.len();
            self.step(listener, facts, &mut out, false).await;
            if matches!(out.verdict, Verdict::Refused { .. }) {
                return out;
            }
            if out.steps[before..].iter().any(|s| s.did == Did::Changed) {
                last_change = at;
            }
        }
        if M::SECOND_PASS && out.changed {
            for listener in &self.listeners[..last_change] {
                self.step(listener, facts, &mut out, true).await;
                if matches!(out.verdict, Verdict::Refused { .. }) {
                    break;
                }
            }
        }
        out
    }

    async fn question(
        &self,
        listener: &Arc<dyn Listener<M>>,
        facts: &M::Facts,
        value: &M::Value,
    ) -> Result<M::Answer, Silence> {
        let deadline = listener.deadline();
        let question = match &self.agent {
            None => listener.ask(facts, value),
            Some(agent) => listener.ask_in(agent, facts, value),
        };
        match timeout(deadline, question).await {
            Ok(answer) => answer,
            Err(_) => Err(Silence::TimedOut(deadline)),
        }
    }

    async fn step(
        &self,
        listener: &Arc<dyn Listener<M>>,
        facts: &M::Facts,
        out: &mut Outcome<M>,
        again: bool,
    ) {
        let meta = listener.meta();
        let start = Instant::now();
        let did = match self.question(listener, facts, &out.value).await {
            Ok(answer) => {
                // In the second pass only a refusal counts.
                let mut scratch = out.value.clone();
                match M::fold(&mut scratch, &meta.extension, answer) {
                    Fold::Changed if !again => {
                        out.value = scratch;
                        out.changed = true;
                        Did::Changed
                    }
                    Fold::Kept | Fold::Changed => Did::Kept,
                    Fold::Refused(reason) => Did::Refused(reason),
                }
            }
            Err(silence) => {
                listener.failed(&silence);
                Did::Failed(silence)
            }
        };
        let extension = meta.extension.clone();
        match &did {
            Did::Refused(reason) => {
                out.verdict = Verdict::Refused {
                    extension: extension.clone(),
                    reason: reason.clone(),
                };
            }
            Did::Failed(silence) => {
                tracing::warn!(%extension, moment = M::NAME, %silence, "listener failed");
                let reason = format!("extension {extension} did not answer: {silence}");
                match meta.on_failure {
                    OnFailure::Allow => {}
                    _ if !M::REFUSABLE => {}
                    OnFailure::Block => {
                        out.verdict = Verdict::Refused {
                            extension: extension.clone(),
                            reason,
                        };
                    }
                    OnFailure::Ask if out.verdict == Verdict::Pass => {
                        out.verdict = Verdict::Ask {
                            extension: extension.clone(),
                            reason,
                        };
                    }
                    OnFailure::Ask => {}
                }
            }
            Did::Kept | Did::Changed => {}
        }
        out.steps.push(Step {
            extension,
            took: start.elapsed(),
            did,
            again,
        });
    }
}
