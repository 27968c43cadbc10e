//! The loop that carries what both machines announce to the face.
//!
//! Decides nothing. It ends when both machines are gone.
//!
//! # Order
//! A question is shown after the call it is about and before what was decided about it, although
//! questions and events come through different queues.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use zeug_engine::{Ask, Event};
use zeug_ext_host::{Boundary, News};

use crate::asks::Asks;
use crate::journal::Clerk;
use crate::sessions::Ears;
use crate::state::Standing;
use crate::{Notice, translate};

/// What the agent and its loop share.
pub(crate) struct Shared {
    pub(crate) asks: Asks,
    pub(crate) standing: Standing,
    pub(crate) clerk: Clerk,
    pub(crate) ears: Ears,
}

impl Shared {
    /// An extension that is started again is given what it remembers by now.
    pub(crate) async fn remember(&self, event: &Event) {
        if let Event::ToolResult(result) = event
            && result.details.is_some()
            && let Ok(states) = self.clerk.ask(|desk| desk.states()).await
        {
            self.ears.remember(states);
        }
    }
}

/// What the loop takes from.
pub(crate) struct Sources {
    pub(crate) events: mpsc::Receiver<Event>,
    pub(crate) asks: mpsc::Receiver<Ask>,
    pub(crate) news: mpsc::Receiver<News>,
    /// Asks the loop to carry over everything that is there.
    pub(crate) flushes: mpsc::Receiver<oneshot::Sender<()>>,
}

struct Forward {
    from: Sources,
    shared: Arc<Shared>,
    notices: mpsc::Sender<Notice>,
    /// How many calls of an id were announced and have not settled.
    calls: HashMap<String, usize>,
    /// The user knows that nothing is written any more.
    told_gone: bool,
}

/// Carries announcements of both machines to the face until both are gone.
pub(crate) async fn run(
    first: Vec<Notice>,
    from: Sources,
    shared: Arc<Shared>,
    notices: mpsc::Sender<Notice>,
) {
    let mut forward = Forward {
        from,
        shared,
        notices,
        calls: HashMap::new(),
        told_gone: false,
    };
    for notice in first {
        forward.tell(notice).await;
    }
    forward.work().await;
}

impl Forward {
    async fn work(&mut self) {
        loop {
            tokio::select! {
                Some(event) = self.from.events.recv() => self.event(event).await,
                Some(ask) = self.from.asks.recv() => self.ask(ask).await,
                Some(news) = self.from.news.recv() => self.news(news).await,
                Some(done) = self.from.flushes.recv() => {
                    self.flush().await;
                    // Nobody waits any more when the start was interrupted.
                    done.send(()).ok();
                }
                else => return,
            }
        }
    }

    /// Carries over what is there now, and not what comes meanwhile: that may have no end.
    async fn flush(&mut self) {
        for _ in 0..self.from.events.len() {
            if let Ok(event) = self.from.events.try_recv() {
                self.event(event).await;
            }
        }
        for _ in 0..self.from.news.len() {
            if let Ok(news) = self.from.news.try_recv() {
                self.news(news).await;
            }
        }
    }

    async fn tell(&self, notice: Notice) {
        // Without a face the machines still run to their ends, so a failed send is no reason to
        // stop.
        drop(self.notices.send(notice).await);
    }

    async fn news(&self, news: News) {
        if let Some(notice) = translate::news(news) {
            self.tell(notice).await;
        }
    }

    async fn event(&mut self, event: Event) {
        match &event {
            Event::ToolCall { id, .. } => *self.calls.entry(id.clone()).or_default() += 1,
            Event::ToolResult(result) => self.settled(&result.id),
            Event::PermissionDecision(decision) => {
                // The question was asked before it was decided, so it is here already.
                while let Ok(ask) = self.from.asks.try_recv() {
                    self.show(ask).await;
                }
                self.shared.asks.forget(None, &decision.call_id);
            }
            _ => {}
        }
        // First of all: what a face is told is not lost any more.
        self.keep(&event).await;
        self.shared.remember(&event).await;
        self.shared.standing.observe(&event);
        match event {
            Event::Adopted => {
                let session = translate::session(&self.shared.standing.session());
                self.tell(Notice::Event(session)).await;
            }
            Event::Compacted(_) => self.compacted().await,
            _ => {}
        }
        for notice in translate::event(event) {
            self.tell(notice).await;
        }
    }

    /// Writes what is to be kept of an event.
    async fn keep(&mut self, event: &Event) {
        let remark = match self.shared.clerk.record(event).await {
            Ok(remark) => remark,
            Err(_) if self.told_gone => None,
            Err(gone) => {
                self.told_gone = true;
                Some(gone.to_string())
            }
        };
        if let Some(remark) = remark {
            self.tell(Notice::Remark(remark)).await;
        }
    }

    /// Extensions hear of a summary when it is written.
    async fn compacted(&self) {
        if let Ok(states) = self.shared.clerk.ask(|desk| desk.states()).await {
            let session = self.shared.standing.session();
            self.shared.ears.tell(Boundary::Compacted, &session, states);
        }
    }

    fn settled(&mut self, call_id: &str) {
        if let Some(open) = self.calls.get_mut(call_id) {
            *open -= 1;
            if *open == 0 {
                self.calls.remove(call_id);
            }
        }
    }

    async fn ask(&mut self, ask: Ask) {
        let Ask::Approve { call_id, .. } = &ask;
        while !self.calls.contains_key(call_id) {
            // The call was announced before it was asked about, so it is among these.
            match self.from.events.try_recv() {
                Ok(event) => self.event(event).await,
                Err(_) => break,
            }
        }
        self.show(ask).await;
    }

    async fn show(&self, ask: Ask) {
        if let Some(event) = self.shared.asks.keep(ask) {
            self.tell(Notice::Event(event)).await;
        }
    }
}

#[cfg(test)]
mod tests;
