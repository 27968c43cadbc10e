//! The loop that carries what both machines announce to the face.
//!
//! Decides nothing. It ends when both machines are gone.
//!
//! # Order
//! A question is shown after the call it is about and before what was decided about it, although
//! questions and events come through different queues.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};
use zeug_engine::{Ask, Event, Handle, Prompt, ToolResult};
use zeug_ext_host::{Boundary, News};
use zeug_tool::Source;
use zeug_transcript::Status;

use crate::asks::Asks;
use crate::journal::Clerk;
use crate::sessions::Ears;
use crate::state::Standing;
use crate::surface::{Changes, Surface};
use crate::{Notice, translate};

/// What the agent and its loop share.
pub(crate) struct Shared {
    pub(crate) asks: Asks,
    pub(crate) standing: Standing,
    pub(crate) clerk: Clerk,
    pub(crate) ears: Ears,
    /// What extensions show.
    pub(crate) surface: Mutex<Surface>,
    /// Extensions are being started anew.
    pub(crate) reloading: AtomicBool,
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
    /// Takes what extensions submit.
    pub(crate) engine: Handle,
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
    /// A result, or the end of a prompt, that comes behind news.
    held_back: Option<Event>,
    /// The calls whose tools run.
    running: HashSet<String>,
    /// The user knows that nothing is written any more.
    told_gone: bool,
    /// How many decisions about calls are written.
    decided: u64,
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
        held_back: None,
        running: HashSet::new(),
        told_gone: false,
        decided: 0,
    };
    for notice in first {
        forward.tell(notice).await;
    }
    forward.work().await;
}

impl Forward {
    async fn work(&mut self) {
        loop {
            if let Some(event) = self.held_back.take() {
                self.event(event).await;
                continue;
            }
            let due = self.shared.surface().panels().deadline();
            let key = async { sleep_until(due.unwrap_or_else(Instant::now)).await };
            tokio::select! {
                Some(event) = self.from.events.recv() => self.event(event).await,
                Some(ask) = self.from.asks.recv() => self.ask(ask).await,
                Some(news) = self.from.news.recv() => self.news(news).await,
                Some(done) = self.from.flushes.recv() => {
                    self.flush().await;
                    // Nobody waits any more when the start was interrupted.
                    done.send(()).ok();
                }
                () = key, if due.is_some() => self.next_keys(),
                else => return,
            }
        }
    }

    /// Carries over what is there now, and not what comes meanwhile: that may have no end.
    async fn flush(&mut self) {
        let held_back = usize::from(self.held_back.is_some());
        for _ in 0..held_back + self.from.events.len() {
            if let Some(event) = self.next_event() {
                self.event(event).await;
            }
        }
        self.news_so_far().await;
    }

    async fn news_so_far(&mut self) {
        for _ in 0..self.from.news.len() {
            if let Ok(news) = self.from.news.try_recv() {
                self.show_news(news).await;
            }
        }
    }

    /// The next event that is there.
    fn next_event(&mut self) -> Option<Event> {
        self.held_back
            .take()
            .or_else(|| self.from.events.try_recv().ok())
    }

    async fn tell(&self, notice: Notice) {
        // Without a face the machines still run to their ends, so a failed send is no reason to
        // stop.
        drop(self.notices.send(notice).await);
    }

    /// Lets keys out whose panels took too long to be drawn.
    fn next_keys(&self) {
        let due = self.shared.surface().panels().due(Instant::now());
        due.into_iter()
            .for_each(|tell| self.shared.tell_owner(tell));
    }

    /// Carries over news, in its place among the events.
    ///
    /// # Order
    /// What an extension shows because of a call comes behind the call, and before its result; all
    /// that is there by then comes before the end of a prompt.
    async fn news(&mut self, news: News) {
        for _ in 0..self.from.events.len() {
            match self.next_event() {
                Some(end @ (Event::ToolResult(_) | Event::Done { .. })) => {
                    self.held_back = Some(end);
                    break;
                }
                Some(event) => self.event(event).await,
                None => break,
            }
        }
        self.show_news(news).await;
    }

    async fn show_news(&self, news: News) {
        if let News::Gone { extension, .. } | News::Replaced { extension } = &news {
            let notices = self.shared.surface().gone(extension);
            let changes = Changes {
                notices,
                ..Changes::default()
            };
            self.show_changes(changes).await;
        }
        let taken = self
            .shared
            .surface()
            .news(news, &self.running, Instant::now());
        match taken {
            Ok(changes) => self.show_changes(changes).await,
            Err(other) => match *other {
                News::Submit { extension, text } => self.submit(extension, text).await,
                other => {
                    if let Some(notice) = translate::news(other) {
                        self.tell(notice).await;
                    }
                }
            },
        }
    }

    async fn show_changes(&self, changes: Changes) {
        let tells = changes.tells.into_iter();
        tells.for_each(|tell| self.shared.tell_owner(tell));
        for notice in changes.notices {
            self.tell(notice).await;
        }
    }

    /// An extension says something in place of the user: always a prompt, whatever it begins with.
    async fn submit(&self, extension: String, text: String) {
        let is_attended = self.shared.surface().is_attended();
        let refused = if is_attended {
            let submission = self.shared.standing.submit();
            match self.from.engine.prompt(Prompt::text(text)).await {
                Ok(_) => return submission.accepted(),
                Err(refused) => refused.to_string(),
            }
        } else {
            "nobody is there who could see the answer".to_owned()
        };
        let remark = format!("extension {extension}: its prompt was not taken: {refused}");
        self.tell(Notice::Remark(remark)).await;
    }

    async fn event(&mut self, event: Event) {
        // A result ends a call, and a prompt's end may be all that its face waits for.
        if matches!(event, Event::ToolResult(_) | Event::Done { .. }) {
            self.news_so_far().await;
        }
        match &event {
            Event::ToolCall { id, .. } => *self.calls.entry(id.clone()).or_default() += 1,
            Event::ToolExecutionStarted { id, .. } => drop(self.running.insert(id.clone())),
            Event::ToolResult(result) => self.settled(result).await,
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
        if matches!(event, Event::ToolResult(_)) {
            self.keep_decisions().await;
        }
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

    /// Writes how it was decided about the calls that have settled, those of sub-agents included.
    async fn keep_decisions(&mut self) {
        let (fresh, ever) = self.from.engine.trail_after(self.decided);
        self.decided = ever;
        // A thread that is gone was told of by then.
        drop(self.shared.clerk.ask(|desk| desk.decided(fresh)).await);
    }

    /// Extensions hear of a summary when it is written.
    async fn compacted(&self) {
        if let Ok(states) = self.shared.clerk.ask(|desk| desk.states()).await {
            let session = self.shared.standing.session();
            self.shared.ears.tell(Boundary::Compacted, &session, states);
        }
    }

    async fn settled(&mut self, result: &ToolResult) {
        self.running.remove(&result.id);
        if let Some(open) = self.calls.get_mut(&result.id) {
            *open -= 1;
            if *open == 0 {
                self.calls.remove(&result.id);
            }
        }
        let given_up = matches!(result.status, Status::Cancelled | Status::TimedOut);
        if let Some(Source::Extension(extension)) = &result.source
            && given_up
        {
            let changes = self.shared.surface().given_up(extension, &result.id);
            self.show_changes(changes).await;
        }
    }

    async fn ask(&mut self, ask: Ask) {
        let Ask::Approve { call_id, .. } = &ask;
        while !self.calls.contains_key(call_id) {
            // The call was announced before it was asked about, so it is among these.
            match self.next_event() {
                Some(event) => self.event(event).await,
                None => break,
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
