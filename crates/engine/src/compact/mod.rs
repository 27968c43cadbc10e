//! Making room: a summary takes the place of all but the last messages.
//!
//! Every attempt is bracketed by one `pre_compact` and one `post_compact`, whatever happens. Does
//! not know who stores the conversation; what was there before is whole for whoever kept it.

mod ask;
mod cut;
pub(crate) mod estimate;
mod render;

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use zeug_hook::Observation;
use zeug_stdx::id::IdSource;
use zeug_transcript::{Message, Status, Timestamp, Usage, UserMessage};

use crate::Event;
use crate::cancel::{Cancelled, unless};
use crate::prompt::Prepared;
use crate::shared::Shared;

pub use cut::summary_message;

/// A conversation as text for a model that is asked about it, within half of its window.
pub(crate) fn retold(messages: &[Message], window: Option<u64>) -> String {
    render::render(messages, ask::request_bytes(window))
}

static COMPACTION_IDS: IdSource = IdSource::new("compact");

/// Why room is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// Somebody said so.
    Manual,
    /// The conversation nears the end of the model's window.
    Automatic,
    /// The provider refused the conversation as too long.
    Overflow,
}

/// A summary took the place of messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Compacted {
    /// The attempt.
    pub compaction_id: String,
    /// Why it was made.
    pub trigger: Trigger,
    /// What the model wrote.
    pub summary: String,
    /// The message with the summary, which is now the first of the conversation.
    pub message: UserMessage,
    /// The place of the first message that stayed, in the conversation as it was. The summary of
    /// an earlier compaction counts as a message there.
    pub first_kept: usize,
    /// How many messages stayed: the last ones. None of them is a summary.
    pub kept: usize,
    /// Estimated tokens of the conversation as it was.
    pub tokens_before: u64,
    /// Estimated tokens of the conversation as it is.
    pub tokens_after: u64,
    /// What the summary cost.
    pub usage: Usage,
}

/// What came of an attempt to make room.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactReport {
    /// The attempt.
    pub compaction_id: String,
    /// Why it was made.
    pub trigger: Trigger,
    /// `Completed`, `Failed`, `Cancelled` or `TimedOut`.
    pub status: Status,
    /// Why it was not completed.
    pub error: Option<String>,
    /// What was done; `None` also when there was nothing to summarise.
    pub compacted: Option<Compacted>,
}

/// Whether the conversation is so near the end of the model's window that room must be made.
pub(crate) fn is_due(shared: &Shared, prepared: &Prepared) -> bool {
    let percent = u64::from(shared.limits.compact_at_percent);
    let Some(window) = prepared.brain.window.filter(|_| percent > 0) else {
        return false;
    };
    let measured = shared.transcript.measured();
    let around = measured.map_or_else(|| around(shared, prepared), |_| 0);
    shared.transcript.look(|messages| {
        let tokens = match measured {
            Some(measured) => {
                let since = messages.get(measured.messages..).unwrap_or_default();
                measured.tokens + estimate::of(since)
            }
            None => estimate::of(messages) + estimate::of_bytes(around),
        };
        tokens.saturating_mul(100) >= window.saturating_mul(percent) && cut::is_worthwhile(messages)
    })
}

/// How many messages there are, and how many tokens that makes.
fn size(shared: &Shared) -> (u64, u64) {
    let transcript = &shared.transcript;
    transcript.look(|messages| (messages.len() as u64, estimate::of(messages)))
}

/// The bytes that a request has beside the messages.
fn around(shared: &Shared, prepared: &Prepared) -> usize {
    let tools = shared.tools.offered();
    let declared = tools.iter().map(|entry| {
        let spec = entry.tool.spec();
        spec.name.len() + spec.description.len() + spec.schema.get().len()
    });
    declared.sum::<usize>() + prepared.system.as_deref().map_or(0, str::len)
}

/// Makes room after an overflow; whether there is more of it now.
pub(crate) async fn after_overflow(
    shared: &Shared,
    cancel: &CancellationToken,
) -> Result<bool, Cancelled> {
    if shared.transcript.look(cut::first_kept).is_none() {
        return Ok(false);
    }
    let report = run(shared, Trigger::Overflow, cancel).await;
    if report.status == Status::Cancelled {
        return Err(Cancelled);
    }
    Ok(report.compacted.is_some())
}

