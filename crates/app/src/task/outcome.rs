//! What comes back from a sub-agent: its last text, within bounds, and what it took. Pure.
//!
//! Does not know how it worked.

use zeug_engine::{DoneOutcome, Event};
use zeug_hook::Agent;
use zeug_stdx::json::RawJson;
use zeug_stdx::text;
use zeug_transcript::{Message, Outcome, Status, Usage};

use super::Returned;

/// The most bytes of a result; more goes from the middle.
const RESULT_BYTES: usize = 32 * 1024;

/// What was seen of a sub-agent.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The last text it said, as a user may see it.
    text: Option<String>,
    /// What went wrong last.
    error: Option<String>,
    steps: u64,
    calls: u64,
    usage: Usage,
    done: Option<DoneOutcome>,
}

impl Seen {
    pub(super) fn take(&mut self, event: &Event) {
        match event {
            Event::TurnStart { .. } => self.steps += 1,
            Event::ToolCall { .. } => self.calls += 1,
            Event::Appended(Message::Assistant(message)) => {
                self.usage += message.usage.unwrap_or_default();
                // What an extension hides from the user must not come out here.
                let text = message.shown_text();
                if !text.trim().is_empty() {
                    self.text = Some(text);
                }
            }
            Event::Compacted(compacted) => self.usage += compacted.usage,
            Event::TurnEnd { error, .. } => self.error.clone_from(error),
            Event::Error { message } => self.error = Some(message.clone()),
            Event::Done { outcome, .. } => self.done = Some(*outcome),
            _ => {}
        }
    }

    fn status(&self) -> Status {
        match self.done {
            Some(DoneOutcome::Finished) => Status::Completed,
            Some(DoneOutcome::Blocked | DoneOutcome::Failed) => Status::Failed,
            Some(DoneOutcome::Aborted | DoneOutcome::Withdrawn) | None => Status::Cancelled,
        }
    }

    pub(super) fn returned(&self, agent: &Agent) -> Returned {
        let status = self.status();
        let failed = status == Status::Failed;
        Returned {
            agent: agent.clone(),
            status,
            error: self.error.clone().filter(|_| failed),
            usage: self.usage,
        }
    }

    /// What the agent is told.
    pub(super) fn outcome(&self, agent: &Agent) -> Outcome {
        let status = self.status();
        let said = bounded(self.text.as_deref().unwrap_or_default());
        let told = self.told(status, &said);
        let took = format!(
            "[{}: {} steps, {} tool calls, {} tokens in, {} tokens out]",
            agent.name,
            self.steps,
            self.calls,
            self.usage.input_tokens + self.usage.cache_read_tokens + self.usage.cache_write_tokens,
            self.usage.output_tokens
        );
        let structured = serde_json::json!({
            "agent_id": agent.agent_id,
            "agent_run_id": agent.agent_run_id,
            "name": agent.name,
            "status": status.as_str(),
            "text": said,
            "steps": self.steps,
            "tool_calls": self.calls,
            "usage": self.usage,
        });
        let mut outcome = Outcome::text(status, format!("{told}\n\n{took}"));
        outcome.structured = Some(RawJson::from_value(&structured));
        outcome
    }

    fn told(&self, status: Status, said: &str) -> String {
        let why = self.error.as_deref().unwrap_or("nobody knows why");
        let what = match (status, self.done) {
            (Status::Completed, _) if said.is_empty() => "the sub-agent ended without a word",
            (Status::Completed, _) => return said.to_owned(),
            (Status::Failed, Some(DoneOutcome::Blocked)) => {
                return last(&format!("an extension stopped the sub-agent: {why}"), said);
            }
            (Status::Failed, _) => return last(&format!("the sub-agent failed: {why}"), said),
            _ => "the sub-agent was cancelled",
        };
        last(what, said)
    }
}

fn last(what: &str, said: &str) -> String {
    if said.is_empty() {
        what.to_owned()
    } else {
        format!("{what}. Its last words:\n{said}")
    }
}

fn bounded(said: &str) -> String {
    let said = said.trim();
    if said.len() <= RESULT_BYTES {
        return said.to_owned();
    }
    // The beginning has the answer, the end the conclusion.
    let head = text::prefix(said, RESULT_BYTES / 4 * 3);
    let tail = text::suffix(said, RESULT_BYTES / 4);
    let left_out = said.len() - head.len() - tail.len();
    format!("{head}\n[… {left_out} bytes are left out here …]\n{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_without_end_keeps_both_ends() {
        let long = format!("begin {}é{} end", "x".repeat(60_000), "y".repeat(60_000));
        let short = bounded(&long);
        assert!(short.len() < RESULT_BYTES + 100);
        assert!(short.starts_with("begin x") && short.ends_with("y end"));
        assert!(short.contains("bytes are left out"));
        assert_eq!(bounded(" all of it\n"), "all of it");
    }

    #[test]
    fn one_that_never_said_how_it_ended_was_cancelled() {
        let agent = Agent {
            agent_id: "a".into(),
            agent_run_id: "r".into(),
            name: "scout".into(),
            depth: 1,
        };
        let outcome = Seen::default().outcome(&agent);
        assert_eq!(outcome.status, Status::Cancelled);
        let returned = Seen::default().returned(&agent);
        assert_eq!((returned.status, returned.error), (Status::Cancelled, None));
    }
}
