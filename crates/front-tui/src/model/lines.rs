//! What was sent: prompts, and commands that need a face.

use zeug_app::{Action, BuiltIn, CommandReply, Prompt, Slashed, Typed, Unslashed, built_in};
use zeug_rpc_protocol::NoteLevel;

use super::Model;
use super::answers::RELOADING;
use crate::layer::{Choice, Layer, Picker, Row};
use crate::word::{By, Effect};

impl Model {
    /// A line was typed, chosen, or submitted by an extension.
    pub(super) fn line(&mut self, by: By, line: String) {
        let name = match Typed::read(&line) {
            Typed::Prompt(_) if by == By::User => {
                return self.submit(Prompt::text(line.clone()), line, true);
            }
            Typed::Command { name, args } => {
                built_in(name).map(|command| (command.name, args.to_owned()))
            }
            _ => None,
        };
        match name {
            Some(("quit" | "exit", _)) => self.effects.push(Effect::Quit),
            Some(("reload-ext", args)) => {
                if args.is_empty() && by == By::User {
                    self.effects.push(Effect::Strangers);
                }
                self.reload(Some(args).filter(|args| !args.is_empty()));
            }
            _ => {
                self.jobs.push(zeug_stdx::text::one_line(&line, 60));
                self.effects.push(Effect::Slash { by, line });
            }
        }
    }

    /// Starts extensions anew: all, or this one.
    pub(super) fn reload(&mut self, name: Option<String>) {
        if self.jobs.iter().any(|job| job == RELOADING) {
            // One at a time; what is there by then is meant.
            self.is_reload_wanted = true;
            return;
        }
        self.jobs.push(RELOADING.to_owned());
        self.mending = self.chat.failures();
        self.effects.push(Effect::Reload(name));
    }

    /// A line was done, or not.
    pub(super) fn slashed(&mut self, by: &By, line: &str, result: Result<Slashed, Unslashed>) {
        let job = zeug_stdx::text::one_line(line, 60);
        if let Some(at) = self.jobs.iter().position(|running| *running == job) {
            self.jobs.remove(at);
        }
        let owner = match by {
            By::User => None,
            By::Extension(name) => Some(name.clone()),
        };
        match result {
            Ok(Slashed::Said(text)) => {
                let done = match Typed::read(line) {
                    Typed::Command { name, args } => built_in(name).map(|it| (it.name, args)),
                    _ => None,
                };
                match done {
                    Some(("clear", _)) => self.chat.clear(),
                    Some(("btw", question)) => return self.chat.aside(question, text),
                    _ => {}
                }
                self.notes.push(NoteLevel::Success, owner, text);
                self.effects.push(Effect::Look);
            }
            Ok(Slashed::Prompt(prompt)) => {
                self.submit(prompt, line.to_owned(), *by == By::User);
            }
            Ok(Slashed::Extension(reply)) => self.act(reply),
            Ok(Slashed::Face { command, args }) => self.face(command, &args),
            Err(why) => self.notes.push(NoteLevel::Error, owner, why.to_string()),
        }
    }

    /// Does what an extension's command wants.
    fn act(&mut self, reply: CommandReply) {
        if let Some(prompt) = reply.prompt() {
            if !prompt.text.trim().is_empty() || prompt.first.is_some() {
                let shown = prompt.text.clone();
                self.submit(prompt, shown, false);
            }
            return;
        }
        match reply.action {
            Action::Insert(text) => self.editor.insert(&text),
            Action::Display(text) => {
                let text = zeug_paint::safe::plain(&text).into_owned();
                self.notes
                    .push(NoteLevel::Info, Some(reply.extension), text);
            }
            // The panel comes as a notice of its own.
            Action::OpenPanel(_) | Action::Noop => {}
            Action::Prompt(_) | Action::ToolPrompt { .. } => {}
        }
    }

    /// A command that only a face can do.
    fn face(&mut self, command: &'static BuiltIn, args: &str) {
        match command.name {
            "help" | "tools" | "skills" | "ext" | "trace" => {
                let args = args.to_owned();
                self.effects.push(Effect::List { command, args });
            }
            "model" => self.effects.push(Effect::Models),
            "sessions" => self.effects.push(Effect::Sessions(false)),
            "tree" => self.effects.push(Effect::Branches),
            "fork" => self.effects.push(Effect::Tree),
            "approve" => self.pick_approval(),
            "settings" => self.open_settings(),
            "theme" => self.pick_theme(args),
            "login" | "logout" => self.notes.push(
                NoteLevel::Info,
                None,
                format!(
                    "zeug {} in another terminal does this; then start zeug anew",
                    command.name
                ),
            ),
            other => self.notes.push(
                NoteLevel::Error,
                None,
                format!("/{other} does nothing here"),
            ),
        }
    }

    fn pick_approval(&mut self) {
        let row = |word: &str, detail: &str| Row {
            label: word.to_owned(),
            detail: detail.to_owned(),
            choice: Choice::Line(format!("/approve {word}")),
        };
        let rows = vec![
            row("never", "no call is asked about"),
            row("writes", "calls that may change something are asked about"),
            row("always", "every call is asked about"),
        ];
        self.layers.push(Layer::Picker(Picker::new(
            "Which calls are asked about",
            rows,
        )));
    }
}
