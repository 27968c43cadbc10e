//! Who is told what sub-agents say and do, so that their conversations are kept and can be read.
//!
//! Does not know what becomes of it.

use async_trait::async_trait;
use tokio::sync::mpsc;
use zeug_engine::Event;
use zeug_hook::Agent;
use zeug_transcript::{Status, Usage};

/// Something of one sub-agent. In order: one `Started`, its events, one `Returned`.
#[derive(Debug, Clone)]
pub enum Note {
    /// It begins to work.
    Started {
        /// Who.
        agent: Agent,
        /// Whose it is; `None` is the main agent.
        parent: Option<Agent>,
        /// The call of `task` that it is for.
        call_id: String,
        /// Its profile.
        profile: Option<String>,
        /// What it is told to do.
        prompt: String,
    },
    /// What its machine announces. Its conversation is in `Appended` and `Compacted`.
    Event {
        /// Who.
        agent: Agent,
        /// What.
        event: Box<Event>,
    },
    /// It is over.
    Returned(Returned),
}

/// How a sub-agent ended.
#[derive(Debug, Clone)]
pub struct Returned {
    /// Who.
    pub agent: Agent,
    /// `Completed`, `Failed` or `Cancelled`.
    pub status: Status,
    /// Why, when it failed.
    pub error: Option<String>,
    /// The tokens that it took.
    pub usage: Usage,
}

/// Somebody who is told.
#[async_trait]
pub trait Witness: Send + Sync {
    /// Takes note. The sub-agent waits as long as this takes.
    async fn note(&self, note: Note);
}

/// A queue; when nobody reads it any more, nobody is told.
#[async_trait]
impl Witness for mpsc::Sender<Note> {
    async fn note(&self, note: Note) {
        drop(self.send(note).await);
    }
}
