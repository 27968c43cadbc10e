//! The conversation with one client: what was asked, what is owed, what may be said.
//!
//! A pure state machine: requests, notices and outcomes go in, lines and [`Effect`]s come out.
//! Knows no pipe, no clock and no agent.
//!
//! # Order
//! A response of `prompt` comes when the prompt starts, before its events; its `done` comes last.
//! All other responses come as soon as there is an answer.

mod gate;
mod jobs;
mod notices;
mod out;
mod requests;
mod sessions;
mod slash;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use zeug_app::{Consent, Key, Prompt, PromptId};
use zeug_rpc_protocol::{Event, Response};
use zeug_stdx::json::RawJson;

use gate::Gate;
use jobs::{Job, Jobs, Running, Work};
use out::Out;
pub(crate) use sessions::Wish;
pub(crate) use slash::Slash;

/// Names a request that is still to be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket(u64);

/// What somebody else has to do. They are to be done in order.
#[derive(Debug)]
pub(crate) enum Effect {
    /// Give this to the turn machine, then say [`Machine::taken`]. Only what the client `typed` may
    /// stand for something else.
    Prompt { prompt: Prompt, typed: bool },
    /// Make room, then say [`Machine::compacted`].
    Compact,
    /// Give up what runs.
    Abort,
    /// From now on the client is asked for approvals, or is not.
    Listen(bool),
    /// Do this, then say [`Machine::answer`].
    Do(Ticket, Errand),
    /// Grant this, then say [`Machine::granted`].
    Session(Ticket, Wish),
    /// Run a slash command, then say [`Machine::command`].
    Command {
        ticket: Ticket,
        name: String,
        args: String,
    },
    /// Do what this line says, then say [`Machine::slashed`].
    Slash(Slash),
    /// Say this on stderr.
    Aside(String),
}

/// What is done for one request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Errand {
    Hello { interactive: bool },
    State(Moment),
    Messages,
    Models,
    Commands,
    Trace,
    SetModel(String),
    SetReasoning(String),
    Approve(String, Consent),
    Panel(PanelAct),
}

/// What a client does to panels.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PanelAct {
    Keys(String, String, Vec<Key>),
    Close(String, String),
    Resize(u16, u16),
}

/// How the conversation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Whether something runs or waits.
    pub(crate) busy: bool,
    /// How much waits.
    pub(crate) queued: usize,
    pub(crate) ready: bool,
    pub(crate) interactive: bool,
}

/// A request that was understood and not answered yet.
#[derive(Debug)]
struct Owed {
    id: Option<String>,
    command: &'static str,
}

/// How far the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Open,
    /// Nothing more is heard; what was begun is finished.
    Draining(u8),
    Over(u8),
}

/// The face is over and nothing failed.
pub(crate) const DONE: u8 = 0;
/// The face is over because something failed.
pub(crate) const FAILED: u8 = 1;

pub(crate) struct Machine {
    phase: Phase,
    gate: Gate,
    /// Whether the client answers questions and shows panels.
    interactive: bool,
    /// Whether the agent knows that.
    is_decided: bool,
    /// Whether every extension is ready or has failed.
    ready: bool,
    /// Whether everything is being given up.
    stopping: bool,
    jobs: Jobs,
    tickets: u64,
    open: BTreeMap<Ticket, Owed>,
    /// Slash commands that came before the extensions were ready.
    early: Vec<Effect>,
    todo: Vec<Effect>,
    out: Out,
}

impl Machine {
    /// A conversation that begins with `hello` and this token, when there is one.
    pub(crate) fn new(token: Option<String>) -> Self {
        Self {
            phase: Phase::Open,
            gate: Gate::new(token),
            interactive: false,
            is_decided: false,
            ready: false,
            stopping: false,
            jobs: Jobs::default(),
            tickets: 0,
            open: BTreeMap::new(),
            early: Vec::new(),
            todo: Vec::new(),
            out: Out::default(),
        }
    }

    /// The exit code, once everything is said.
    pub(crate) fn over(&self) -> Option<u8> {
        match self.phase {
            Phase::Over(code) => Some(code),
            Phase::Open | Phase::Draining(_) => None,
        }
    }

    /// Whether requests are heard right now.
    pub(crate) fn takes_requests(&self) -> bool {
        self.phase == Phase::Open && self.out.takes_requests()
    }

    /// Whether notices are taken right now.
    pub(crate) fn takes_notices(&self) -> bool {
        self.out.takes_events()
    }

    pub(crate) fn is_ready(&self) -> bool {
        self.ready
    }

    pub(crate) fn has_lines(&self) -> bool {
        !self.out.is_empty()
    }

    /// The lines that wait.
    pub(crate) fn take_lines(&mut self) -> Vec<u8> {
        self.out.take()
    }

