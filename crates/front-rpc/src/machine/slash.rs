//! Lines as a user types them: of the client, and of extensions that submit them.
//!
//! Does not know what a line means; only which of them change the conversation.

use zeug_app::{Slashed, Typed, built_in};
use zeug_rpc_protocol::SlashData;

use super::requests::{Now, Reply, data};
use super::{Effect, Machine, Ticket};

/// A line that is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slash {
    pub(crate) by: By,
    /// With its slash or `!`.
    pub(crate) line: String,
}

/// Who wants a line done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum By {
    Client(Ticket),
    Extension(String),
}

impl Slash {
    /// Whether another conversation takes the place of the open one.
    fn changes(&self) -> bool {
        match Typed::read(&self.line) {
            Typed::Command { name, .. } => built_in(name).is_some_and(|command| command.changes),
            Typed::Prompt(_) | Typed::Shell(_) | Typed::Skill(_) => false,
        }
    }
}

impl Machine {
    /// The client's user typed something.
    pub(super) fn slash(&mut self, ticket: Ticket, line: String) -> Reply {
        self.has_room_for_commands()?;
        self.do_line(By::Client(ticket), line);
        Ok(Now::Later)
    }

    /// An extension submitted a slash command: it runs as if it had been typed.
    pub(super) fn submitted(&mut self, extension: String, line: String) {
        if self.interactive {
            self.do_line(By::Extension(extension), line);
        } else {
            let why = format!("its command was not run, for nobody is there: {line}");
            self.aside(&of(&extension), &why);
        }
    }

    fn do_line(&mut self, by: By, line: String) {
        let slash = Slash { by, line };
        if slash.changes() {
            self.begin_change();
        }
        self.when_ready(Effect::Slash(slash));
    }

    /// A line was done, or was not.
    pub(crate) fn slashed(&mut self, slash: Slash, result: Result<Slashed, String>) {
        if slash.changes() {
            self.jobs.changes -= 1;
        }
        match slash.by {
            By::Client(ticket) if self.open.contains_key(&ticket) => {
                let result = result.and_then(|slashed| self.came_of(slashed));
                self.settle(Some(ticket), result.map(|came| data(&came)));
            }
            // It was refused when everything was given up.
            By::Client(_) => {}
            By::Extension(extension) => match result.and_then(|slashed| self.came_of(slashed)) {
                Ok(SlashData::Said { text }) => self.aside("zeug: ", &text),
                Ok(SlashData::Prompt | SlashData::Command(_)) => {}
                Err(why) => self.aside(&of(&extension), &format!("{}: {why}", slash.line)),
            },
        }
        self.go_on();
    }

    fn came_of(&mut self, slashed: Slashed) -> Result<SlashData, String> {
        Ok(match slashed {
            Slashed::Said(text) => SlashData::Said { text },
            Slashed::Prompt(prompt) => {
                self.enqueue(None, prompt)?;
                SlashData::Prompt
            }
            Slashed::Extension(reply) => SlashData::Command(self.act(reply)?),
            Slashed::Face { command, .. } => {
                return Err(format!(
                    "/{} needs a terminal: over RPC, other requests do what it does",
                    command.name
                ));
            }
        })
    }
}

fn of(extension: &str) -> String {
    format!("extension: {extension}: ")
}
