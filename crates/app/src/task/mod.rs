//! The `task` tool: sub-agents that work on a part of the task in a conversation of their own.
//!
//! A sub-agent is a turn machine in this process with some of the agent's tools. The engine sees to
//! it that its calls pass the same gate; here stands which sub-agents there are, what they may use,
//! how many work at the same time, and what comes back. Does not know who stores their
//! conversations: that is a [`Witness`].
//!
//! # Limits
//! At most two agents below the main one, at most four sub-agents at the same time on each of these
//! two floors (by default); a result has at most 32 KiB.

mod front_matter;
mod load;
mod outcome;
mod profile;
mod run;
mod tool;
mod toolbox;
mod witness;

use std::fmt;
use std::sync::Arc;

use tokio::sync::Semaphore;
use zeug_engine::Common;

use crate::SystemPrompt;

pub use load::{ProfileProblem, profile_places};
pub use profile::{Profile, Profiles};
pub use tool::TaskTool;
pub use witness::{Note, Returned, Witness};

/// The tool's name; extensions cannot take it.
pub const TASK: &str = "task";

/// Tells how many tokens fit into a model's window, by the model's name.
pub type Windows = dyn Fn(&str) -> Option<u64> + Send + Sync;

/// What sub-agents are made of.
#[derive(Clone)]
pub struct TaskSetup {
    /// Which there are beside the plain one.
    pub profiles: Profiles,
    /// The parts of the agent's system prompt. A profile's own text takes the place of the
    /// identity.
    pub prompt: SystemPrompt,
    /// How many agents may be below the main one, one under the other; 0 offers no sub-agents.
    pub depth: u32,
    /// How many may work at the same time on each floor. Those that are too many wait.
    pub at_once: usize,
    /// Model calls of one sub-agent; `None` is no bound.
    pub max_steps: Option<u32>,
    /// For a profile that names a model.
    pub windows: Option<Arc<Windows>>,
    /// Who is told what sub-agents say and do.
    pub witness: Option<Arc<dyn Witness>>,
}

impl Default for TaskSetup {
    fn default() -> Self {
        Self {
            profiles: Profiles::default(),
            prompt: SystemPrompt::default(),
            depth: 2,
            at_once: 4,
            max_steps: Some(200),
            windows: None,
            witness: None,
        }
    }
}

impl fmt::Debug for TaskSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskSetup")
            .field("profiles", &self.profiles)
            .field("depth", &self.depth)
            .field("at_once", &self.at_once)
            .field("max_steps", &self.max_steps)
            .finish_non_exhaustive()
    }
}

/// What all `task` tools of one main agent share.
struct Office {
    setup: TaskSetup,
    /// One for each floor: if a waiting sub-agent kept the place that the one below it needs,
    /// nobody would ever go on.
    floors: Vec<Arc<Semaphore>>,
}

impl Office {
    fn new(setup: TaskSetup) -> Self {
        let floor = |_| Arc::new(Semaphore::new(setup.at_once.max(1)));
        let floors = (0..setup.depth).map(floor).collect();
        Self { setup, floors }
    }
}

/// The `task` tool for the agent that `common` is of, to be put into its table; `None` when no
/// sub-agents are wanted.
#[must_use]
pub fn task_tool(setup: TaskSetup, common: Common) -> Option<TaskTool> {
    TaskTool::at(Arc::new(Office::new(setup)), common, 1)
}
