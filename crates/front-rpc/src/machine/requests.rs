//! What each command means.
//!
//! Refuses at once what cannot be done; everything else becomes a job or an errand.

use serde::Serialize;
use zeug_app::{Action, CommandReply, Consent, Key, Prompt};
use zeug_rpc_protocol::{
    AbortData, ActionData, Command, Consent as Word, Event, ExtCommandData, PingData, PromptImage,
    Request, Response, StartedData,
};
use zeug_stdx::json::RawJson;
use zeug_stdx::text;
use zeug_transcript::Image;

use super::jobs::{Job, Work};
use super::{Effect, Errand, FAILED, Machine, Moment, Owed, PanelAct, Phase, Ticket, Wish};
use crate::lines::LINE_BYTES;

/// Slash commands that may be without an answer.
const COMMANDS: usize = 64;

/// What becomes of a request: an answer now, or one that comes later.
pub(super) type Reply = Result<Now, String>;

pub(super) enum Now {
    Answer(Option<RawJson>),
    Later,
}

impl Machine {
    /// A line of the client that is not blank.
    pub(crate) fn line(&mut self, line: &[u8]) {
        if self.phase != Phase::Open {
            return;
        }
        self.gate.knock();
        self.let_out();
        match Request::parse(line) {
            Ok(Request { id, command }) => self.request(id, command),
            Err(bad) => self.out.push(&Response::from(bad).to_line()),
        }
        self.go_on();
    }

    /// A line that was longer than allowed, and was passed over.
    pub(crate) fn line_too_long(&mut self) {
        if self.phase == Phase::Open {
            self.gate.knock();
            self.let_out();
            let error = format!(
                "a line of more than {} MiB was passed over: give a file's path instead of its \
                 content",
                LINE_BYTES / (1024 * 1024)
            );
            self.out
                .push(&Response::new(None, "", Err(error)).to_line());
        }
    }

    /// A slash command answered.
    pub(crate) fn command(&mut self, ticket: Ticket, reply: Result<CommandReply, String>) {
        if self.open.contains_key(&ticket) {
            let result = reply.and_then(|reply| self.act(reply));
            self.settle(Some(ticket), result.map(|came| data(&came)));
            self.go_on();
        }
    }

    /// What was kept for the client goes out before the first answer.
    fn let_out(&mut self) {
        if self.gate.is_open() {
            for event in self.gate.held() {
                self.out.push(&event.to_line());
            }
        }
    }

    fn request(&mut self, id: Option<String>, command: Command) {
        let owed = Owed {
            id,
            command: command.name(),
        };
        self.tickets += 1;
        let ticket = Ticket(self.tickets);
        self.open.insert(ticket, owed);
        let refused = match &command {
            Command::Hello { token, .. } if !self.gate.admit(token.as_deref()) => {
                self.phase = Phase::Draining(FAILED);
                Some("invalid token: zeug ends")
            }
            Command::Hello { .. } => None,
            _ if !self.gate.is_open() => Some("auth required: send hello with the token first"),
            _ => None,
        };
        if let Some(refused) = refused {
            self.settle(Some(ticket), Err(refused.to_owned()));
            return;
        }
        self.let_out();
        if !matches!(command, Command::Hello { .. }) {
            self.listen(None);
        }
        match self.decide(ticket, command) {
            Ok(Now::Answer(data)) => self.settle(Some(ticket), Ok(data)),
            Err(error) => self.settle(Some(ticket), Err(error)),
            Ok(Now::Later) => {}
        }
    }

