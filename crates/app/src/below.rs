//! Sub-agents of the running agent: offered, listened to, kept.
//!
//! Does not know what they do.

use std::sync::{Arc, Weak};

use zeug_stdx::claims::Order;
use zeug_tool::Table;

use crate::forward::Shared;
use crate::task::{Note, TaskSetup, Witness, task_tool};

/// Who registers what is built in.
const BUILT_IN: &str = "zeug";

/// Puts the `task` tool into the table, for as long as the turn machine is there.
pub(crate) fn offer_task(
    tools: &Table,
    setup: TaskSetup,
    engine: &zeug_engine::Handle,
    shared: &Arc<Shared>,
) {
    let below = Below {
        shared: Arc::downgrade(shared),
        then: setup.witness.clone(),
    };
    let setup = TaskSetup {
        witness: Some(Arc::new(below)),
        ..setup
    };
    let Some(task) = task_tool(setup, engine.common()) else {
        return;
    };
    if let Err(bad) = tools.register(BUILT_IN, Order::BUILT_IN, Arc::new(task)) {
        tracing::error!("no sub-agents: {bad}");
    }
}

/// Hears what sub-agents do: a question about a call of theirs that was decided waits no longer, and
/// what they say is kept.
struct Below {
    shared: Weak<Shared>,
    then: Option<Arc<dyn Witness>>,
}

#[async_trait::async_trait]
impl Witness for Below {
    async fn note(&self, note: Note) {
        if let Some(shared) = self.shared.upgrade() {
            if let Note::Event { agent, event } = &note
                && let zeug_engine::Event::PermissionDecision(decision) = &**event
            {
                let agent = Some(agent.agent_id.as_str());
                shared.asks.forget(agent, &decision.call_id);
            }
            // A writer that is gone is told of by whoever carries the main conversation.
            drop(shared.clerk.note(&note).await);
            if let Note::Event { event, .. } = &note {
                shared.remember(event).await;
            }
        }
        if let Some(then) = &self.then {
            then.note(note).await;
        }
    }
}
