//! A tool that does what it is told to do, and notes that it was entered.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Barrier;
use zeug_stdx::json::RawJson;
use zeug_tool::{Call, Context, Source, Spec, Tool};
use zeug_transcript::{Outcome, Status};

use super::Log;

/// What a tool does.
pub(crate) enum Does {
    /// Answers `name args`.
    Echo,
    /// Answers this.
    Give(Outcome),
    /// Has a bug.
    Panic,
    /// Ignores that it should stop.
    Hang,
    /// Waits until it is told to stop, and then says so.
    WaitForCancel,
    /// Takes this long, then answers.
    Wait(Duration),
    /// Answers once so many calls are there at the same time.
    Meet(Arc<Barrier>),
    /// Shows lines, then answers.
    Progress(Vec<&'static str>),
}

pub(crate) struct Fake {
    pub(crate) spec: Spec,
    does: Does,
    pub(crate) preview: Result<Option<String>, String>,
    pub(crate) log: Log,
}

impl Fake {
    pub(crate) fn new(name: &str, does: Does) -> Self {
        let schema = r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#;
        Self {
            spec: Spec::built_in(name, "does something", RawJson::parse(schema).unwrap()),
            does,
            preview: Ok(None),
            log: Log::default(),
        }
    }

    pub(crate) fn of_extension(mut self, extension: &str) -> Self {
        self.spec.source = Source::Extension(extension.to_owned());
        self
    }

    pub(crate) fn owner(&self) -> String {
        match &self.spec.source {
            Source::BuiltIn => "zeug".to_owned(),
            Source::Extension(name) => name.clone(),
        }
    }

    pub(crate) fn set(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

#[async_trait::async_trait]
impl Tool for Fake {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    async fn preview(&self, _: &Call, _: &Context) -> Result<Option<String>, String> {
        self.preview.clone()
    }

    async fn execute(&self, call: &Call, cx: &Context) -> Outcome {
        self.log.note(format!("run {} {}", call.name, call.args));
        match &self.does {
            Does::Echo => Outcome::ok(format!("{} {}", call.name, call.args)),
            Does::Give(outcome) => outcome.clone(),
            Does::Panic => panic!("the tool has a bug"),
            Does::Hang => std::future::pending().await,
            Does::WaitForCancel => {
                cx.cancel.cancelled().await;
                Outcome::text(Status::Cancelled, "stopped what it did")
            }
            Does::Wait(time) => {
                tokio::time::sleep(*time).await;
                Outcome::ok("at last")
            }
            Does::Meet(all_here) => {
                all_here.wait().await;
                Outcome::ok("met")
            }
            Does::Progress(lines) => {
                for line in lines {
                    cx.progress.show(*line);
                }
                Outcome::ok("shown")
            }
        }
    }
}
