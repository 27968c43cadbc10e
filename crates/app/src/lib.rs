//! One running agent: takes intents, gives notices, owns both machines.
//!
//! The turn machine and the extension host meet only here, through the table of tools, the board
//! of listeners and this crate's loop. Knows no terminal, no argument and no environment: a face
//! shows [`Notice`]s, the door decides what goes in.

mod agent;
mod notice;
mod system_prompt;
mod translate;

pub use agent::{Agent, CommandReply, Parts};
pub use notice::{Level, Notice};
pub use system_prompt::SystemPrompt;
