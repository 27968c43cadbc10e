//! The conversations of sub-agents, each in a file of its own that names where it began.
//!
//! Blocks on the disk. What goes wrong here is logged: the main conversation is not hurt by it.

use std::collections::HashMap;

use zeug_engine::Event;
use zeug_hook::Agent;
use zeug_session::{Descent, NewSession, Origin, SessionError};
use zeug_transcript::Timestamp;

use super::book::state_of;
use super::late::Home;
use super::{Book, Sessions};
use crate::task::Note;

/// The sub-agents that work now, by their id.
#[derive(Default)]
pub(super) struct Subagents(HashMap<String, Child>);

struct Child {
    book: Book,
    /// Where its extensions' states go: they belong to the conversation that it works for.
    home: Option<Home>,
}

impl Subagents {
    /// Writes what is to be kept of a note.
    pub(super) fn record(&mut self, main: &mut Book, sessions: Option<&Sessions>, note: &Note) {
        let done = match note {
            Note::Started {
                agent,
                parent,
                profile,
                ..
            } => self.begin(main, sessions, agent, parent.as_ref(), profile.as_deref()),
            Note::Event { agent, event } => self.event(main, agent, event),
            Note::Returned(returned) => match self.0.remove(&returned.agent.agent_id) {
                Some(child) => child.book.close(),
                None => Ok(()),
            },
        };
        if let Err(error) = done {
            tracing::warn!("the conversation of a sub-agent is not kept whole: {error}");
        }
    }

    /// Ends the writing for those that did not come to their end.
    pub(super) fn close(&mut self) {
        for (_, child) in self.0.drain() {
            if let Err(error) = child.book.close() {
                tracing::warn!("the conversation of a sub-agent was not closed in order: {error}");
            }
        }
    }

    fn begin(
        &mut self,
        main: &Book,
        sessions: Option<&Sessions>,
        agent: &Agent,
        parent: Option<&Agent>,
        profile: Option<&str>,
    ) -> Result<(), SessionError> {
        let above = match parent {
            None => Some(main),
            Some(parent) => self.0.get(&parent.agent_id).map(|child| &child.book),
        };
        // Without a file of the conversation it works for, nobody would ever find its own.
        let Some((sessions, view)) = sessions.zip(above.and_then(Book::view)) else {
            return Ok(());
        };
        let session = NewSession {
            title: Some(match profile {
                Some(profile) => format!("{} ({profile})", agent.name),
                None => agent.name.clone(),
            }),
            provider: view.meta().provider.clone(),
            model: view.meta().model.clone(),
            origin: Some(Origin {
                session: view.id(),
                entry: view.tip().ok(),
                how: Descent::Subagent,
            }),
            ..NewSession::new()
        };
        let journal = sessions
            .catalog
            .create(&sessions.cwd, session, Timestamp::now())?;
        let child = Child {
            book: Book::written(journal),
            home: Home::now(main),
        };
        self.0.insert(agent.agent_id.clone(), child);
        Ok(())
    }

    fn event(&mut self, main: &mut Book, agent: &Agent, event: &Event) -> Result<(), SessionError> {
        let Some(child) = self.0.get_mut(&agent.agent_id) else {
            return Ok(());
        };
        if let Event::ToolResult(result) = event
            && let Some((home, state)) = child.home.clone().zip(state_of(result))
        {
            home.keep(main, state)?;
        }
        child.book.record(event)
    }
}
