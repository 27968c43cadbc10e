//! One running agent: takes intents, gives notices, owns both machines.
//!
//! The turn machine and the extension host meet only here, through the table of tools, the board
//! of listeners and this crate's loop. Knows no terminal, no argument and no environment: a face
//! shows [`Notice`]s, the door decides what goes in.

mod agent;
mod asks;
mod below;
mod beside;
mod forward;
mod journal;
mod models;
mod notice;
mod reload;
mod sessions;
mod slash;
mod state;
mod surface;
mod system_prompt;
mod task;
pub mod trace;
mod translate;

pub use agent::{Agent, CommandReply, Parts};
pub use journal::{
    Access, Forked, Keeping, Opened, Opening, SessionInfo, SessionRefused, Sessions, TreeNode,
    Wanted, find_branch,
};
pub use models::{ModelFacts, Models};
pub use notice::Notice;
pub use reload::{Invited, Inviter};
pub use sessions::shapes;
pub use slash::{BUILT_INS, BuiltIn, Slashed, Typed, Unslashed, built_in};
pub use state::State;
pub use surface::{Key, Panel, Position, Shown, StatusItem, Widget};
pub use system_prompt::SystemPrompt;
pub use task::{
    Note, Profile, ProfileProblem, Profiles, Returned, TASK, TaskSetup, TaskTool, Windows, Witness,
    profile_places, task_tool,
};
// What faces say to the turn machine and hear of it, so that they need not know it.
pub use zeug_engine::{Approval, Consent, DoneOutcome, FirstCall, Prompt, PromptId, Refused};
pub use zeug_ext_host::{Action, CommandError, Level, Reloaded};
pub use zeug_provider::Effort;
pub use zeug_session::{Branch, Filter, Hit, Listing, Node, Summary};
