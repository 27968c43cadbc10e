//! What an agent and its sub-agents have in common: provider, listeners, permissions, the person
//! who is asked, the trail of decisions.
//!
//! Does not know why there are sub-agents, and keeps no agent alive.

use std::fmt;
use std::sync::{Arc, Weak};

use async_trait::async_trait;
use tokio::sync::mpsc::WeakSender;
use tokio::sync::oneshot;
use zeug_hook::Agent;
use zeug_tool::{Gate, Origin, Table, ToolRequest};
use zeug_transcript::Outcome;

use crate::handle::Command;
use crate::shared::Shared;
use crate::{CallRequest, Refused};

/// An agent as one that can have sub-agents. Cheap to clone. It does not keep the agent alive, so
/// a tool in the agent's own table may hold it.
#[derive(Clone)]
pub struct Common(Weak<Shared>);

impl fmt::Debug for Common {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Common")
    }
}

/// A sub-agent to be started.
#[derive(Debug)]
pub struct Child {
    /// Who it is.
    pub agent: Agent,
    /// Its tools: a table of its own.
    pub tools: Table,
    /// Its system prompt, before extensions see it; empty sends none.
    pub system_prompt: Arc<str>,
    /// Another model at the same provider; `None` is the one that the agent asks now.
    pub model: Option<String>,
    /// The tokens that fit into the window of that other model.
    pub context_window: Option<u64>,
    /// Model calls in one prompt; `None` is no bound.
    pub max_steps: Option<u32>,
}

impl Common {
    pub(crate) fn of(shared: &Arc<Shared>) -> Self {
        Self(Arc::downgrade(shared))
    }

    pub(crate) fn shared(&self) -> Result<Arc<Shared>, Refused> {
        self.0.upgrade().ok_or(Refused::Closed)
    }

    /// The agent's tools. Whoever keeps this table in one of its own tools keeps it for ever.
    ///
    /// # Errors
    /// When the agent is over.
    pub fn tools(&self) -> Result<Table, Refused> {
        Ok(self.shared()?.tools.clone())
    }

    /// Asks the machine itself, so that its end waits for the call.
    async fn ask(&self, asked: ToolRequest) -> Result<Outcome, Refused> {
        let commands = self.shared()?.commands.get().and_then(WeakSender::upgrade);
        let commands = commands.ok_or(Refused::Closed)?;
        let request = CallRequest {
            name: asked.name,
            args: asked.args,
            origin: Origin::Extension(asked.extension),
            chain: asked.chain,
            cancel: asked.cancel,
            deadline: Some(asked.deadline),
        };
        let (reply, answer) = oneshot::channel();
        let sent = commands.send(Command::Call(request, reply)).await;
        // Held any longer, it would keep a machine open that everybody else has left.
        drop(commands);
        sent.map_err(|_| Refused::Closed)?;
        let report = answer.await.unwrap_or(Err(Refused::BrokeOff))?;
        Ok(report.outcome)
    }

    /// The sub-agent that the agent itself is; `None` is the main agent.
    ///
    /// # Errors
    /// When the agent is over.
    pub fn agent(&self) -> Result<Option<Agent>, Refused> {
        let shared = self.shared()?;
        Ok(shared.herald.agent().map(|agent| agent.as_ref().clone()))
    }
}

#[async_trait]
impl Gate for Common {
    async fn call(&self, asked: ToolRequest) -> Outcome {
        let name = asked.name.clone();
        match self.ask(asked).await {
            Ok(outcome) => outcome,
            Err(refused) => Outcome::failed(format!("{name}: {refused}")),
        }
    }
}
