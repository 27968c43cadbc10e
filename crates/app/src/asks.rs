//! Questions of the turn machine that wait for a person, by the call they are about.
//!
//! Does not know how a question is shown. When nobody can be asked, a question is dropped, which
//! answers it with no.

use std::sync::{Mutex, MutexGuard, PoisonError};

use zeug_engine::{Ask, Consent};
use zeug_rpc_protocol::Event;
use zeug_stdx::reply::Reply;

/// The open questions.
#[derive(Debug)]
pub(crate) struct Asks(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    /// Whether a face answers.
    heard: bool,
    // A provider may give two calls the same id, so this is no map.
    open: Vec<Question>,
}

/// A question that waits.
#[derive(Debug)]
struct Question {
    /// The sub-agent that wants the call; `None` is the main agent.
    agent_id: Option<String>,
    call_id: String,
    reply: Reply<Consent>,
}

impl Asks {
    pub(crate) fn new(heard: bool) -> Self {
        Self(Mutex::new(Inner {
            heard,
            open: Vec::new(),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Pushes and removals only; nothing in there panics half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a question; what to show, or `None` when nobody can be asked or wants to know any
    /// more.
    pub(crate) fn keep(&self, ask: Ask) -> Option<Event> {
        let Ask::Approve {
            call_id,
            name,
            origin,
            agent,
            summary,
            preview,
            reason,
            reply,
            ..
        } = ask;
        let mut inner = self.lock();
        if !inner.heard || reply.is_withdrawn() {
            return None;
        }
        inner.open.push(Question {
            agent_id: agent.as_ref().map(|agent| agent.agent_id.clone()),
            call_id: call_id.clone(),
            reply,
        });
        Some(Event::ToolConfirmationRequested {
            tool_id: call_id,
            tool_name: name,
            tool_preview: summary,
            preview,
            reason,
            origin_extension: origin.extension().map(str::to_owned),
            depth: agent.as_ref().map(|agent| agent.depth),
            agent_id: agent.map(|agent| agent.agent_id),
        })
    }

    /// Answers the oldest question about a call; false when there is none.
    pub(crate) fn answer(&self, call_id: &str, consent: Consent) -> bool {
        let reply = self.take(|question| question.call_id == call_id);
        let open = reply.is_some();
        if let Some(reply) = reply {
            reply.send(consent);
        }
        open
    }

    /// The question about a call of an agent was decided otherwise; `None` is the main agent. A
    /// sub-agent's call may have the id of one of the agent it works for.
    pub(crate) fn forget(&self, agent_id: Option<&str>, call_id: &str) {
        drop(self.take(|question| {
            question.call_id == call_id && question.agent_id.as_deref() == agent_id
        }));
    }

    fn take(&self, wanted: impl Fn(&Question) -> bool) -> Option<Reply<Consent>> {
        let mut inner = self.lock();
        inner.open.retain(|question| !question.reply.is_withdrawn());
        let at = inner.open.iter().position(wanted)?;
        Some(inner.open.remove(at).reply)
    }

    /// Whether a face answers from now on. When none does, what is open is answered with no.
    pub(crate) fn set_heard(&self, heard: bool) {
        let mut inner = self.lock();
        inner.heard = heard;
        let refused = if heard {
            Vec::new()
        } else {
            std::mem::take(&mut inner.open)
        };
        drop(inner);
        drop(refused);
    }

    /// The calls that wait, the oldest first.
    pub(crate) fn waiting(&self) -> Vec<String> {
        let inner = self.lock();
        let waits = |question: &&Question| !question.reply.is_withdrawn();
        let open = inner.open.iter().filter(waits);
        open.map(|question| question.call_id.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeug_stdx::reply::{self, Answer};
    use zeug_tool::{Origin, Source};

    fn ask(id: &str) -> (Ask, Answer<Consent>) {
        let (reply, answer) = reply::channel(Consent::No);
        let ask = Ask::Approve {
            call_id: id.to_owned(),
            name: "bash".into(),
            source: Source::BuiltIn,
            origin: Origin::Extension("todo".into()),
            agent: None,
            summary: "rm a".into(),
            preview: Some("rm a\nrm b".into()),
            reason: None,
            reply,
        };
        (ask, answer)
    }

    #[tokio::test]
    async fn a_question_is_shown_and_answered_once() {
        let asks = Asks::new(true);
        let (first, answer) = ask("c1");
        let shown = asks.keep(first).unwrap().to_line();
        assert!(shown.contains(r#""tool_id":"c1""#) && shown.contains("todo"));
        assert_eq!(asks.waiting(), ["c1"]);
        assert!(!asks.answer("c2", Consent::Once));
        assert!(asks.answer("c1", Consent::Tool));
        assert!(!asks.answer("c1", Consent::Once));
        assert_eq!(answer.wait().await, Some(Consent::Tool));
    }

    #[tokio::test]
    async fn two_calls_of_one_id_are_two_questions() {
        let asks = Asks::new(true);
        let ((first, one), (second, two)) = (ask("c1"), ask("c1"));
        asks.keep(first);
        asks.keep(second);
        assert!(asks.answer("c1", Consent::Once));
        asks.forget(None, "c1");
        assert_eq!(one.wait().await, Some(Consent::Once));
        assert_eq!(two.wait().await, Some(Consent::No));
    }

    #[tokio::test]
    async fn a_decision_about_a_call_leaves_that_of_a_sub_agent_with_the_same_id() {
        let asks = Asks::new(true);
        let (mut below, answer) = ask("c1");
        let Ask::Approve { agent, .. } = &mut below;
        *agent = Some(zeug_hook::Agent {
            agent_id: "a1".into(),
            agent_run_id: "r1".into(),
            name: "scout".into(),
            depth: 1,
        });
        asks.keep(below);
        asks.forget(None, "c1");
        assert!(asks.answer("c1", Consent::Once));
        assert_eq!(answer.wait().await, Some(Consent::Once));
    }

    #[test]
    fn a_withdrawn_question_waits_no_longer() {
        let asks = Asks::new(true);
        let (open, answer) = ask("c1");
        assert!(asks.keep(open).is_some());
        drop(answer);
        assert!(asks.waiting().is_empty());
        assert!(!asks.answer("c1", Consent::Once));
        let (late, answer) = ask("c2");
        drop(answer);
        assert!(asks.keep(late).is_none(), "given up before it was shown");
    }

    #[tokio::test]
    async fn without_a_person_the_answer_is_no() {
        let asks = Asks::new(false);
        let (unheard, answer) = ask("c1");
        assert!(asks.keep(unheard).is_none());
        assert_eq!(answer.wait().await, Some(Consent::No));
        asks.set_heard(true);
        let (heard, answer) = ask("c2");
        assert!(asks.keep(heard).is_some());
        asks.set_heard(false);
        assert_eq!(answer.wait().await, Some(Consent::No));
        assert!(asks.waiting().is_empty());
    }
}