/// Tries to make room, once.
pub(crate) async fn run(
    shared: &Shared,
    trigger: Trigger,
    cancel: &CancellationToken,
) -> CompactReport {
    let attempt = Attempt::begin(shared, trigger, cancel).await;
    let work = AssertUnwindSafe(attempt.prepare()).catch_unwind();
    let deadline = shared.limits.compact_deadline;
    let ended = match timeout(deadline, unless(cancel, work)).await {
        Ok(Ok(Ok(Ok(draft)))) => Ok(draft.map(|draft| attempt.commit(draft))),
        Ok(Ok(Ok(Err(why)))) => Err((Status::Failed, why)),
        Ok(Ok(Err(_))) => {
            let why = "internal error while the summary was written; the log says where";
            Err((Status::Failed, why.to_owned()))
        }
        Ok(Err(Cancelled)) => Err((Status::Cancelled, "given up".to_owned())),
        Err(_) => Err((Status::TimedOut, format!("no summary within {deadline:?}"))),
    };
    attempt.end(ended).await
}

/// What will take the place of the conversation.
struct Draft {
    messages: Vec<Message>,
    first_kept: usize,
    summary: ask::Summary,
}

/// An attempt that was announced and owes its end.
struct Attempt<'a> {
    shared: &'a Shared,
    cancel: &'a CancellationToken,
    id: String,
    trigger: Trigger,
    tokens_before: u64,
    ended: bool,
}

impl<'a> Attempt<'a> {
    async fn begin(shared: &'a Shared, trigger: Trigger, cancel: &'a CancellationToken) -> Self {
        let (message_count, tokens_before) = size(shared);
        let attempt = Self {
            shared,
            cancel,
            id: COMPACTION_IDS.next(),
            trigger,
            tokens_before,
            ended: false,
        };
        shared.herald.announce(&Observation::PreCompact {
            compaction_id: attempt.id.clone(),
            message_count,
            token_estimate: attempt.tokens_before,
        });
        let started = Event::CompactionStarted {
            compaction_id: attempt.id.clone(),
            trigger,
            message_count,
            token_estimate: attempt.tokens_before,
        };
        shared.out.tell(started, cancel).await;
        attempt
    }

    /// Has the summary written; `None` when there is nothing to summarise.
    async fn prepare(&self) -> Result<Option<Draft>, String> {
        let messages = self.shared.transcript.snapshot();
        let Some(first_kept) = cut::first_kept(&messages) else {
            return Ok(None);
        };
        let brain = self.shared.system_prompt.brain();
        let summary = ask::for_summary(self.shared, &brain, &messages[..first_kept]).await?;
        Ok(Some(Draft {
            messages,
            first_kept,
            summary,
        }))
    }

    /// Without a pause, so that a conversation is either as it was or as it will be.
    fn commit(&self, draft: Draft) -> Compacted {
        let Draft {
            mut messages,
            first_kept,
            summary,
        } = draft;
        let message = summary_message(&summary.text, Timestamp::now());
        messages.splice(..first_kept, [Message::User(message.clone())]);
        let compacted = Compacted {
            compaction_id: self.id.clone(),
            trigger: self.trigger,
            summary: summary.text,
            message,
            first_kept,
            kept: messages.len() - 1,
            tokens_before: self.tokens_before,
            tokens_after: estimate::of(&messages),
            usage: summary.usage,
        };
        self.shared.transcript.replace(messages);
        compacted
    }

    async fn end(mut self, ended: Result<Option<Compacted>, (Status, String)>) -> CompactReport {
        let (status, error, compacted) = match ended {
            Ok(compacted) => (Status::Completed, None, compacted),
            Err((status, why)) => (status, Some(why), None),
        };
        if let Some(compacted) = &compacted {
            let event = Event::Compacted(Box::new(compacted.clone()));
            self.shared.out.tell(event, self.cancel).await;
        }
        let event = self.close(status, error.clone());
        self.shared.out.tell(event, self.cancel).await;
        CompactReport {
            compaction_id: self.id.clone(),
            trigger: self.trigger,
            status,
            error,
            compacted,
        }
    }

    /// Observers are told; the event that is owed to the face.
    fn close(&mut self, status: Status, error: Option<String>) -> Event {
        self.ended = true;
        let (message_count, token_estimate) = size(self.shared);
        self.shared.herald.announce(&Observation::PostCompact {
            compaction_id: self.id.clone(),
            message_count,
            token_estimate,
            status,
            error: error.clone(),
        });
        Event::CompactionEnded {
            compaction_id: self.id.clone(),
            status,
            error,
        }
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        if !self.ended {
            let why = "given up together with its conversation".to_owned();
            let event = self.close(Status::Cancelled, Some(why));
            self.shared.out.owe(event);
        }
    }
}
