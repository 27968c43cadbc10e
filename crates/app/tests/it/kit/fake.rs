//! A tool that does what it is told to do, and notes that it was entered.

use std::sync::Arc;

use tokio::sync::Barrier;
use zeug_stdx::json::RawJson;
use zeug_tool::{Call, Context, Spec, Tool};
use zeug_transcript::{Outcome, Status};

use super::Log;

/// What a tool does.
pub(crate) enum Does {
    /// Answers its arguments.
    Echo,
    /// Answers once so many calls are there at the same time.
    Meet(Arc<Barrier>),
    /// Waits until it is told to stop, and then says so.
    WaitForCancel,
    /// Ignores that it should stop.
    Hang,
}

pub(crate) struct Fake {
    pub(crate) spec: Spec,
    does: Does,
    pub(crate) log: Log,
}

impl Fake {
    pub(crate) fn new(name: &str, does: Does) -> Self {
        Self {
            spec: Spec::built_in(name, "does something", RawJson::empty_object()),
            does,
            log: Log::default(),
        }
    }
}

#[async_trait::async_trait]
impl Tool for Fake {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    async fn execute(&self, call: &Call, cx: &Context) -> Outcome {
        self.log.note(format!("runs {}", call.name));
        match &self.does {
            Does::Echo => Outcome::ok(call.args.get()),
            Does::Meet(all_here) => {
                all_here.wait().await;
                Outcome::ok("met")
            }
            Does::WaitForCancel => {
                cx.cancel.cancelled().await;
                self.log.note(format!("stopped {}", call.name));
                Outcome::text(Status::Cancelled, "stopped what it did")
            }
            Does::Hang => std::future::pending().await,
        }
    }
}
