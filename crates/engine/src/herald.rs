//! Tells observers, and brackets everything they hear with one start and one end.
//!
//! Does not know who observes. An observer that panics is logged; the turn goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use zeug_hook::{Board, Observation};

use crate::EndReason;

pub(crate) struct Herald {
    board: Arc<Board>,
    // A lock rather than a flag: whoever comes second waits until the start was told.
    opened: OnceLock<()>,
    ended: AtomicBool,
}

impl Herald {
    pub(crate) fn new(board: Arc<Board>) -> Self {
        Self {
            board,
            opened: OnceLock::new(),
            ended: AtomicBool::new(false),
        }
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    /// Tells that the conversation is active, once.
    pub(crate) fn open(&self) {
        self.opened
            .get_or_init(|| self.tell(&Observation::SessionStart));
    }

    /// Tells an observation, after the start.
    pub(crate) fn announce(&self, observation: &Observation) {
        self.open();
        self.tell(observation);
    }

    /// Tells that the conversation closed, once, and only if it was open.
    pub(crate) fn end(&self, reason: EndReason) {
        if self.opened.get().is_some() && !self.ended.swap(true, Ordering::AcqRel) {
            self.tell(&Observation::SessionEnd {
                reason: reason.as_str(),
            });
        }
    }

    fn tell(&self, observation: &Observation) {
        let told = catch_unwind(AssertUnwindSafe(|| self.board.announce(observation)));
        if told.is_err() {
            tracing::error!(?observation, "an observer panicked");
        }
    }
}

impl Drop for Herald {
    // The owner may be dropped with its runtime, without a chance to close.
    fn drop(&mut self) {
        self.end(EndReason::Shutdown);
    }
}
