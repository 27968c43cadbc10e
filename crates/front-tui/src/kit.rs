//! A model with a clock of its own, for tests: keys and notices go in.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crossterm::event::{Event as TerminalEvent, KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use zeug_app::{Notice, Panel, Prompt, PromptId};
use zeug_rpc_protocol::Event;

use crate::look::Look;
use crate::model::{Facts, Model};
use crate::view::view;
use crate::word::{Answer, Effect, Input};

/// A model with a clock of its own.
pub(crate) struct Bench {
    pub(crate) model: Model,
    pub(crate) now: Instant,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::looking(Look::default())
    }

    pub(crate) fn looking(look: Look) -> Self {
        let now = Instant::now();
        let facts = Facts {
            provider: "puppet".to_owned(),
            model: "puppet".to_owned(),
            cwd: "/work/shop".to_owned(),
            ..Facts::default()
        };
        let mut model = Model::new(look, facts, (80, 24), now);
        model.apply(Input::Answer(Answer::Ready), now);
        Self { model, now }
    }

    pub(crate) fn give(&mut self, input: Input) -> Vec<Effect> {
        self.model.apply(input, self.now)
    }

    pub(crate) fn tell(&mut self, notice: Notice) -> Vec<Effect> {
        self.give(Input::Notice(notice))
    }

    /// Presses keys: names in angle brackets, everything else as it is typed.
    pub(crate) fn press(&mut self, keys: &str) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let key = match rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
                Some((name, behind)) => {
                    rest = behind;
                    named(name)
                }
                None => {
                    rest = &rest[c.len_utf8()..];
                    KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)
                }
            };
            effects.extend(self.give(Input::Terminal(TerminalEvent::Key(key))));
            // Everything that is sent is remembered; few tests are about that.
            effects.retain(|effect| !matches!(effect, Effect::Remember(_)));
        }
        effects
    }

    pub(crate) fn ask(&mut self, id: &str) -> Vec<Effect> {
        self.tell(Notice::Event(Event::ToolConfirmationRequested {
            tool_id: id.to_owned(),
            tool_name: "bash".to_owned(),
            tool_preview: "rm a".to_owned(),
            preview: None,
            reason: None,
            origin_extension: None,
            agent_id: None,
            depth: None,
        }))
    }

    pub(crate) fn panel(&mut self, id: &str) {
        self.tell(Notice::PanelOpened(Panel {
            extension: "todo".to_owned(),
            id: id.to_owned(),
            title: "Todos".to_owned(),
            lines: vec!["▸ one".to_owned()],
            footer: None,
        }));
    }

    pub(crate) fn wait(&mut self, time: Duration) {
        self.now += time;
    }

    /// The screen of this size, as text.
    pub(crate) fn screen(&mut self, width: u16, height: u16) -> String {
        let resize = TerminalEvent::Resize(width, height);
        self.give(Input::Terminal(resize));
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal
            .draw(|frame| drop(view(&mut self.model, frame)))
            .unwrap();
        let buffer = terminal.backend().buffer();
        let mut text = String::new();
        for y in 0..height {
            let mut x = 0;
            let mut row = String::new();
            while x < width {
                let symbol = buffer[(x, y)].symbol();
                row.push_str(symbol);
                // What a wide character covers is not seen.
                let cells = zeug_paint::cells::width(symbol).max(1);
                x += u16::try_from(cells).unwrap();
            }
            text.push_str(row.trim_end());
            text.push('\n');
        }
        text
    }
}

pub(crate) fn named(name: &str) -> KeyEvent {
    let (modifiers, name) = match name.split_once('+') {
        Some(("ctrl", name)) => (KeyModifiers::CONTROL, name),
        Some(("alt", name)) => (KeyModifiers::ALT, name),
        _ => (KeyModifiers::NONE, name),
    };
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "tab" => KeyCode::Tab,
        other => KeyCode::Char(other.chars().next().expect("a key")),
    };
    KeyEvent::new(code, modifiers)
}

/// An id as only a turn machine can give one.
pub(crate) fn id() -> PromptId {
    static ID: OnceLock<PromptId> = OnceLock::new();
    *ID.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let (machine, _events, _asks) = zeug_engine::start(setup());
            machine.prompt(Prompt::text("say x")).await.unwrap()
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
        cwd: Arc::new("/".into()),
        session_id: "s".into(),
        history: Vec::new(),
        spent: zeug_transcript::Usage::default(),
        approval: zeug_app::Approval::Never,
        can_ask: false,
        can_interact: false,
        limits: zeug_engine::Limits::default(),
    }
}
