//! A machine with everything around it faked, and one log of what happened in which order.

mod listener;
mod model;
mod short;
mod tool;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::mpsc::Receiver;
use zeug_engine::{
    Approval, Ask, Consent, DoneOutcome, Event, Handle, Limits, Prompt, PromptId, Setup,
};
use zeug_hook::{Agent, Board, Observation, Observer};
use zeug_stdx::claims::Order;
use zeug_tool::{Filter, Table};
use zeug_transcript::{
    AssistantMessage, Content, Message, Part, StopReason, Timestamp, UserMessage,
};

pub(crate) use listener::{Listens, listens};
pub(crate) use model::{Act, Model, call, counted, failure, text, with_calls};
pub(crate) use tool::{Does, Fake};

/// What happened, in order, in short words.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<(Mutex<Vec<String>>, Notify)>);

impl Log {
    pub(crate) fn note(&self, line: impl Into<String>) {
        self.0.0.lock().unwrap().push(line.into());
        self.0.1.notify_waiters();
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.0.lock().unwrap().clone()
    }

    pub(crate) fn count(&self, line: &str) -> usize {
        self.lines().iter().filter(|l| *l == line).count()
    }

    pub(crate) fn starting_with(&self, start: &str) -> Vec<String> {
        let mut lines = self.lines();
        lines.retain(|l| l.starts_with(start));
        lines
    }
}

struct Spy(Log);

impl Observer for Spy {
    fn observe(&self, observation: &Observation) {
        self.0.note(short::observation(observation));
    }

    fn observe_in(&self, agent: &Agent, observation: &Observation) {
        let Agent {
            agent_id,
            agent_run_id,
            depth,
            ..
        } = agent;
        let what = short::observation(observation);
        self.0
            .note(format!("[{agent_id} {agent_run_id} {depth}] {what}"));
    }
}

/// A machine to be started.
pub(crate) struct Rig {
    pub(crate) setup: Setup,
    pub(crate) model: Arc<Model>,
    pub(crate) log: Log,
}

/// A running machine.
pub(crate) struct Running {
    pub(crate) handle: Handle,
    pub(crate) events: Receiver<Event>,
    pub(crate) asks: Receiver<Ask>,
    pub(crate) model: Arc<Model>,
    pub(crate) board: Arc<Board>,
    pub(crate) log: Log,
}

impl Rig {
    /// A model that gives these answers, one after the other; nobody needs to approve anything.
    pub(crate) fn new(answers: Vec<Vec<Act>>) -> Self {
        let log = Log::default();
        let model = Arc::new(Model::new(answers));
        let board = Arc::new(Board::default());
        board.observe_with(Arc::new(Spy(log.clone())));
        let setup = Setup {
            provider: model.clone(),
            model: "m1".into(),
            reasoning: None,
            tools: Table::new(Filter::All),
            board,
            system_prompt: "base".into(),
            cwd: Arc::new(PathBuf::from("/project")),
            session_id: "s1".into(),
            history: Vec::new(),
            spent: zeug_transcript::Usage::default(),
            approval: Approval::Never,
            can_ask: false,
            can_interact: false,
            limits: Limits {
                jitter_seed: Some(1),
                ..Limits::default()
            },
        };
        Self { setup, model, log }
    }

    pub(crate) fn tool(self, name: &str, does: Does) -> Self {
        self.fake(Fake::new(name, does))
    }

    pub(crate) fn fake(self, mut fake: Fake) -> Self {
        fake.log = self.log.clone();
        let owner = fake.owner();
        let order = Order(u32::from(owner != "zeug"));
        let registered = self.setup.tools.register(&owner, order, Arc::new(fake));
        registered.unwrap();
        self
    }

    pub(crate) fn set(mut self, change: impl FnOnce(&mut Setup)) -> Self {
        change(&mut self.setup);
        self
    }

    pub(crate) fn on_tool_call(self, listener: Listens<zeug_hook::ToolCall>) -> Self {
        let board = &self.setup.board;
        board.tool_call.join(listener.logged(&self.log));
        self
    }

    pub(crate) fn on_turn_start(self, listener: Listens<zeug_hook::TurnStart>) -> Self {
        let board = &self.setup.board;
        board.turn_start.join(listener.logged(&self.log));
        self
    }

    pub(crate) fn on_message(self, listener: Listens<zeug_hook::AssistantMessage>) -> Self {
        let board = &self.setup.board;
        board.assistant_message.join(listener.logged(&self.log));
        self
    }

    pub(crate) fn on_start(self, listener: Listens<zeug_hook::BeforeAgentStart>) -> Self {
        let board = &self.setup.board;
        board.before_agent_start.join(listener.logged(&self.log));
        self
    }

