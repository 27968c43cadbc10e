//! A question that was queued. Dropping it takes the question back, as far as that still goes.

use std::sync::Arc;

use tokio::sync::oneshot;
use tokio::time::Instant;
use zeug_ext_wire::{Ticket, Withdrawal};

use super::{Link, Reply};

#[derive(Debug)]
pub(crate) struct Asked {
    link: Arc<Link>,
    id: String,
    ticket: Ticket,
    answer: Option<oneshot::Receiver<Reply>>,
}

impl Asked {
    pub(super) fn new(
        link: Arc<Link>,
        id: String,
        ticket: Ticket,
        answer: oneshot::Receiver<Reply>,
    ) -> Self {
        Self {
            link,
            id,
            ticket,
            answer: Some(answer),
        }
    }

    /// When the question was queued: deadlines count from here.
    pub(crate) fn since(&self) -> Instant {
        self.ticket.queued_at()
    }

    /// Waits for the answer; the deadline is the caller's.
    ///
    /// # Cancel safety
    /// Safe: an answer that was not taken yet is still there.
    pub(crate) async fn answer(&mut self) -> Reply {
        let gone = || Reply::Gone("the extension went away".to_owned());
        match &mut self.answer {
            Some(answer) => {
                let reply = answer.await.unwrap_or_else(|_| gone());
                self.answer = None;
                reply
            }
            None => gone(),
        }
    }

    /// Takes the question back unless its answer was taken. True when the extension has seen it,
    /// or is about to.
    pub(crate) fn take_back(&mut self) -> bool {
        if self.answer.take().is_none() {
            return false;
        }
        self.link.pending.forget(&self.id);
        match self.link.sender.withdraw(self.ticket) {
            Withdrawal::Withdrawn => false,
            Withdrawal::InFlight => {
                self.link.sender.torn_grace(self.ticket);
                true
            }
            Withdrawal::Gone => true,
        }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.take_back();
    }
}
