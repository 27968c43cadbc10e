//! Carrying slash commands out.

use std::path::Path;

use thiserror::Error;
use tokio::sync::mpsc;
use zeug_engine::{Approval, FirstCall, Prompt};
use zeug_stdx::json::RawJson;
use zeug_stdx::{suggest, text};
use zeug_tool::Origin;

use super::{BUILT_INS, BuiltIn, Typed, built_in};
use crate::{Access, Agent, CommandError, CommandReply, Wanted};

/// The tool that runs `!COMMAND`.
const SHELL: &str = "bash";

/// What came of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slashed {
    /// It was done; what to say about it, possibly several lines of plain text.
    Said(String),
    /// Only a face can do this.
    Face {
        /// Which command.
        command: &'static BuiltIn,
        /// What stands behind it.
        args: String,
    },
    /// An extension answered; what it wants is the face's to do.
    Extension(CommandReply),
    /// This is for the queue of prompts.
    Prompt(Prompt),
}

/// Why nothing came of a line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unslashed {
    /// Nobody has such a command.
    #[error("unknown command /{name}{}; /help lists them", hint(nearest.as_deref()))]
    Unknown {
        /// What was typed.
        name: String,
        /// What may have been meant.
        nearest: Option<String>,
    },
    /// A command of zeug does not go like this.
    #[error("usage: /{} {}", .0.name, .0.args)]
    Usage(&'static BuiltIn),
    /// It did not work; a sentence that says why.
    #[error("{0}")]
    Failed(String),
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| {
        format!(" (did you mean /{nearest}?)")
    })
}

impl Agent {
    /// Does what a line says that somebody typed or an extension submitted. Everything that a
    /// command of an extension says before it answers is among the notices then.
    ///
    /// # Order
    /// What changes the conversation gives the running prompt up first: `/clear`, `/compact`,
    /// `/reload-ext` and whatever opens another session or branch. Notices must be taken meanwhile.
    ///
    /// # Errors
    /// [`Unslashed`].
    pub async fn slash(&self, line: &str) -> Result<Slashed, Unslashed> {
        match Typed::read(line) {
            Typed::Prompt(line) => Ok(Slashed::Prompt(Prompt::text(line))),
            Typed::Shell(command) => Ok(Slashed::Prompt(shell(command))),
            Typed::Skill(line) => {
                let text = self.expand(line).map_err(Unslashed::Failed)?;
                Ok(Slashed::Prompt(Prompt::text(
                    text.unwrap_or_else(|| line.to_owned()),
                )))
            }
            Typed::Command { name, args } => match built_in(name) {
                Some(command) => self.built_in(command, args).await,
                None => self.of_extension(name, args).await,
            },
        }
    }

    async fn of_extension(&self, name: &str, args: &str) -> Result<Slashed, Unslashed> {
        match self.command(name, args).await {
            Ok(reply) => Ok(Slashed::Extension(reply)),
            Err(CommandError::Unknown { name, nearest }) => {
                let ours = || BUILT_INS.iter().map(|command| command.name);
                let nearest = nearest
                    .or_else(|| suggest::nearest(&name.to_lowercase(), ours()).map(str::to_owned));
                Err(Unslashed::Unknown { name, nearest })
            }
            Err(other) => Err(Unslashed::Failed(other.to_string())),
        }
    }

    async fn built_in(&self, command: &'static BuiltIn, args: &str) -> Result<Slashed, Unslashed> {
        let said = match command.name {
            "clear" => {
                self.abort().await;
                failing(self.clear().await)?;
                "the conversation is forgotten".to_owned()
            }
            "compact" => {
                self.abort().await;
                match self.compact().await.map_err(Unslashed::Failed)?.as_str() {
                    "" => "there is nothing to summarise yet".to_owned(),
                    _ => "a summary took the place of the conversation".to_owned(),
                }
            }
            "new" => session(failing(self.new_session().await)?.id),
            "sessions" if !args.is_empty() => {
                let wanted = Wanted::named(args);
                session(failing(self.open_session(wanted, Access::Write, None).await)?.id)
            }
            "tree" if !args.is_empty() => session(failing(self.switch_branch(args).await)?.id),
            "fork" if !args.is_empty() => {
                let forked = self.fork(Some(args.to_owned()), false, None).await;
                session(failing(forked)?.session.id)
            }
            "title" => {
                failing(self.rename_session(args).await)?;
                "the session has its title".to_owned()
            }
            "export" => {
                let path = needed(command, args)?;
                let file = failing(self.export_session(Path::new(path)).await)?;
                format!("the session is in {}", file.display())
            }
            "import" => {
                let path = needed(command, args)?;
                session(failing(self.import_session(Path::new(path)).await)?.id)
            }
            "reload-ext" => {
                let name = (!args.is_empty()).then_some(args);
                let reloaded = self.reload(name).await.map_err(Unslashed::Failed)?;
                reloaded.to_string()
            }
            "approve" if !args.is_empty() => self.approving(command, args).await?,
            "model" if !args.is_empty() => {
                let model = self.choose_model(args).await.map_err(Unslashed::Failed)?;
                format!("{} answers from now on", text::one_line(&model.name, 256))
            }
            "btw" => {
                let question = needed(command, args)?;
                let (words, mut unheard) = mpsc::channel(1);
                unheard.close();
                let answer = self.beside(question, words).await;
                answer.map_err(Unslashed::Failed)?
            }
            "jail" | "cd" => return Err(not_here(command)),
            _ => {
                return Ok(Slashed::Face {
                    command,
                    args: args.to_owned(),
                });
            }
        };
        Ok(Slashed::Said(said))
    }

    async fn approving(&self, command: &'static BuiltIn, word: &str) -> Result<String, Unslashed> {
        let approval = match word.to_ascii_lowercase().as_str() {
            "never" => Approval::Never,
            "writes" => Approval::Writes,
            "always" => Approval::Always,
            _ => return Err(Unslashed::Usage(command)),
        };
        self.set_approval(approval).await;
        Ok(match approval {
            Approval::Never => "no call is asked about from now on",
            Approval::Writes => "calls that may change something are asked about from now on",
            Approval::Always => "every call is asked about from now on",
        }
        .to_owned())
    }
}

/// A shell command that the user wants run, through the gate like every call. The model sees it
/// with the next prompt.
fn shell(command: &str) -> Prompt {
    let args = serde_json::json!({ "command": command });
    Prompt {
        first: Some(FirstCall {
            origin: Origin::Typed,
            tool: SHELL.to_owned(),
            args: RawJson::of(&args).unwrap_or_else(|_| RawJson::empty_object()),
        }),
        ends_there: true,
        ..Prompt::text(format!("!{command}"))
    }
}

fn session(id: String) -> String {
    format!("session {id} is open")
}

fn needed<'a>(command: &'static BuiltIn, args: &'a str) -> Result<&'a str, Unslashed> {
    if args.is_empty() {
        return Err(Unslashed::Usage(command));
    }
    Ok(args)
}

fn failing<T, E: ToString>(result: Result<T, E>) -> Result<T, Unslashed> {
    result.map_err(|why| Unslashed::Failed(why.to_string()))
}

fn not_here(command: &BuiltIn) -> Unslashed {
    let instead = match command.name {
        "cd" => "start zeug there, or with --cwd PATH",
        _ => "approvals (/approve) and guards decide what tools may do",
    };
    Unslashed::Failed(format!(
        "/{} is kept for zeug and not in this version: {instead}",
        command.name
    ))
}
