//! Everything that the face knows, and what becomes of what happens. Pure: no I/O, and the clock
//! is given in.
//!
//! | room | what |
//! |---|---|
//! | `keys` | keys, the mouse and pastes, from the topmost layer down |
//! | `notices` | what the agent says |
//! | `answers` | what came of effects |
//! | `queue` | prompts that wait, and the one that is with the agent |
//! | `pop_up` | the lists that open while a command or a file name is typed |
//! | `lines` | what was sent: slash commands that need a face |
//! | `settings` | how it looks and behaves, changed while it runs |

mod answers;
mod chrome;
mod keys;
mod layers;
mod lines;
mod notices;
mod pop_up;
mod queue;
mod settings;

use std::time::{Duration, Instant};

use zeug_app::{Prompt, PromptId, SessionInfo, Shown, State};
use zeug_paint::{Canvas, Entry};
use zeug_transcript::{Message, Usage};

use crate::chat::Chat;
use crate::editor::{Editor, History};
use crate::layer::Layer;
use crate::look::Look;
use crate::word::{Effect, Input};

pub(crate) use chrome::{Chrome, Notes, level};
pub(crate) use pop_up::{PopUp, Subject};
pub(crate) use queue::Queue;

/// A second ctrl+c leaves within this time.
const LEAVING: Duration = Duration::from_secs(2);

/// What is told in the status line, as the agent stood last.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    pub(crate) provider: String,
    pub(crate) model: String,
    pub(crate) cwd: String,
    pub(crate) session: Option<SessionInfo>,
    pub(crate) usage: Usage,
}

impl From<State> for Facts {
    fn from(state: State) -> Self {
        Self {
            provider: state.provider,
            model: state.model,
            cwd: state.cwd.display().to_string(),
            session: Some(state.session),
            usage: state.usage,
        }
    }
}

/// The prompt that runs.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    pub(crate) running: Option<PromptId>,
    /// Since when.
    pub(crate) since: Option<Instant>,
    /// The user gave it up and it has not ended yet.
    pub(crate) is_stopping: bool,
    /// What is tried again, and why it takes long.
    pub(crate) retry: Option<String>,
}

/// Everything that the face knows.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) look: Look,
    pub(crate) canvas: Canvas,
    /// Columns and rows of the terminal.
    pub(crate) size: (u16, u16),
    pub(crate) now: Instant,
    started: Instant,
    pub(crate) chat: Chat,
    pub(crate) editor: Editor,
    pub(crate) history: History,
    pub(crate) pop_up: Option<PopUp>,
    pub(crate) layers: Vec<Layer>,
    pub(crate) notes: Notes,
    pub(crate) chrome: Chrome,
    pub(crate) queue: Queue,
    pub(crate) turn: Turn,
    pub(crate) facts: Facts,
    /// Slash commands of extensions.
    commands: Vec<(String, String)>,
    /// The project's files, once they are known.
    files: Option<Vec<String>>,
    /// What goes on beside the conversation, in words.
    pub(crate) jobs: Vec<String>,
    /// Until then a second ctrl+c leaves.
    leaving: Option<Instant>,
    /// When a key was typed last.
    typed: Option<Instant>,
    pub(crate) is_ready: bool,
    pub(crate) has_mouse: bool,
    pub(crate) has_rail: bool,
    /// Extensions are to be started anew once more, when the reload that runs is over.
    is_reload_wanted: bool,
    /// How many failures were told when a reload began.
    mending: usize,
    /// How it looked before themes were tried.
    before_preview: Option<Look>,
    panel_size: (u16, u16),
    is_dirty: bool,
    effects: Vec<Effect>,
}

