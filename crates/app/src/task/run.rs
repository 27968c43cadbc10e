//! One sub-agent from its start to its report.
//!
//! Does not know what it is told to do. Ends by itself, or by its token.

use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::Receiver;
use tokio_util::sync::CancellationToken;
use zeug_engine::{Child, Common, EndReason, Event, Handle, Prompt, Refused, start_child};
use zeug_hook::Agent;
use zeug_stdx::claims::Order;
use zeug_stdx::text;
use zeug_tool::Progress;
use zeug_transcript::Outcome;

use super::outcome::Seen;
use super::{Note, Office, Profile, TASK, TaskTool, toolbox};

/// The most bytes of a line of progress.
const PROGRESS_BYTES: usize = 120;

const IDENTITY: &str = "You are a sub-agent of zeug, a coding agent in a terminal. You work on one \
task that another agent gives you, with the tools you have. When a tool call is refused, respect \
the refusal and say so in your report.";

const RULES: &str = "Nobody reads what you write but for your last message: it is your report to \
the agent that gave you the task. Ask nothing back. Put into the report what was asked for, with \
exact paths and names, what you did, and what you could not do.";

pub(super) struct Run {
    pub(super) office: Arc<Office>,
    pub(super) common: Common,
    pub(super) agent: Agent,
    pub(super) call_id: String,
    pub(super) prompt: String,
    pub(super) profile: Option<Profile>,
    pub(super) progress: Progress,
    /// Gives it up.
    pub(super) stop: CancellationToken,
    /// Free again when it is over.
    pub(super) place: OwnedSemaphorePermit,
}

impl Run {
    /// Works until there is something to report.
    pub(super) async fn into_outcome(self) -> Outcome {
        let mut seen = Seen::default();
        let (handle, mut events) = match self.start() {
            Ok(machine) => machine,
            Err(refused) => return Outcome::failed(format!("no sub-agent was started: {refused}")),
        };
        self.note(Note::Started {
            agent: self.agent.clone(),
            parent: self.common.agent().ok().flatten(),
            call_id: self.call_id.clone(),
            profile: self.profile.as_ref().map(|p| p.name.clone()),
            prompt: self.prompt.clone(),
        })
        .await;
        self.follow(&handle, &mut events, &mut seen).await;
        handle.close(EndReason::Shutdown).await;
        drop(handle);
        while let Some(event) = events.recv().await {
            self.take(event, &mut seen).await;
        }
        self.note(Note::Returned(seen.returned(&self.agent))).await;
        drop(self.place);
        seen.outcome(&self.agent)
    }

    fn start(&self) -> Result<(Handle, Receiver<Event>), Refused> {
        let setup = &self.office.setup;
        let profile = self.profile.as_ref();
        let tools = toolbox::pack(&self.common.tools()?, profile);
        let model = profile.and_then(|p| p.model.clone());
        let windows = setup.windows.as_ref().zip(model.as_deref());
        let context_window = windows.and_then(|(windows, model)| windows(model));
        let machine = start_child(
            &self.common,
            Child {
                agent: self.agent.clone(),
                tools: tools.clone(),
                system_prompt: self.system_prompt().into(),
                model,
                context_window,
                max_steps: setup.max_steps,
            },
        )?;
        let below = TaskTool::at(
            self.office.clone(),
            machine.0.common(),
            self.agent.depth + 1,
        );
        if let Some(below) = below.filter(|_| profile.is_none_or(|p| p.allows(TASK))) {
            // Its own sub-agents are its own tool, so its table is not part of a circle.
            if let Err(error) = tools.register("zeug", Order::BUILT_IN, Arc::new(below)) {
                tracing::warn!(%error, "a sub-agent goes without sub-agents");
            }
        }
        Ok(machine)
    }

    fn system_prompt(&self) -> String {
        let mut prompt = self.office.setup.prompt.clone();
        let own = self.profile.as_ref().map(|p| p.prompt.clone());
        let own = own.filter(|own| !own.is_empty());
        prompt.identity = Some(own.unwrap_or_else(|| IDENTITY.to_owned()));
        prompt.appended.push(RULES.to_owned());
        prompt.assemble()
    }

    /// Follows it until its prompt is done.
    async fn follow(&self, handle: &Handle, events: &mut Receiver<Event>, seen: &mut Seen) {
        let prompt = Prompt::text(self.prompt.clone());
        if handle.prompt(prompt).await.is_err() {
            return;
        }
        let mut told_to_stop = false;
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled(), if !told_to_stop => {
                    told_to_stop = true;
                    handle.abort().await;
                }
                event = events.recv() => {
                    let Some(event) = event else { return };
                    let done = matches!(event, Event::Done { .. });
                    self.take(event, seen).await;
                    if done {
                        return;
                    }
                }
            }
        }
    }

    async fn take(&self, event: Event, seen: &mut Seen) {
        seen.take(&event);
        if let Event::ToolCall { name, args, .. } = &event {
            let args = args.as_ref().map_or_else(String::as_str, |args| args.get());
            let line = format!("{}: {name} {args}", self.agent.name);
            self.progress.show(text::one_line(&line, PROGRESS_BYTES));
        }
        self.note(Note::Event {
            agent: self.agent.clone(),
            event: Box::new(event),
        })
        .await;
    }

    async fn note(&self, note: Note) {
        if let Some(witness) = &self.office.setup.witness {
            witness.note(note).await;
        }
    }
}
