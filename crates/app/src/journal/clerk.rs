//! The way to the thread that writes.
//!
//! Does not know what is written.

use tokio::sync::{mpsc, oneshot};
use zeug_engine::Event;

use super::{Book, Desk, SessionRefused};
use crate::task::Note;

/// Pieces of work that may wait; each caller waits for its own.
const JOBS: usize = 64;

type Job = Box<dyn FnOnce(&mut Desk) + Send>;

/// Gives work to the thread that owns a [`Desk`]. The thread ends with the last clone.
#[derive(Clone)]
pub(crate) struct Clerk(mpsc::Sender<Job>);

impl Clerk {
    /// Puts a desk on a thread of its own: its work blocks on the disk.
    pub(crate) fn at(mut desk: Desk) -> Self {
        let (jobs, mut inbox) = mpsc::channel::<Job>(JOBS);
        let work = move || {
            desk.prune();
            while let Some(job) = inbox.blocking_recv() {
                job(&mut desk);
            }
        };
        let thread = std::thread::Builder::new().name("journal".to_owned());
        if let Err(error) = thread.spawn(work) {
            // Whoever gives it work is told that it is gone.
            tracing::error!(%error, "no thread to keep the session with");
        }
        Self(jobs)
    }

    /// Has some work done. Without a deadline: a disk takes what it takes, and what a face is told
    /// has to be written first.
    ///
    /// # Errors
    /// [`SessionRefused::Gone`] when the thread broke off.
    ///
    /// # Cancel safety
    /// Work that was handed over is done, also when nobody waits for it any more.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Desk) -> T + Send + 'static,
    ) -> Result<T, SessionRefused> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |desk| drop(reply.send(work(desk))));
        if self.0.send(job).await.is_err() {
            return Err(SessionRefused::Gone);
        }
        answer.await.map_err(|_| SessionRefused::Gone)
    }

    /// Writes what is to be kept of an event; what the user should be told.
    ///
    /// # Errors
    /// As [`Clerk::ask`].
    pub(crate) async fn record(&self, event: &Event) -> Result<Option<String>, SessionRefused> {
        if !Book::keeps(event) {
            return Ok(None);
        }
        let event = event.clone();
        self.ask(move |desk| desk.record(&event)).await
    }

    /// Writes what is to be kept of a sub-agent.
    ///
    /// # Errors
    /// As [`Clerk::ask`].
    pub(crate) async fn note(&self, note: &Note) -> Result<(), SessionRefused> {
        if matches!(note, Note::Event { event, .. } if !Book::keeps(event)) {
            return Ok(());
        }
        let note = note.clone();
        self.ask(move |desk| desk.note(&note)).await
    }
}
