//! A question beside the conversation: a sub-agent without tools that knows what was said so far.
//!
//! Guards and listeners see it like every sub-agent. Nothing of it is kept.

use std::sync::Arc;

use tokio::sync::mpsc;
use zeug_engine::{Child, DoneOutcome, Event, Prompt, start_child};
use zeug_stdx::id::IdSource;
use zeug_tool::{Filter, Table};

use crate::Agent;

static IDS: IdSource = IdSource::new("btw");

const IDENTITY: &str = "You are zeug, a coding agent in a terminal. The user asks you something \
beside the conversation that you are in. Answer from what you know and from the conversation; you \
have no tools here, and nothing of this is kept.";

impl Agent {
    /// Asks the model something beside the conversation, also while a prompt runs; the answer.
    /// `words` gets it as it comes, and only in the end when an extension may replace it.
    ///
    /// # Errors
    /// A sentence that says why there is no answer.
    ///
    /// # Cancel safety
    /// Dropping the future gives it up.
    pub async fn beside(
        &self,
        question: &str,
        words: mpsc::Sender<String>,
    ) -> Result<String, String> {
        let said = self.engine.retold();
        let id = IDS.next();
        let child = Child {
            agent: zeug_hook::Agent {
                agent_id: id.clone(),
                agent_run_id: id,
                name: "btw".to_owned(),
                depth: 1,
            },
            tools: Table::new(Filter::Nothing),
            system_prompt: Arc::from(format!(
                "{IDENTITY}\n\n<conversation>\n{said}</conversation>"
            )),
            model: None,
            context_window: None,
            max_steps: Some(1),
        };
        let started = start_child(&self.engine.common(), child);
        let (handle, mut events) = started.map_err(|refused| refused.to_string())?;
        // The machine ends with its handle.
        let asked = handle.prompt(Prompt::text(question)).await;
        asked.map_err(|refused| refused.to_string())?;
        let mut answer = Answer::default();
        while let Some(event) = events.recv().await {
            if let Event::TextDelta { delta } = &event {
                // Whoever does not listen still gets the whole.
                drop(words.send(delta.clone()).await);
            }
            if let Some(outcome) = answer.take(event) {
                return answer.end(outcome);
            }
        }
        Err("the agent ended before there was an answer".to_owned())
    }
}

#[derive(Default)]
struct Answer {
    text: String,
    error: Option<String>,
}

impl Answer {
    /// How it ended, when it did.
    fn take(&mut self, event: Event) -> Option<DoneOutcome> {
        match event {
            Event::AssistantMessage(message) => self.text = message.shown_text(),
            Event::Error { message } => self.error = Some(message),
            Event::TurnEnd {
                error: Some(error), ..
            } => self.error = Some(error),
            Event::Done { outcome, .. } => return Some(outcome),
            _ => {}
        }
        None
    }

    fn end(self, outcome: DoneOutcome) -> Result<String, String> {
        match outcome {
            _ if !self.text.is_empty() => Ok(self.text),
            DoneOutcome::Aborted | DoneOutcome::Withdrawn => Err("given up".to_owned()),
            DoneOutcome::Finished | DoneOutcome::Blocked | DoneOutcome::Failed => Err(self
                .error
                .unwrap_or_else(|| "the model had nothing to say".to_owned())),
        }
    }
}
