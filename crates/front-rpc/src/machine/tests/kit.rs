//! A client and an agent around a machine, both played by the test.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use serde_json::Value;
use zeug_app::{Action, Approval, CommandReply, DoneOutcome, Level, Notice, Prompt, PromptId};

use crate::machine::{Effect, Errand, Machine, Slash, Ticket, Wish};

pub(super) struct World {
    pub(super) machine: Machine,
    ids: std::slice::Iter<'static, PromptId>,
    /// Prompts that the agent took and has not started.
    pub(super) handed: VecDeque<PromptId>,
    /// The prompt that the agent runs.
    running: Option<PromptId>,
    pub(super) aborts: usize,
    pub(super) compactions: usize,
    pub(super) listens: Vec<bool>,
    pub(super) asides: Vec<String>,
    pub(super) errands: Vec<(Ticket, Errand)>,
    pub(super) commands: Vec<(Ticket, String)>,
    pub(super) wishes: Vec<(Ticket, Wish)>,
    pub(super) lines: Vec<Slash>,
}

impl World {
    pub(super) fn new(token: Option<&str>) -> Self {
        Self {
            machine: Machine::new(token.map(str::to_owned)),
            ids: ids().iter(),
            handed: VecDeque::new(),
            running: None,
            aborts: 0,
            compactions: 0,
            listens: Vec::new(),
            asides: Vec::new(),
            errands: Vec::new(),
            commands: Vec::new(),
            lines: Vec::new(),
            wishes: Vec::new(),
        }
    }

    pub(super) fn ready() -> Self {
        let mut world = Self::new(None);
        world.machine.set_ready();
        world
    }

    pub(super) fn send(&mut self, line: &str) {
        self.machine.line(line.as_bytes());
        self.look();
    }

    /// Takes note of what the machine wants. The agent takes every prompt.
    pub(super) fn look(&mut self) {
        loop {
            let effects = self.machine.take_effects();
            if effects.is_empty() {
                return;
            }
            for effect in effects {
                match effect {
                    Effect::Prompt { .. } => {
                        let id = self.next_id();
                        self.handed.push_back(id);
                        self.machine.taken(Ok(id));
                    }
                    Effect::Compact => self.compactions += 1,
                    Effect::Abort => self.aborts += 1,
                    Effect::Listen(listens) => self.listens.push(listens),
                    Effect::Do(ticket, errand) => self.errands.push((ticket, errand)),
                    Effect::Command { ticket, name, args } => {
                        self.commands.push((ticket, format!("{name} {args}")));
                    }
                    Effect::Slash(slash) => self.lines.push(slash),
                    Effect::Session(ticket, wish) => self.wishes.push((ticket, wish)),
                    Effect::Aside(words) => self.asides.push(words),
                }
            }
        }
    }

    fn next_id(&mut self) -> PromptId {
        *self.ids.next().unwrap()
    }

    /// The agent starts the next prompt it took, when there is one.
    pub(super) fn start(&mut self) {
        if self.running.is_none()
            && let Some(id) = self.handed.pop_front()
        {
            self.running = Some(id);
            self.machine.notice(Notice::Started(id));
            self.look();
        }
    }

    /// The agent ends the prompt that runs, when one does.
    pub(super) fn end(&mut self) {
        if let Some(id) = self.running.take() {
            let done = zeug_rpc_protocol::Event::Done;
            self.machine.notice(Notice::Event(done));
            self.machine
                .notice(Notice::Ended(id, DoneOutcome::Finished));
            self.look();
        }
    }

    /// The agent gives up a prompt that it took.
    pub(super) fn end_unstarted(&mut self) {
        if let Some(id) = self.handed.pop_front() {
            self.machine
                .notice(Notice::Ended(id, DoneOutcome::Withdrawn));
            self.look();
        }
    }

    /// The agent does not take the prompt after all.
    pub(super) fn refuse(&mut self) {
        if self.handed.pop_front().is_some() {
            self.machine.taken(Err("closed".into()));
            self.look();
        }
    }

    /// The agent starts a prompt that nobody here gave it.
    pub(super) fn foreign(&mut self) -> PromptId {
        let id = self.next_id();
        self.machine.notice(Notice::Started(id));
        self.look();
        id
    }

    pub(super) fn note(&mut self, text: &str) {
        self.machine.notice(Notice::Note {
            extension: "guard".into(),
            level: Level::Info,
            text: text.into(),
        });
        self.look();
    }

    /// The oldest slash command answers, when there is one.
    pub(super) fn reply(&mut self, action: Result<Action, String>) {
        if self.commands.is_empty() {
            return;
        }
        let (ticket, _) = self.commands.remove(0);
        let reply = action.map(|action| CommandReply {
            extension: "guard".into(),
            action,
        });
        self.machine.command(ticket, reply);
        self.look();
    }

    /// Every errand is done.
    pub(super) fn answer_all(&mut self) {
        for (ticket, _) in std::mem::take(&mut self.errands) {
            self.machine.answer(ticket, Ok(None));
        }
        self.look();
    }

    /// Every wish about sessions is granted.
    pub(super) fn grant_all(&mut self) {
        for (ticket, wish) in std::mem::take(&mut self.wishes) {
            self.machine.granted(ticket, wish.changes(), Ok(None));
        }
        self.look();
    }

    /// What the client reads, in short; errands are done first.
    pub(super) fn said(&mut self) -> Vec<String> {
        self.answer_all();
        let lines = String::from_utf8(self.machine.take_lines()).unwrap();
        lines.lines().map(short).collect()
    }
}

/// `ping 1 ok`, `ping 1 failed: why`, or an event with its text.
fn short(line: &str) -> String {
    let line: Value = serde_json::from_str(line).unwrap();
    let text = |name: &str| line[name].as_str().map(str::to_owned);
    let kind = text("type").unwrap();
    if kind != "response" {
        let error = text("error").map(|error| format!("failed: {error}"));
        let words = error.or_else(|| {
            ["message", "text", "summary"]
                .into_iter()
                .filter(|name| *name != "message" || !kind.ends_with("ed") && kind != "ext_gone")
                .find_map(text)
        });
        return [Some(kind), words]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ");
    }
    assert_eq!(
        line["success"] == true,
        line.get("error").is_none(),
        "{line}"
    );
    let mut words = vec![text("command").unwrap()];
    words.extend(text("id"));
    words.push(match text("error") {
        None => "ok".to_owned(),
        Some(error) => format!("failed: {error}"),
    });
    words.join(" ")
}

/// Names of prompts, which only a turn machine gives.
fn ids() -> &'static [PromptId] {
    static IDS: OnceLock<Vec<PromptId>> = OnceLock::new();
    IDS.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let (machine, mut events, _asks) = zeug_engine::start(setup());
            tokio::spawn(async move { while events.recv().await.is_some() {} });
            let mut ids = Vec::new();
            while ids.len() < 64 {
                ids.push(machine.prompt(Prompt::text("say x")).await.unwrap());
                tokio::task::yield_now().await;
            }
            ids
        })
    })
}

fn setup() -> zeug_engine::Setup {
    zeug_engine::Setup {
        provider: zeug_providers::puppet(),
        model: "puppet".into(),
        reasoning: None,
        tools: zeug_tool::Table::new(zeug_tool::Filter::All),
        board: Arc::default(),
        system_prompt: "".into(),
        cwd: Arc::new(PathBuf::from("/")),
        session_id: "s".into(),
        history: Vec::new(),
        spent: zeug_transcript::Usage::default(),
        approval: Approval::Never,
        can_ask: false,
        can_interact: false,
        limits: zeug_engine::Limits::default(),
    }
}