    /// What is to be done, in order.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.todo)
    }

    /// Every extension is ready or has failed: prompts and slash commands may run.
    pub(crate) fn set_ready(&mut self) {
        self.ready = true;
        self.todo.append(&mut self.early);
        self.go_on();
    }

    /// Nothing more will be asked. What was asked is finished; questions are answered with no,
    /// for nobody can answer them any more.
    pub(crate) fn end_of_requests(&mut self, code: u8) {
        if self.phase == Phase::Open {
            self.phase = Phase::Draining(code);
            self.deafen();
            self.go_on();
        }
    }

    /// Everything is given up: what waits is refused, what runs is aborted.
    pub(crate) fn stop(&mut self, code: u8) {
        if self.over().is_some() || self.stopping {
            return;
        }
        self.stopping = true;
        self.phase = Phase::Draining(code);
        self.deafen();
        if self.jobs.is_running() {
            self.todo.push(Effect::Abort);
        }
        self.refuse_all("zeug is stopping: this was not done");
        self.go_on();
    }

    /// The agent is gone, and nothing that runs will say how it ended.
    pub(crate) fn cut_off(&mut self) {
        if self.over().is_some() {
            return;
        }
        let gone = "the agent ended before this was done; the log says more";
        self.refuse_all(gone);
        let running = self.jobs.running.take();
        if let Some(Running::Handed { ticket, .. }) = running {
            self.settle(ticket, Err(gone.to_owned()));
        }
        let owes_done =
            matches!(running, Some(Running::Prompt(_))) || self.jobs.foreign.take().is_some();
        if owes_done {
            let message = gone.to_owned();
            self.emit(Event::Error { message });
            self.emit(Event::Done);
        } else if matches!(running, Some(Running::Compact)) {
            self.compact_done(Err(gone.to_owned()));
        }
        self.phase = Phase::Over(FAILED);
    }

    /// The turn machine took the prompt it was given, or said why not.
    pub(crate) fn taken(&mut self, answer: Result<PromptId, String>) {
        let Some(Running::Handed { ticket, id }) = &mut self.jobs.running else {
            return;
        };
        match answer {
            Ok(taken) => *id = Some(taken),
            Err(error) => {
                let ticket = *ticket;
                self.jobs.running = None;
                self.settle(ticket, Err(error));
                self.go_on();
            }
        }
    }

    /// Room was made, or was not; the summary.
    pub(crate) fn compacted(&mut self, result: Result<String, String>) {
        if matches!(self.jobs.running, Some(Running::Compact)) {
            self.jobs.running = None;
            self.compact_done(result);
            self.go_on();
        }
    }

    /// An errand is done.
    pub(crate) fn answer(&mut self, ticket: Ticket, result: Result<Option<RawJson>, String>) {
        self.settle(Some(ticket), result);
        self.go_on();
    }

    fn compact_done(&mut self, result: Result<String, String>) {
        let (summary, error) = match result {
            Ok(summary) => (summary, None),
            Err(error) => (String::new(), Some(error)),
        };
        self.emit(Event::CompactDone { summary, error });
    }

    /// The client is asked nothing any more.
    fn deafen(&mut self) {
        if std::mem::take(&mut self.interactive) {
            self.todo.push(Effect::Listen(false));
        }
    }

    /// Refuses every request but that of a prompt which was handed over: it may still start.
    fn refuse_all(&mut self, why: &str) {
        self.early.clear();
        self.jobs.drain();
        let handed = match &self.jobs.running {
            Some(Running::Handed { ticket, .. }) => *ticket,
            _ => None,
        };
        let open: Vec<Ticket> = self.open.keys().copied().collect();
        for ticket in open.into_iter().filter(|it| Some(*it) != handed) {
            self.settle(Some(ticket), Err(why.to_owned()));
        }
    }

    /// Answers a request; one that was answered already stays as it is.
    fn settle(&mut self, ticket: Option<Ticket>, result: Result<Option<RawJson>, String>) {
        if let Some(owed) = ticket.and_then(|ticket| self.open.remove(&ticket)) {
            let response = Response::new(owed.id, owed.command, result);
            self.out.push(&response.to_line());
        }
    }

    /// Says an event, now or when somebody is there.
    fn emit(&mut self, event: Event) {
        if self.gate.is_open() {
            self.out.push(&event.to_line());
        } else {
            self.gate.hold(event);
        }
    }

    /// Starts what is next, and notices when there is nothing left.
    fn go_on(&mut self) {
        if self.ready
            && let Some(Job { ticket, work }) = self.jobs.next()
        {
            match work {
                Work::Prompt(prompt) => {
                    self.jobs.running = Some(Running::Handed { ticket, id: None });
                    let typed = ticket.is_some();
                    self.todo.push(Effect::Prompt { prompt, typed });
                }
                Work::Compact => {
                    self.jobs.running = Some(Running::Compact);
                    self.settle(ticket, Ok(requests::started()));
                    self.todo.push(Effect::Compact);
                }
            }
        }
        if let Phase::Draining(code) = self.phase
            && self.jobs.is_idle()
            && self.open.is_empty()
        {
            self.phase = Phase::Over(code);
        }
    }
}
