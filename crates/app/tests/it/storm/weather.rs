//! Where a storm happens: two extensions that are started as processes, and started anew.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use zeug_app::{Invited, Inviter, ModelFacts, Models, Opened, Parts};
use zeug_engine::Approval;
use zeug_ext_host::{Facts, HostLimits, Invite, Launcher};
use zeug_process::{Spawner, Watchdog};
use zeug_tool::{Filter, Table};

const PROGRAM: &str = include_str!("relay.py");

pub(super) struct Weather {
    dir: TempDir,
    spawner: Spawner,
}

/// Two extensions, wherever they are looked for.
#[derive(Debug)]
struct Both(Vec<(PathBuf, String)>, PathBuf, Spawner);

impl Both {
    fn invites(&self) -> Vec<Invite> {
        self.0
            .iter()
            .map(|(dir, name)| self.invite(dir, name))
            .collect()
    }

    fn invite(&self, dir: &Path, name: &str) -> Invite {
        let launcher = Launcher {
            spawner: self.2.clone(),
            program: "python3".into(),
            language: "python".into(),
            args: vec![
                "relay.py".into(),
                name.to_owned(),
                self.1.display().to_string(),
            ],
            dir: dir.to_owned(),
            env_set: Vec::new(),
            env_remove: Vec::new(),
            log: None,
        };
        Invite {
            name: name.to_owned(),
            restart_on_crash: false,
            dir: dir.to_owned(),
            data_dir: dir.to_owned(),
            on_failure: None,
            connector: Arc::new(launcher),
            log: None,
        }
    }
}

impl Inviter for Both {
    fn look(&self) -> Result<Invited, String> {
        Ok(Invited {
            invites: self.invites(),
            errors: Vec::new(),
        })
    }
}

#[derive(Debug)]
struct NoModels;

impl Models for NoModels {
    fn of(&self, _: &str) -> Vec<ModelFacts> {
        Vec::new()
    }

    fn find(&self, _: &str, word: &str) -> Result<ModelFacts, String> {
        Err(format!("no model {word}"))
    }
}

impl Weather {
    /// `None` where there is no Python.
    #[expect(
        clippy::disallowed_methods,
        reason = "a test looks for a program as a shell does"
    )]
    pub(super) fn new() -> Option<Self> {
        let found = std::env::var_os("PATH").is_some_and(|path| {
            std::env::split_paths(&path).any(|dir| dir.join("python3").exists())
        });
        if !found {
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        for name in ["a", "b"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
            std::fs::write(dir.path().join(name).join("relay.py"), PROGRAM).unwrap();
        }
        let spawner = Spawner::new(Watchdog::Off);
        Some(Self { dir, spawner })
    }

    fn pids(&self) -> PathBuf {
        self.dir.path().join("pids")
    }

    pub(super) fn parts(&self) -> Parts {
        let dirs = ["a", "b"].map(|name| (self.dir.path().join(name), name.to_owned()));
        let both = Both(dirs.into(), self.pids(), self.spawner.clone());
        let table = Table::new(Filter::All);
        let board = Arc::<zeug_hook::Board>::default();
        Parts {
            models: Arc::new(NoModels),
            skills: Arc::default(),
            engine: zeug_engine::Setup {
                provider: zeug_providers::puppet(),
                model: "puppet".into(),
                reasoning: None,
                tools: table.clone(),
                board: board.clone(),
                system_prompt: "".into(),
                cwd: Arc::new(self.dir.path().to_owned()),
                session_id: "storm".into(),
                history: Vec::new(),
                spent: zeug_transcript::Usage::default(),
                approval: Approval::Never,
                can_ask: false,
                can_interact: false,
                limits: zeug_engine::Limits::default(),
            },
            host: zeug_ext_host::Setup {
                invites: both.invites(),
                limits: HostLimits {
                    // So that calls run out of time, too.
                    tool_reply: Duration::from_millis(150),
                    ..HostLimits::default()
                },
                table,
                board,
                facts: Facts {
                    version: "0.0.0".into(),
                    provider: "puppet".into(),
                    model: "puppet".into(),
                    cwd: self.dir.path().display().to_string(),
                    session_id: "storm".into(),
                    session: None,
                },
            },
            inviter: Some(Arc::new(both)),
            task: None,
            session: Opened::unkept(),
            first: Vec::new(),
        }
    }

    /// The processes of all extensions so far that still run.
    pub(super) fn alive(&self) -> Vec<u32> {
        let pids = std::fs::read_to_string(self.pids()).unwrap();
        pids.lines()
            .filter_map(|pid| pid.parse().ok())
            .filter(|pid| is_ours(*pid))
            .collect()
    }
}

/// Whether this process runs and is one of the extensions: ids are used again.
fn is_ours(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/cmdline"))
        .is_ok_and(|words| words.contains("relay.py"))
}

/// Bytes of this process that are in memory; 0 where the system does not tell.
pub(super) fn resident() -> usize {
    let told = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: Option<usize> = told.split(' ').nth(1).and_then(|word| word.parse().ok());
    pages.unwrap_or_default() * 4096
}