    fn decide(&mut self, ticket: Ticket, command: Command) -> Reply {
        let errand = match command {
            Command::Hello { interactive, .. } => {
                self.listen(interactive);
                Errand::Hello {
                    interactive: self.interactive,
                }
            }
            Command::Prompt { message, images } => {
                let images = images.unwrap_or_default();
                return self.enqueue(Some(ticket), prompt(message, images)?);
            }
            Command::Compact => return self.enqueue_compact(ticket),
            Command::Abort => return Ok(self.abort()),
            Command::ExtCommand { name, args } => return self.run(ticket, &name, args),
            Command::Slash { line } => return self.slash(ticket, line),
            Command::Ping => return Ok(Now::Answer(data(&PingData { pong: true }))),
            Command::GetState => Errand::State(Moment {
                busy: !self.jobs.is_idle(),
                queued: self.jobs.waiting(),
                ready: self.ready,
                interactive: self.interactive,
            }),
            Command::GetMessages => Errand::Messages,
            Command::GetModels => Errand::Models,
            Command::GetCommands => Errand::Commands,
            Command::GetTrace => Errand::Trace,
            Command::Clear => {
                self.when_idle()?;
                return Ok(self.change(ticket, Wish::Clear));
            }
            Command::SetModel { model } => {
                self.when_idle()?;
                Errand::SetModel(model)
            }
            Command::SetReasoning { reasoning } => {
                self.when_idle()?;
                Errand::SetReasoning(reasoning)
            }
            Command::Approve { tool_id, decision } => {
                self.is_face()?;
                Errand::Approve(tool_id, consent(decision))
            }
            Command::ExtPanelKey {
                extension,
                panel_id,
                key,
                text,
            } => {
                self.is_face()?;
                Errand::Panel(panel_keys(extension, panel_id, &key, text)?)
            }
            Command::ExtPanelClose {
                extension,
                panel_id,
            } => {
                self.is_face()?;
                Errand::Panel(PanelAct::Close(extension, panel_id))
            }
            Command::ExtPanelResize { width, height } => {
                self.is_face()?;
                Errand::Panel(PanelAct::Resize(width, height))
            }
            of_sessions => return self.wish(ticket, of_sessions),
        };
        self.todo.push(Effect::Do(ticket, errand));
        Ok(Now::Later)
    }

    /// The client says whether it is a full face. One that does not say so is none.
    fn listen(&mut self, interactive: Option<bool>) {
        let interactive = interactive.unwrap_or(self.interactive);
        let is_news = !std::mem::replace(&mut self.is_decided, true);
        if is_news || interactive != self.interactive {
            self.interactive = interactive;
            self.todo.push(Effect::Listen(interactive));
        }
    }

    /// Refuses what only a full face can do.
    fn is_face(&self) -> Result<(), String> {
        if self.interactive {
            return Ok(());
        }
        Err("this client is not asked: say hello with \"interactive\":true first".to_owned())
    }

    pub(super) fn enqueue(&mut self, ticket: Option<Ticket>, prompt: Prompt) -> Reply {
        self.jobs.push(Job {
            ticket,
            work: Work::Prompt(prompt),
        })?;
        Ok(Now::Later)
    }

    fn enqueue_compact(&mut self, ticket: Ticket) -> Reply {
        self.jobs.push(Job {
            ticket: Some(ticket),
            work: Work::Compact,
        })?;
        Ok(Now::Later)
    }

    fn abort(&mut self) -> Now {
        let aborted = self.jobs.is_running();
        self.todo.push(Effect::Abort);
        Now::Answer(data(&AbortData { aborted }))
    }

    /// As zot and zut: what changes the conversation is not queued behind prompts.
    fn when_idle(&self) -> Result<(), String> {
        if !self.jobs.is_running() && self.jobs.waiting() == 0 {
            Ok(())
        } else {
            Err("the agent is busy: wait for done, or abort and wait for it, then ask again".into())
        }
    }

    fn run(&mut self, ticket: Ticket, name: &str, args: Option<String>) -> Reply {
        self.has_room_for_commands()?;
        self.when_ready(Effect::Command {
            ticket,
            name: name.strip_prefix('/').unwrap_or(name).to_owned(),
            args: args.unwrap_or_default(),
        });
        Ok(Now::Later)
    }

