//! The built-in tools: read, write, edit, bash, grep, glob.
//!
//! Knows how each does its work and how its answer is bounded. Does not know who calls, whether a
//! call was approved, or what else there is beside files and commands; the environment and the
//! directories that these tools need come as [`Options`].

mod args;
mod bash;
mod blocking;
mod diff;
mod edit;
mod failure;
mod glob;
mod grep;
mod page;
mod place;
mod read;
mod replace;
mod search;
mod write;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use zeug_process::Spawner;
use zeug_tool::Tool;

use crate::place::Roots;
use crate::replace::Turn;

/// What the tools need to know of the world.
#[derive(Debug, Clone)]
pub struct Options {
    /// What `~` stands for in a path; without it such paths are refused.
    pub home: Option<PathBuf>,
    /// Where `bash` leaves the whole of a long output. Created when needed, never cleaned up here.
    pub temp_dir: PathBuf,
    /// Environment variables that commands do not inherit: credentials.
    pub env_remove: Vec<OsString>,
    /// Starts the commands.
    pub spawner: Spawner,
}

impl Options {
    /// Commands by `spawner`, long outputs in `temp_dir`; no home, the whole environment.
    pub fn new(spawner: Spawner, temp_dir: impl Into<PathBuf>) -> Self {
        Self {
            home: None,
            temp_dir: temp_dir.into(),
            env_remove: Vec::new(),
            spawner,
        }
    }
}

/// All built-in tools: read, write, edit, bash, grep, glob.
///
/// # Limits
/// An answer is at most 2000 lines or 50 KiB of UTF-8 text and a few notes, or one image of at
/// most 3.75 MiB.
#[must_use]
pub fn all(options: Options) -> Vec<Arc<dyn Tool>> {
    let Options {
        home,
        temp_dir,
        env_remove,
        spawner,
    } = options;
    let roots = Roots::new(home);
    // Shared, so that `write` and `edit` take turns.
    let turn = Turn::default();
    vec![
        Arc::new(read::Read::new(roots.clone())),
        Arc::new(write::Write::new(roots.clone(), turn.clone())),
        Arc::new(edit::Edit::new(roots.clone(), turn)),
        Arc::new(bash::Bash::new(spawner, env_remove, temp_dir)),
        Arc::new(grep::Grep::new(roots.clone())),
        Arc::new(glob::Glob::new(roots)),
    ]
}
