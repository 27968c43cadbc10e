//! `task` as a tool: its arguments, the wait for a free place, and the hand-over to a run.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use tokio::sync::OwnedSemaphorePermit;
use zeug_engine::Common;
use zeug_hook::Agent;
use zeug_stdx::id::IdSource;
use zeug_stdx::json::RawJson;
use zeug_stdx::text;
use zeug_tool::{Annotations, Call, Context, Spec, Tool};
use zeug_transcript::{Outcome, Status};

use super::run::Run;
use super::{Office, Profile, Profiles, TASK};

static RUN_IDS: IdSource = IdSource::new("agent-run");

/// The most bytes of a sub-agent's name.
const NAME_BYTES: usize = 80;

/// The tool that starts sub-agents. One for each agent that may have some.
pub struct TaskTool {
    office: Arc<Office>,
    /// Whose sub-agents they are.
    common: Common,
    /// How deep they are.
    depth: u32,
    spec: Spec,
}

impl std::fmt::Debug for TaskTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TaskTool")
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Args {
    pub(super) description: String,
    pub(super) prompt: String,
    agent: Option<String>,
}

impl TaskTool {
    /// For sub-agents so deep; `None` when there are none so deep.
    pub(super) fn at(office: Arc<Office>, common: Common, depth: u32) -> Option<Self> {
        let spec = spec(&office.setup.profiles);
        (depth <= office.setup.depth).then_some(Self {
            office,
            common,
            depth,
            spec,
        })
    }

    fn args(&self, call: &Call) -> Result<(Args, Option<Profile>), String> {
        let args: Args = call
            .args
            .view()
            .map_err(|error| format!("the arguments of task are not usable: {error}"))?;
        if args.prompt.trim().is_empty() {
            return Err("prompt is empty: say what the sub-agent should do".to_owned());
        }
        let name = args.agent.as_deref().map(str::trim);
        let profiles = &self.office.setup.profiles;
        let profile = match name.filter(|name| !name.is_empty()) {
            None => None,
            Some(name) => match profiles.find(name) {
                Some(profile) => Some(profile.clone()),
                None => return Err(profiles.nobody(name)),
            },
        };
        Ok((args, profile))
    }

    /// A place on its floor; `None` when the call is given up before there is one.
    async fn place(&self, cx: &Context) -> Option<OwnedSemaphorePermit> {
        let floor = self.office.floors.get(self.depth as usize - 1)?.clone();
        if let Ok(place) = floor.clone().try_acquire_owned() {
            return Some(place);
        }
        let busy = self.office.setup.at_once;
        cx.progress
            .show(format!("waits until one of {busy} sub-agents returns"));
        // Without a deadline: sub-agents end by themselves, and the call can be given up.
        tokio::select! {
            biased;
            () = cx.cancel.cancelled() => None,
            place = floor.acquire_owned() => place.ok(),
        }
    }
}

#[async_trait]
impl Tool for TaskTool {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    async fn preview(&self, call: &Call, _: &Context) -> Result<Option<String>, String> {
        let (args, profile) = self.args(call)?;
        let who = profile.map(|p| format!(" ({})", p.name));
        let who = who.unwrap_or_default();
        Ok(Some(format!("{}{who}\n{}", args.description, args.prompt)))
    }

    async fn execute(&self, call: &Call, cx: &Context) -> Outcome {
        let (args, profile) = match self.args(call) {
            Ok(args) => args,
            Err(why) => return Outcome::failed(why),
        };
        let Some(place) = self.place(cx).await else {
            return Outcome::text(
                Status::Cancelled,
                "the sub-agent was cancelled before it began",
            );
        };
        let stop = cx.cancel.child_token();
        let _nobody_waits = stop.clone().drop_guard();
        let name = match text::one_line(args.description.trim(), NAME_BYTES) {
            name if name.is_empty() => profile.as_ref().map_or(TASK, |p| &p.name).to_owned(),
            name => name,
        };
        let run = Run {
            office: self.office.clone(),
            common: self.common.clone(),
            agent: Agent {
                agent_id: uuid::Uuid::now_v7().to_string(),
                agent_run_id: RUN_IDS.next(),
                name,
                depth: self.depth,
            },
            call_id: call.id.clone(),
            prompt: args.prompt,
            profile,
            progress: cx.progress.clone(),
            stop,
            place,
        };
        // A task of its own, which ends by `stop`: also when nobody waits for it any more it ends
        // what it began, and those who keep the conversation hear the rest of it.
        tokio::spawn(run.into_outcome())
            .await
            .unwrap_or_else(|broken| {
                tracing::error!(%broken, "a sub-agent broke off");
                Outcome::failed(
                    "the sub-agent broke off with an internal error; the log says where",
                )
            })
    }
}

fn spec(profiles: &Profiles) -> Spec {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {
            "description": {
                "type": "string",
                "description": "What it is about, in three to six words, for the user."
            },
            "prompt": {
                "type": "string",
                "description": "What to do, with everything it needs to know, and what to report."
            },
            "agent": {
                "type": "string",
                "description": "The profile to use; leave it out for a plain sub-agent."
            }
        },
        "required": ["description", "prompt"]
    });
    let mut description =
        "Starts a sub-agent that works on its own, with tools and a conversation \
        of its own, and returns its report. It knows nothing of this conversation, and you see \
        nothing but its report. Use it for work that can be told in a few sentences and would fill \
        this conversation with what is not needed later: searching, reading much, trying out. \
        Several calls in one message work at the same time."
            .to_owned();
    if profiles.iter().next().is_some() {
        description.push_str("\nProfiles:");
    }
    for profile in profiles.iter() {
        description.push_str(&format!("\n- {}: {}", profile.name, profile.description));
    }
    let mut spec = Spec::built_in(TASK, &description, RawJson::from_value(&schema));
    // What it does is done by calls, and each of them passes the gate.
    spec.annotations = Annotations {
        read_only: true,
        ..Annotations::default()
    };
    spec.concurrent = true;
    spec
}
