//! A call from its announcement to its one result.
//!
//! Does not know what happens in between. An open call that is lost on the way (a panic, the end of
//! the runtime) settles by being dropped.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use zeug_hook::{Observation, PermissionDecision, PermissionSource, PermissionStage, Step};
use zeug_stdx::json::RawJson;
use zeug_tool::{Origin, Source};
use zeug_transcript::{Content, Outcome, Status};

use super::CallReport;
use crate::shared::Shared;
use crate::{Event, Ruling, ToolResult, Trace};

/// A call that was announced and owes a result.
pub(crate) struct Open {
    pub(super) shared: Arc<Shared>,
    pub(super) id: String,
    pub(super) tool: String,
    pub(super) origin: Origin,
    /// The names of the calls above it.
    pub(super) chain: Vec<String>,
    asked: Result<RawJson, String>,
    /// The arguments as they stand.
    pub(super) args: Result<RawJson, String>,
    pub(super) source: Option<Source>,
    pub(super) steps: Vec<Step>,
    /// Who rewrote the arguments last.
    pub(super) rewritten_by: Option<String>,
    ruling: Option<Ruling>,
    pub(super) executed: bool,
    settled: bool,
    cancel: CancellationToken,
}

impl Open {
    /// Announces a call.
    pub(crate) async fn announce(
        shared: Arc<Shared>,
        id: String,
        tool: String,
        args: Result<RawJson, String>,
        origin: Origin,
        cancel: &CancellationToken,
    ) -> Self {
        let open = Self {
            shared,
            id,
            tool,
            origin,
            chain: Vec::new(),
            asked: args.clone(),
            args,
            source: None,
            steps: Vec::new(),
            rewritten_by: None,
            ruling: None,
            executed: false,
            settled: false,
            cancel: cancel.clone(),
        };
        open.shared.herald.room().await;
        open.shared.herald.announce(&Observation::ToolCall {
            call_id: open.id.clone(),
            tool: open.tool.clone(),
            args: open.args.clone(),
            origin_extension: open.origin_extension(),
        });
        let wanted = Event::ToolCall {
            id: open.id.clone(),
            name: open.tool.clone(),
            args: open.args.clone(),
            origin: open.origin.clone(),
        };
        open.shared.out.tell(wanted, cancel).await;
        open
    }

    /// Whether the tool may run together with its neighbours.
    pub(crate) fn may_overlap(&self) -> bool {
        let entry = self.shared.tools.lookup(&self.tool);
        entry.is_some_and(|entry| entry.tool.spec().concurrent)
    }

    fn origin_extension(&self) -> Option<String> {
        self.origin.extension().map(str::to_owned)
    }

    /// Announces a permission that was resolved before the tool is entered.
    pub(super) async fn rule(&mut self, ruling: Ruling) {
        let decision = self.decision(&ruling, PermissionStage::PreExecution);
        self.ruling = Some(ruling);
        let event = Event::PermissionDecision(decision);
        self.shared.out.tell(event, &self.cancel).await;
    }

    fn decision(&self, ruling: &Ruling, stage: PermissionStage) -> PermissionDecision {
        let decision = PermissionDecision {
            call_id: self.id.clone(),
            tool: self.tool.clone(),
            decision: ruling.decision,
            source: ruling.source,
            stage,
            reason: ruling.reason.clone(),
            origin_extension: self.origin_extension(),
        };
        self.shared
            .herald
            .announce(&Observation::PermissionDecision(decision.clone()));
        decision
    }

    /// Settles the call.
    pub(super) async fn settle(
        mut self,
        outcome: Outcome,
        cancel: &CancellationToken,
    ) -> CallReport {
        for event in self.close(&outcome) {
            self.shared.out.tell(event, cancel).await;
        }
        CallReport {
            call_id: self.id.clone(),
            tool: self.tool.clone(),
            args: self.args.clone(),
            executed: self.executed,
            outcome,
        }
    }

    /// Observers are told and the table follows; the events that are owed to the face.
    fn close(&mut self, outcome: &Outcome) -> Vec<Event> {
        self.settled = true;
        let mut events = Vec::new();
        if self.executed && outcome.status == Status::Blocked {
            let refused = Ruling {
                decision: "denied",
                source: PermissionSource::Policy,
                reason: Some(Content::joined(&outcome.content)),
            };
            let decision = self.decision(&refused, PermissionStage::ToolExecution);
            events.push(Event::PermissionDecision(decision));
            self.ruling = Some(refused);
        }
        let activate = outcome.activate_tools.iter().map(String::as_str);
        self.shared.tools.activate(activate);
        self.shared.herald.announce(&Observation::ToolResult {
            call_id: self.id.clone(),
            tool: self.tool.clone(),
            args: self.args.clone(),
            status: outcome.status,
            executed: self.executed,
            content: outcome.content.clone(),
            origin_extension: self.origin_extension(),
        });
        events.push(Event::ToolResult(Box::new(ToolResult {
            id: self.id.clone(),
            name: self.tool.clone(),
            source: self.source.clone(),
            origin: self.origin.clone(),
            status: outcome.status,
            executed: self.executed,
            content: outcome.content.clone(),
            structured: outcome.structured.clone(),
            details: outcome.details.clone(),
            activated: outcome.activate_tools.clone(),
        })));
        self.shared.trail.keep(Trace {
            call_id: self.id.clone(),
            tool: self.tool.clone(),
            origin: self.origin.clone(),
            agent: self.shared.herald.agent().map(|a| a.as_ref().clone()),
            asked: self.asked.clone(),
            rewritten: self.rewritten_by.as_ref().and(self.args.clone().ok()),
            steps: std::mem::take(&mut self.steps),
            ruling: self.ruling.clone(),
            executed: self.executed,
            status: outcome.status,
        });
        events
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if self.settled {
            return;
        }
        let outcome = if std::thread::panicking() {
            Outcome::failed("broke off with an internal error; the log says where")
        } else {
            Outcome::text(Status::Cancelled, "given up together with its turn")
        };
        for event in self.close(&outcome) {
            self.shared.out.owe(event);
        }
    }
}