    pub(crate) fn start(self) -> Running {
        let board = self.setup.board.clone();
        let (handle, events, asks) = zeug_engine::start(self.setup);
        Running {
            handle,
            events,
            asks,
            model: self.model,
            board,
            log: self.log,
        }
    }
}

/// Waits, but not for ever: on a paused clock an hour passes as soon as nothing else can happen.
pub(crate) async fn soon<T>(what: impl Future<Output = T>) -> T {
    let hour = Duration::from_secs(3600);
    let done = tokio::time::timeout(hour, what).await;
    done.expect("nothing more happens")
}

impl Running {
    pub(crate) async fn prompt(&self, text: &str) -> PromptId {
        self.handle.prompt(Prompt::text(text)).await.unwrap()
    }

    pub(crate) async fn event(&mut self) -> Event {
        soon(self.events.recv()).await.expect("an event")
    }

    /// The events up to the first one that `is` points out.
    pub(crate) async fn until(&mut self, is: impl Fn(&Event) -> bool) -> Vec<Event> {
        let mut seen = Vec::new();
        loop {
            let event = self.event().await;
            let last = is(&event);
            seen.push(event);
            if last {
                return seen;
            }
        }
    }

    /// The events up to the end of this prompt.
    pub(crate) async fn until_done(&mut self, id: PromptId) -> Vec<Event> {
        self.until(|e| matches!(e, Event::Done { prompt, .. } if *prompt == id))
            .await
    }

    /// Says something and waits for the end.
    pub(crate) async fn run(&mut self, text: &str) -> Vec<Event> {
        let id = self.prompt(text).await;
        self.until_done(id).await
    }

    /// Waits until the log has this line.
    pub(crate) async fn logged(&self, line: &str) {
        soon(async {
            loop {
                let more = self.log.0.1.notified();
                if self.log.count(line) > 0 {
                    return;
                }
                more.await;
            }
        })
        .await;
    }

    /// The next question, answered.
    pub(crate) async fn answer(&mut self, consent: Consent) -> String {
        let Ask::Approve {
            name,
            summary,
            reply,
            reason,
            ..
        } = soon(self.asks.recv()).await.expect("a question");
        reply.send(consent);
        match reason {
            None => format!("{name}: {summary}"),
            Some(reason) => format!("{name}: {summary} ({reason})"),
        }
    }

    /// What the model was told about its calls, as `id Status text`.
    pub(crate) fn results(&self) -> Vec<String> {
        let messages = self.handle.transcript();
        let result = |m: &Message| match m {
            Message::Tool(t) => Some(format!(
                "{} {:?} {}",
                t.call_id,
                t.status,
                Content::joined(&t.content)
            )),
            _ => None,
        };
        messages.iter().filter_map(result).collect()
    }
}

/// A conversation of so many exchanges.
pub(crate) fn exchanges(n: usize) -> Vec<Message> {
    let exchange = |i: usize| {
        let said = UserMessage {
            content: vec![Content::text(format!("question {i}"))],
            time: Timestamp::UNIX_EPOCH,
        };
        let answered = AssistantMessage {
            parts: vec![Part::Text(format!("answer {i}"))],
            stop: StopReason::EndTurn,
            usage: None,
            provider: None,
            model: None,
            shown: None,
            time: Timestamp::UNIX_EPOCH,
        };
        [Message::User(said), Message::Assistant(answered)]
    };
    (0..n).flat_map(exchange).collect()
}

/// The text of a message.
pub(crate) fn words(message: &Message) -> String {
    match message {
        Message::User(said) => Content::joined(&said.content),
        Message::Assistant(said) => said.text(""),
        Message::Tool(result) => Content::joined(&result.content),
    }
}

/// How a list of events ended.
pub(crate) fn outcome(events: &[Event]) -> DoneOutcome {
    match events.last() {
        Some(Event::Done { outcome, .. }) => *outcome,
        other => panic!("not done: {other:?}"),
    }
}

/// The last `Error` event's text.
pub(crate) fn error(events: &[Event]) -> String {
    let last = events.iter().rev().find_map(|e| match e {
        Event::Error { message } => Some(message.clone()),
        _ => None,
    });
    last.expect("an error")
}

/// Everything a face could have shown as text.
pub(crate) fn shown(events: &[Event]) -> String {
    let piece = |e: &Event| match e {
        Event::TextDelta { delta } | Event::ThinkingDelta { delta } => Some(delta.clone()),
        _ => None,
    };
    events.iter().filter_map(piece).collect()
}

/// The events in short words, without what is only for storing.
pub(crate) fn names(events: &[Event]) -> Vec<String> {
    let seen = events.iter().filter(|e| !matches!(e, Event::Appended(_)));
    seen.map(short::event).collect()
}