    /// Refuses a slash command when too many are without an answer. The one that is asked for
    /// counts.
    pub(super) fn has_room_for_commands(&self) -> Result<(), String> {
        let running = self
            .open
            .values()
            .filter(|owed| matches!(owed.command, "ext_command" | "slash"));
        if running.count() > COMMANDS {
            return Err(format!(
                "{COMMANDS} slash commands are without an answer: wait for one of them"
            ));
        }
        Ok(())
    }

    /// Does this now, or as soon as the extensions are ready.
    pub(super) fn when_ready(&mut self, effect: Effect) {
        if self.ready {
            self.todo.push(effect);
        } else {
            self.early.push(effect);
        }
    }

    /// Does what a slash command wants; the data of its response.
    pub(super) fn act(&mut self, reply: CommandReply) -> Result<ExtCommandData, String> {
        if let Some(prompt) = reply.prompt() {
            self.enqueue(None, prompt)?;
        }
        let CommandReply { extension, action } = reply;
        let action = match action {
            Action::Prompt(text) => ActionData::Prompt { text },
            Action::Insert(text) => ActionData::Insert { text },
            Action::Display(text) => {
                self.emit(Event::ExtDisplay {
                    extension: extension.clone(),
                    text: text::plain(&text),
                });
                ActionData::Display
            }
            Action::Noop => ActionData::Noop,
            Action::OpenPanel(panel) => {
                if !self.interactive {
                    return Err(format!(
                        "extension {extension} opens a panel: say hello with \"interactive\":true \
                         to see it"
                    ));
                }
                ActionData::OpenPanel { panel_id: panel.id }
            }
            Action::ToolPrompt { prompt, tool, .. } => {
                ActionData::ToolPrompt { text: prompt, tool }
            }
        };
        Ok(ExtCommandData { extension, action })
    }
}

/// The keys of a request; a text of several characters is a paste.
fn panel_keys(
    extension: String,
    panel_id: String,
    key: &str,
    text: Option<String>,
) -> Result<PanelAct, String> {
    let keys = match (key, text) {
        ("esc" | "ctrl+c", _) => return Ok(PanelAct::Close(extension, panel_id)),
        ("rune", Some(text)) if !text.is_empty() => Key::paste(&text),
        ("rune", _) => return Err("a rune needs text: what was typed".to_owned()),
        (name, _) if Key::NAMES.contains(&name) => vec![Key::named(name)],
        (name, _) => {
            let name = text::one_line(name, 32);
            let known = Key::NAMES.join(", ");
            return Err(format!(
                "{name:?} is no key: use rune with text, esc, or one of {known}"
            ));
        }
    };
    Ok(PanelAct::Keys(extension, panel_id, keys))
}

/// The data of a job that starts.
pub(super) fn started() -> Option<RawJson> {
    data(&StartedData { started: true })
}

pub(super) fn data<T: Serialize>(data: &T) -> Option<RawJson> {
    // Plain values: nothing in them can fail to be written.
    RawJson::of(data).ok()
}

fn prompt(message: String, images: Vec<PromptImage>) -> Result<Prompt, String> {
    let read = |(at, image): (usize, PromptImage)| {
        if !image.mime_type.starts_with("image/") {
            return Err(format!(
                "images[{at}]: {:?} is no type of an image: write one such as image/png",
                text::one_line(&image.mime_type, 64)
            ));
        }
        Image::from_base64(image.mime_type, &image.data)
            .map_err(|error| format!("images[{at}]: data is no base64: {error}"))
    };
    let images = images.into_iter().enumerate().map(read);
    let images = images.collect::<Result<Vec<_>, _>>()?;
    if message.trim().is_empty() && images.is_empty() {
        return Err("the prompt is empty: say something in message, or attach an image".into());
    }
    Ok(Prompt {
        text: message,
        images,
        ..Prompt::default()
    })
}

fn consent(word: Word) -> Consent {
    match word {
        Word::Once => Consent::Once,
        Word::Tool => Consent::Tool,
        Word::Session => Consent::Session,
        Word::No => Consent::No,
    }
}