impl Model {
    pub(crate) fn new(look: Look, facts: Facts, size: (u16, u16), now: Instant) -> Self {
        let canvas = look.canvas();
        let has_mouse = look.mouse;
        Self {
            chat: Chat::new(canvas.clone()),
            look,
            canvas,
            size,
            now,
            started: now,
            editor: Editor::default(),
            history: History::default(),
            pop_up: None,
            layers: Vec::new(),
            notes: Notes::default(),
            chrome: Chrome::default(),
            queue: Queue::default(),
            turn: Turn::default(),
            facts,
            commands: Vec::new(),
            files: None,
            jobs: Vec::new(),
            leaving: None,
            typed: None,
            is_ready: false,
            has_mouse,
            has_rail: true,
            is_reload_wanted: false,
            mending: 0,
            before_preview: None,
            panel_size: (0, 0),
            is_dirty: true,
            effects: Vec::new(),
        }
    }

    /// Shows who speaks, and what can be done.
    pub(crate) fn greet(&mut self, version: &str) {
        let lines = crate::view::banner(&self.canvas, version, &self.facts);
        self.chat.push(Entry::styled(lines));
    }

    /// Shows what was said and is shown already when the face begins.
    pub(crate) fn resume(&mut self, messages: &[Message], shown: &Shown) {
        self.chat.replay(messages);
        self.chrome.take_over(shown);
    }

    /// Too much waits already to do something more.
    pub(crate) fn overloaded(&mut self) {
        self.queue.prompted(None);
        self.wrong("too much waits already: that was not done".to_owned());
        self.touch();
    }

    /// Something happened; what is to be done about it.
    pub(crate) fn apply(&mut self, input: Input, now: Instant) -> Vec<Effect> {
        self.now = now;
        match input {
            Input::Terminal(event) => self.terminal(event),
            Input::Notice(notice) => self.notice(notice),
            Input::Answer(answer) => self.answer(answer),
            Input::Tick => self.tick(),
        }
        let wanted = self.chat.wanted_images().into_iter();
        self.effects
            .extend(wanted.map(|(id, source)| Effect::Pictures(id, source)));
        std::mem::take(&mut self.effects)
    }

    pub(crate) fn submit(&mut self, prompt: Prompt, shown: String, is_typed: bool) {
        self.queue.push(prompt, shown, is_typed);
        self.go_on();
    }

    /// Gives the agent the next prompt that waits, when it is free for it.
    fn go_on(&mut self) {
        if self.is_ready
            && let Some(prompt) = self.queue.next()
        {
            self.effects.push(Effect::Prompt(prompt));
        }
    }

    /// Whether a prompt runs.
    pub(crate) fn is_busy(&self) -> bool {
        self.turn.running.is_some() || self.queue.is_out()
    }

    /// Whether ctrl+c leaves now.
    pub(crate) fn is_leaving(&self) -> bool {
        self.leaving.is_some_and(|until| self.now < until)
    }

    fn tick(&mut self) {
        let is_running = self.chat.tick(self.now);
        if self.leaving.is_some_and(|until| self.now >= until) {
            self.leaving = None;
            self.touch();
        }
        if is_running || self.is_busy() || !self.jobs.is_empty() {
            self.touch();
        }
    }

    /// Whether something moves without anybody doing anything.
    pub(crate) fn is_moving(&self) -> bool {
        self.is_busy() || !self.jobs.is_empty() || self.leaving.is_some()
    }

    /// How long the face lives.
    pub(crate) fn age(&self) -> Duration {
        self.now.duration_since(self.started)
    }

    fn touch(&mut self) {
        self.is_dirty = true;
    }

    /// Whether there is something new to paint; asking takes it back.
    pub(crate) fn take_dirty(&mut self) -> bool {
        std::mem::take(&mut self.is_dirty)
    }

    /// Panels have so much room; their owners are told when it is another than before.
    pub(crate) fn panel_room(&mut self, width: u16, height: u16) -> Option<Effect> {
        if self.panel_size == (width, height) {
            return None;
        }
        self.panel_size = (width, height);
        Some(Effect::PanelSize(width, height))
    }

    /// Another look from now on.
    pub(crate) fn set_look(&mut self, look: Look) {
        self.canvas = look.canvas();
        self.look = look;
        self.chat.list().set_canvas(self.canvas.clone());
        self.touch();
    }
}

#[cfg(test)]
mod tests;
