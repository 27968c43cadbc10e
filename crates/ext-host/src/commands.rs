//! Slash commands of extensions: one table, compared without regard to case, and running them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use thiserror::Error;
use tokio::time::timeout_at;
use zeug_ext_protocol::ToExtension;
use zeug_ext_protocol::command::{CommandInvoked, CommandResponse};
use zeug_ext_protocol::panel::PanelSpec;
use zeug_stdx::claims::{Claims, Order, Standing};
use zeug_stdx::id::IdSource;
use zeug_stdx::json::RawJson;
use zeug_stdx::suggest;
use zeug_tool::Progress;

use crate::link::{Expect, Link, Reply};

static INVOCATIONS: IdSource = IdSource::new("cmd");

/// Commands of zeug itself. They always win, also those that a face does not have.
pub const BUILT_IN_COMMANDS: [&str; 26] = [
    "approve",
    "btw",
    "cd",
    "clear",
    "compact",
    "exit",
    "export",
    "ext",
    "fork",
    "help",
    "import",
    "jail",
    "login",
    "logout",
    "model",
    "new",
    "quit",
    "reload-ext",
    "sessions",
    "settings",
    "skills",
    "theme",
    "title",
    "tools",
    "trace",
    "tree",
];

/// What a command wants to happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Send this to the model.
    Prompt(String),
    /// Put this into the editor.
    Insert(String),
    /// Show this once.
    Display(String),
    /// Open this panel.
    OpenPanel(PanelSpec),
    /// Send this to the model after one call of a tool.
    ToolPrompt {
        /// The user message.
        prompt: String,
        /// The tool.
        tool: String,
        /// Its arguments.
        args: RawJson,
    },
    /// Nothing.
    Noop,
}

/// Why a command did nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandError {
    /// Nobody registered it.
    #[error("unknown command /{name}{}", nearest.as_ref().map(|n| format!(" (did you mean /{n}?)")).unwrap_or_default())]
    Unknown {
        /// What was typed.
        name: String,
        /// What may have been meant.
        nearest: Option<String>,
    },
    /// It did not answer in time.
    #[error("extension /{name}: no answer within {} s", after.as_secs_f32())]
    Timeout {
        /// The command.
        name: String,
        /// The deadline.
        after: Duration,
    },
    /// The extension went away, or answered something that is no answer.
    #[error("extension /{name}: {why}")]
    Failed {
        /// The command.
        name: String,
        /// What happened.
        why: String,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct Command {
    /// As registered.
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) link: Arc<Link>,
}

#[derive(Debug, Default)]
pub(crate) struct Commands(Mutex<Claims<Command>>);

impl Commands {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Claims<Command>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn register(&self, owner: &str, order: Order, command: Command) -> Standing {
        let key = command.name.to_lowercase();
        self.lock().claim(&key, order, owner, command)
    }

    pub(crate) fn unregister(&self, owner: &str, name: &str) -> bool {
        self.lock().release(&name.to_lowercase(), owner)
    }

    fn find(&self, name: &str) -> Result<(String, Command), CommandError> {
        let key = name.to_lowercase();
        let claims = self.lock();
        match claims.holder(&key) {
            Some((owner, command)) => Ok((owner.to_owned(), command.clone())),
            None => Err(CommandError::Unknown {
                name: name.to_owned(),
                nearest: suggest::nearest(&key, claims.holders().map(|(n, _, _)| n))
                    .map(str::to_owned),
            }),
        }
    }

    /// Runs a command; gives the extension's name and what it wants.
    pub(crate) async fn run(
        &self,
        name: &str,
        args: &str,
        reply: Duration,
    ) -> Result<(String, Action), CommandError> {
        let (owner, command) = self.find(name)?;
        let failed = |why: String| CommandError::Failed {
            name: command.name.clone(),
            why,
        };
        let id = INVOCATIONS.next();
        let frame = ToExtension::CommandInvoked(CommandInvoked {
            id: id.clone(),
            name: command.name.clone(),
            args: args.trim().to_owned(),
        });
        let mut asked = command
            .link
            .ask(&frame, id, Expect::Command, Progress::nowhere())
            .map_err(failed)?;
        match timeout_at(asked.since() + reply, asked.answer()).await {
            Err(_) => Err(CommandError::Timeout {
                name: command.name.clone(),
                after: reply,
            }),
            Ok(Reply::Command(response)) => action(response).map(|a| (owner, a)).map_err(failed),
            Ok(Reply::Gone(why) | Reply::Unreadable(why)) => Err(failed(why)),
            Ok(Reply::Tool(_) | Reply::Intercept(_)) => {
                Err(failed("answered with another kind of frame".to_owned()))
            }
        }
    }
}

fn action(response: CommandResponse) -> Result<Action, String> {
    if let Some(error) = response.error.filter(|e| !e.is_empty()) {
        return Err(error);
    }
    let text = |field: Option<String>| field.unwrap_or_default();
    Ok(match response.action.as_str() {
        "" | "noop" => Action::Noop,
        "prompt" => match text(response.prompt) {
            prompt if prompt.trim().is_empty() => Action::Noop,
            prompt => Action::Prompt(prompt),
        },
        "insert" => Action::Insert(text(response.insert)),
        "display" => Action::Display(text(response.display)),
        "open_panel" => response.open_panel.map_or(Action::Noop, Action::OpenPanel),
        "tool_prompt" => {
            let prompt = text(response.prompt);
            let tool = text(response.tool_name);
            let args = response.tool_args.unwrap_or_else(RawJson::empty_object);
            if prompt.trim().is_empty() || tool.is_empty() || !args.is_object() {
                return Err(
                    "tool_prompt needs prompt, tool_name and an object in tool_args".to_owned(),
                );
            }
            Action::ToolPrompt { prompt, tool, args }
        }
        other => return Err(format!("unknown action {other:?}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_become_actions() {
        let check = |json: &str, expect: Result<Action, &str>| {
            let response: CommandResponse = serde_json::from_str(json).unwrap();
            assert_eq!(action(response), expect.map_err(str::to_owned), "{json}");
        };
        check(r#"{"id":"1"}"#, Ok(Action::Noop));
        check(
            r#"{"id":"1","action":"prompt","prompt":"hi"}"#,
            Ok(Action::Prompt("hi".into())),
        );
        check(
            r#"{"id":"1","action":"prompt","prompt":" "}"#,
            Ok(Action::Noop),
        );
        check(r#"{"id":"1","action":"open_panel"}"#, Ok(Action::Noop));
        check(
            r#"{"id":"1","action":"display","display":"x","error":"no"}"#,
            Err("no"),
        );
        check(
            r#"{"id":"1","action":"dance"}"#,
            Err("unknown action \"dance\""),
        );
    }
}
