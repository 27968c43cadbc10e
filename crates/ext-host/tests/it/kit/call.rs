//! Calls of tools and of commands, each in a task of its own.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use zeug_ext_host::{Action, CommandError};
use zeug_stdx::json::RawJson;
use zeug_tool::{Call, Context, Nested, Origin, Progress};
use zeug_transcript::{Content, Outcome};

use super::{Rig, s};

/// A call that runs.
pub(crate) struct Called {
    pub(crate) task: JoinHandle<Outcome>,
    pub(crate) cancel: CancellationToken,
    pub(crate) progress: mpsc::Receiver<String>,
}

impl Called {
    pub(crate) async fn outcome(self) -> Outcome {
        let outcome = timeout(s(300), self.task).await;
        outcome.expect("the call never settled").unwrap()
    }
}

/// The text that the model gets.
pub(crate) fn text(outcome: &Outcome) -> String {
    Content::joined(&outcome.content)
}

impl Rig {
    /// Starts a call of a tool that is in the table.
    pub(crate) fn call(&self, tool: &str, args: &str) -> Called {
        self.call_within(tool, args, zeug_tool::Nested::default())
    }

    /// The same for a call that may start others.
    pub(crate) fn call_within(&self, tool: &str, args: &str, nested: Nested) -> Called {
        let entry = self.table.lookup(tool).expect("a tool in the table");
        let cancel = CancellationToken::new();
        let (sink, progress) = mpsc::channel(16);
        let call = Call {
            id: "toolu_1".to_owned(),
            name: tool.to_owned(),
            args: RawJson::parse(args).unwrap(),
        };
        let cx = Context {
            cancel: cancel.clone(),
            cwd: Arc::new(PathBuf::from("/project")),
            can_interact: false,
            origin: Origin::Model,
            progress: Progress::to(sink),
            nested,
        };
        let task = tokio::spawn(async move { entry.tool.execute(&call, &cx).await });
        Called {
            task,
            cancel,
            progress,
        }
    }

    /// Starts a slash command.
    pub(crate) fn command(
        &self,
        name: &str,
        args: &str,
    ) -> JoinHandle<Result<(String, Action), CommandError>> {
        let (host, name, args) = (self.host.clone(), name.to_owned(), args.to_owned());
        tokio::spawn(async move { host.command(&name, &args).await })
    }
}
