//! Requests that take their time: about sessions, and to start extensions anew. Which of them change
//! the conversation, and what that does to prompts that wait.
//!
//! Does not know how anything of it is done.

use zeug_rpc_protocol::Command;
use zeug_stdx::json::RawJson;

use super::requests::{Now, Reply};
use super::{Effect, Machine, Ticket};

/// What a client wants that takes its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wish {
    List {
        all: bool,
        search: Option<String>,
    },
    /// Forgets the conversation.
    Clear,
    New,
    Open {
        session: String,
        branch: Option<String>,
        read_only: bool,
        fork: bool,
    },
    Fork {
        entry: Option<String>,
        after: bool,
        name: Option<String>,
    },
    Switch(String),
    Branches,
    Tree,
    Rename(String),
    Export(String),
    Import(String),
    Delete(String),
    /// Extensions start anew.
    Reload(Option<String>),
}

impl Wish {
    /// What a command wants that takes its time; `None` when that is nothing.
    fn of(command: Command) -> Option<Self> {
        Some(match command {
            Command::Sessions { all, search } => Self::List {
                all: all.unwrap_or_default(),
                search,
            },
            Command::NewSession => Self::New,
            Command::OpenSession {
                session,
                branch,
                read_only,
                fork,
            } => Self::Open {
                session,
                branch,
                read_only: read_only.unwrap_or_default(),
                fork: fork.unwrap_or_default(),
            },
            Command::Fork { entry, after, name } => Self::Fork {
                entry,
                after: after.unwrap_or_default(),
                name,
            },
            Command::SwitchBranch { branch } => Self::Switch(branch),
            Command::Branches => Self::Branches,
            Command::Tree => Self::Tree,
            Command::Rename { title } => Self::Rename(title),
            Command::Export { path } => Self::Export(path),
            Command::Import { path } => Self::Import(path),
            Command::DeleteSession { session } => Self::Delete(session),
            Command::ReloadExt { name } => Self::Reload(name),
            _ => return None,
        })
    }

    /// Whether another conversation takes the place of the open one.
    pub(crate) fn changes(&self) -> bool {
        match self {
            Self::Clear
            | Self::New
            | Self::Open { .. }
            | Self::Fork { .. }
            | Self::Switch(_)
            | Self::Import(_) => true,
            Self::List { .. }
            | Self::Branches
            | Self::Tree
            | Self::Rename(_)
            | Self::Export(_)
            | Self::Delete(_)
            | Self::Reload(_) => false,
        }
    }
}

impl Machine {
    /// Something is wanted that takes its time. When that is another conversation, prompts that
    /// wait were meant for the conversation that is open; those that come now are meant for the
    /// next one, and wait for it.
    pub(super) fn wish(&mut self, ticket: Ticket, command: Command) -> Reply {
        let name = command.name();
        let wish = Wish::of(command).ok_or(format!("{name} is not in this version"))?;
        Ok(self.change(ticket, wish))
    }

    /// The same, when it is clear what is wanted.
    pub(super) fn change(&mut self, ticket: Ticket, wish: Wish) -> Now {
        if wish.changes() {
            self.begin_change();
        }
        self.todo.push(Effect::Session(ticket, wish));
        Now::Later
    }

    /// Another conversation is to take the place of the open one.
    pub(super) fn begin_change(&mut self) {
        let why = "another conversation was asked for before this started: send it again if it is \
                   meant for that one";
        for waiting in self.jobs.drain() {
            self.settle(Some(waiting), Err(why.to_owned()));
        }
        self.jobs.changes += 1;
    }

    /// A wish about sessions was granted, or was not.
    pub(crate) fn granted(
        &mut self,
        ticket: Ticket,
        changes: bool,
        result: Result<Option<RawJson>, String>,
    ) {
        if changes {
            self.jobs.changes -= 1;
        }
        self.answer(ticket, result);
    }
}
