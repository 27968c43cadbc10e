//! A main agent whose model says what the scripts say, and one log of what happened.

mod fake;
mod model;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::mpsc::{self, Receiver};
use zeug_app::{Note, TaskSetup, task_tool};
use zeug_engine::{Approval, Ask, DoneOutcome, Event, Handle, Limits, Prompt, Setup};
use zeug_hook::{
    Agent, Board, Listener, Matcher, Meta, Moment, Observation, Observer, OnFailure, Silence,
};
use zeug_stdx::claims::Order;
use zeug_tool::{Filter, Table};
use zeug_transcript::{Content, Message};

pub(crate) use fake::{Does, Fake};
pub(crate) use model::{Act, Model, calls, fails, says};

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

    pub(crate) fn with(&self, part: &str) -> Vec<String> {
        let mut lines = self.lines();
        lines.retain(|line| line.contains(part));
        lines
    }

    /// Waits until a line has this in it.
    pub(crate) async fn has(&self, part: &str) {
        soon(async {
            loop {
                let more = self.0.1.notified();
                if !self.with(part).is_empty() {
                    return;
                }
                more.await;
            }
        })
        .await;
    }
}

struct Spy(Log);

impl Observer for Spy {
    fn observe(&self, observation: &Observation) {
        if let Some(short) = short(observation) {
            self.0.note(format!("main: {short}"));
        }
    }

    fn observe_in(&self, agent: &Agent, observation: &Observation) {
        if let Some(short) = short(observation) {
            self.0
                .note(format!("{}/{}: {short}", agent.name, agent.depth));
        }
    }
}

fn short(observation: &Observation) -> Option<String> {
    Some(match observation {
        Observation::ToolCall { tool, .. } => format!("calls {tool}"),
        Observation::ToolResult { tool, status, .. } => format!("{tool} {}", status.as_str()),
        Observation::SubagentStart { .. } => "starts".to_owned(),
        Observation::SubagentStop { status, .. } => format!("stops {}", status.as_str()),
        Observation::SessionStart => "session_start".to_owned(),
        Observation::SessionEnd { .. } => "session_end".to_owned(),
        _ => return None,
    })
}

/// A listener that answers from a closure.
pub(crate) struct Listens<M: Moment>(Meta, Box<Answers<M>>);

type Answers<M> =
    dyn Fn(&<M as Moment>::Facts, &<M as Moment>::Value) -> <M as Moment>::Answer + Send + Sync;

pub(crate) fn listens<M: Moment>(
    answers: impl Fn(&M::Facts, &M::Value) -> M::Answer + Send + Sync + 'static,
) -> Arc<Listens<M>> {
    let meta = Meta {
        extension: "guard".into(),
        order: Order(1),
        priority: 0,
        seq: 0,
        id: None,
        matcher: Matcher::default(),
        on_failure: OnFailure::Allow,
    };
    Arc::new(Listens(meta, Box::new(answers)))
}

#[async_trait::async_trait]
impl<M: Moment> Listener<M> for Listens<M> {
    fn meta(&self) -> &Meta {
        &self.0
    }

    async fn ask(&self, facts: &M::Facts, value: &M::Value) -> Result<M::Answer, Silence> {
        Ok((self.1)(facts, value))
    }
}

/// An agent to be started.
pub(crate) struct Rig {
    pub(crate) setup: Setup,
    pub(crate) tasks: TaskSetup,
    pub(crate) model: Arc<Model>,
    pub(crate) log: Log,
}

/// A running agent.
pub(crate) struct Running {
    pub(crate) handle: Handle,
    pub(crate) events: Receiver<Event>,
    pub(crate) asks: Receiver<Ask>,
    pub(crate) notes: Receiver<Note>,
    pub(crate) model: Arc<Model>,
    pub(crate) log: Log,
}

impl Rig {
    /// A model with these scripts, each for the conversation that begins with its text.
    pub(crate) fn new(scripts: Vec<(&str, Vec<Vec<Act>>)>) -> Self {
        let log = Log::default();
        let model = Arc::new(Model::new(scripts));
        let board = Arc::new(Board::default());
        board.observe_with(Arc::new(Spy(log.clone())));
        let setup = Setup {
            provider: model.clone(),
            model: "m1".into(),
            reasoning: None,
            tools: Table::new(Filter::All),
            board,
            system_prompt: "You are the main agent.".into(),
            cwd: Arc::new(PathBuf::from("/project")),
            session_id: "s1".into(),
            history: Vec::new(),
            spent: zeug_transcript::Usage::default(),
            approval: Approval::Never,
            can_ask: false,
            can_interact: true,
            limits: Limits {
                jitter_seed: Some(1),
                ..Limits::default()
            },
        };
        Self {
            setup,
            tasks: TaskSetup::default(),
            model,
            log,
        }
    }

    pub(crate) fn tool(self, name: &str, does: Does) -> Self {
        self.fake(Fake::new(name, does))
    }

    pub(crate) fn fake(self, mut fake: Fake) -> Self {
        fake.log = self.log.clone();
        let registered = self
            .setup
            .tools
            .register("zeug", Order::BUILT_IN, Arc::new(fake));
        registered.unwrap();
        self
    }

    pub(crate) fn set(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    pub(crate) fn start(mut self) -> Running {
        let (witness, notes) = mpsc::channel(4096);
        self.tasks.witness = Some(Arc::new(witness));
        let table = self.setup.tools.clone();
        let (handle, events, asks) = zeug_engine::start(self.setup);
        if let Some(tool) = task_tool(self.tasks, handle.common()) {
            let registered = table.register("zeug", Order::BUILT_IN, Arc::new(tool));
            registered.unwrap();
        }
        Running {
            handle,
            events,
            asks,
            notes,
            model: self.model,
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
    pub(crate) async fn prompt(&self, text: &str) {
        self.handle.prompt(Prompt::text(text)).await.unwrap();
    }

    /// The events up to the end of the prompt, and how it ended.
    pub(crate) async fn until_done(&mut self) -> (Vec<Event>, DoneOutcome) {
        let mut seen = Vec::new();
        loop {
            let event = soon(self.events.recv()).await.expect("an event");
            if let Event::Done { outcome, .. } = event {
                return (seen, outcome);
            }
            seen.push(event);
        }
    }

    /// Says something and waits for the end.
    pub(crate) async fn run(&mut self, text: &str) -> DoneOutcome {
        self.prompt(text).await;
        self.until_done().await.1
    }

    /// What the model was told about its calls, as `id Status text`, without what they took.
    pub(crate) fn results(&self) -> Vec<String> {
        let messages = self.handle.transcript();
        let result = |m: &Message| match m {
            Message::Tool(t) => {
                let text = Content::joined(&t.content);
                let text = text.split("\n\n[").next().unwrap_or_default();
                Some(format!("{} {:?} {text}", t.call_id, t.status))
            }
            _ => None,
        };
        messages.iter().filter_map(result).collect()
    }

    /// The notes that are there.
    pub(crate) fn noted(&mut self) -> Vec<Note> {
        std::iter::from_fn(|| self.notes.try_recv().ok()).collect()
    }
}

/// A call of `task`.
pub(crate) fn task(id: &str, name: &str, prompt: &str) -> (String, String, String) {
    let args = serde_json::json!({"description": name, "prompt": prompt});
    (id.to_owned(), "task".to_owned(), args.to_string())
}

/// A call.
pub(crate) fn call(id: &str, name: &str, args: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), args.to_owned())
}
