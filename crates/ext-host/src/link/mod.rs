//! One live connection to an extension: frames out, and who waits for which answer.
//!
//! A link belongs to one run of the process. When it ends, it ends for good; a restarted
//! extension gets a new one.

mod asked;
mod pending;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, timeout_at};
use zeug_ext_protocol::{FromExtension, ToExtension};
use zeug_ext_wire::{PushError, Sender};
use zeug_tool::Progress;

use crate::gateway::Gateway;

pub(crate) use asked::Asked;
pub(crate) use pending::{Expect, Pending, Reply};

/// A live connection.
#[derive(Debug)]
pub(crate) struct Link {
    sender: Sender,
    pending: Pending,
    /// From `hello`.
    capabilities: OnceLock<Vec<String>>,
    gateway: Gateway,
    /// Since when its queue has been more than half full, as far as anybody looked.
    crowded: Mutex<Option<Instant>>,
}

/// How long others wait, all in all, for an extension that reads slower than it is told: then it
/// is told all the same, and its queue may overflow.
const PATIENCE: Duration = Duration::from_secs(2);

impl Link {
    pub(crate) fn new(sender: Sender) -> Arc<Self> {
        Arc::new(Self {
            sender,
            pending: Pending::default(),
            capabilities: OnceLock::new(),
            gateway: Gateway::default(),
            crowded: Mutex::default(),
        })
    }

    pub(crate) fn sender(&self) -> &Sender {
        &self.sender
    }

    /// Waits until its queue is at most half full; for a queue that does not get there, not longer
    /// than [`PATIENCE`] in all.
    pub(crate) async fn room(&self) {
        let since = {
            let mut crowded = self.crowded.lock().unwrap_or_else(PoisonError::into_inner);
            if self.sender.is_roomy() {
                *crowded = None;
                return;
            }
            *crowded.get_or_insert_with(Instant::now)
        };
        // Whoever is late is not waited for any more.
        drop(timeout_at(since + PATIENCE, self.sender.roomy()).await);
    }

    /// The calls that the extension makes.
    pub(crate) fn gateway(&self) -> &Gateway {
        &self.gateway
    }

    pub(crate) fn greeted(&self, capabilities: Vec<String>) {
        drop(self.capabilities.set(capabilities));
    }

    pub(crate) fn can(&self, capability: &str) -> bool {
        self.capabilities
            .get()
            .is_some_and(|all| all.iter().any(|c| c == capability))
    }

    /// Queues a frame that nobody answers.
    pub(crate) fn tell(&self, frame: &ToExtension) -> Result<(), String> {
        let line = frame.encode().map_err(|e| e.to_string())?;
        self.tell_encoded(line.into()).map_err(|e| e.to_string())
    }

    /// Queues an encoded frame that nobody answers.
    pub(crate) fn tell_encoded(&self, line: Bytes) -> Result<(), PushError> {
        tracing::trace!(target: "wire", frame = %String::from_utf8_lossy(&line), "→");
        self.sender.push(line).map(drop)
    }

    /// Queues a frame and registers who waits for its answer.
    ///
    /// # Errors
    /// Why the question could not be asked, in a sentence.
    pub(crate) fn ask(
        self: &Arc<Self>,
        frame: &ToExtension,
        id: String,
        expect: Expect,
        progress: Progress,
    ) -> Result<Asked, String> {
        let line = frame.encode().map_err(|e| e.to_string())?;
        let answer = self.pending.expect(id.clone(), expect, progress)?;
        tracing::trace!(target: "wire", frame = %String::from_utf8_lossy(&line), "→");
        match self.sender.push(line.into()) {
            Ok(ticket) => Ok(Asked::new(Arc::clone(self), id, ticket, answer)),
            Err(e) => {
                self.pending.forget(&id);
                Err(e.to_string())
            }
        }
    }

    /// Hands an answer to whoever waits for it.
    ///
    /// # Errors
    /// A diagnostic when the answer is of the wrong kind. An answer nobody waits for any more is
    /// no error: the wait may have ended first.
    pub(crate) fn resolve(&self, frame: FromExtension) -> Result<(), String> {
        self.pending.resolve(frame)
    }

    /// Tells the waiter of `id` that its answer was unreadable.
    pub(crate) fn unreadable(&self, id: &str, why: String) {
        self.pending.unreadable(id, why);
    }

    pub(crate) fn progress(&self, id: &str, text: &str) {
        self.pending.progress(id, text);
    }

    /// Ends every wait, now and for ever, with `why`; calls of the extension are given up before.
    pub(crate) fn bury(&self, why: &str) {
        self.gateway.bury();
        self.pending.bury(why);
    }
}
