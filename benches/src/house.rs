//! The extension host as the product runs it: its runtime, its watchdog, its logs, its children.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, ensure};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use zeug_ext_host::{Facts, Host, HostLimits, Invite, Launcher, News, Setup, State};
use zeug_hook::Board;
use zeug_process::{LogLimits, RotatingLog, Spawner, Spec, StdinMode, Watchdog};
use zeug_tool::{Filter, Table};

use crate::guest;

/// A runtime like the product's.
pub(crate) fn runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
}

/// A spawner like the product's; its watchdog starts with its first child.
pub(crate) fn spawner() -> io::Result<Spawner> {
    Ok(Spawner::new(Watchdog::Program {
        exe: std::env::current_exe()?,
        args: vec![crate::WATCHDOG.into()],
    }))
}

/// Where children run that keep no files.
fn anywhere() -> PathBuf {
    std::env::temp_dir()
}

/// A child that is no extension: this program in a role of [`guest`].
pub(crate) fn bare(words: &[&str]) -> io::Result<Spec> {
    let words = std::iter::once(guest::WORD).chain(words.iter().copied());
    Ok(Spec::new(std::env::current_exe()?, anywhere())
        .args(words)
        .stdin(StdinMode::Piped))
}

/// An extension to be started.
#[derive(Debug, Clone)]
pub(crate) struct Guest {
    name: String,
    program: PathBuf,
    args: Vec<String>,
}

impl Guest {
    /// `count` extensions: this program in `role`, told its name and `more`.
    pub(crate) fn ours(count: usize, role: &str, more: &[&str]) -> io::Result<Vec<Self>> {
        let program = std::env::current_exe()?;
        Ok(Self::named(count, &program, &[guest::WORD, role], more))
    }

    /// `count` extensions: `program` with `args`, its name, and `more`.
    pub(crate) fn named(count: usize, program: &Path, args: &[&str], more: &[&str]) -> Vec<Self> {
        let guest = |name: String| Self {
            args: [args, &[&name], more]
                .concat()
                .iter()
                .map(ToString::to_string)
                .collect(),
            program: program.to_owned(),
            name,
        };
        (1..=count).map(|n| guest(format!("guest-{n}"))).collect()
    }

    fn invite(self, spawner: &Spawner, logs: &Path) -> Invite {
        let log = RotatingLog::open(
            logs.join(format!("ext-{}.log", self.name)),
            format!("[zeug] starting {}", self.name),
            LogLimits::default(),
        );
        let launcher = Launcher {
            spawner: spawner.clone(),
            program: self.program,
            language: String::new(),
            args: self.args,
            dir: anywhere(),
            env_set: Vec::new(),
            env_remove: Vec::new(),
            log: Some(log.clone()),
        };
        Invite {
            name: self.name,
            dir: anywhere(),
            data_dir: anywhere(),
            restart_on_crash: false,
            on_failure: None,
            connector: Arc::new(launcher),
            log: Some(log),
        }
    }
}

/// A running host.
pub(crate) struct House {
    pub(crate) host: Host,
    pub(crate) board: Arc<Board>,
    /// What extensions say. Whoever lets them say much must take it.
    pub(crate) news: mpsc::Receiver<News>,
}

impl House {
    /// Starts `guests` and waits for none. `logs` is a directory for their logs.
    pub(crate) fn open(guests: Vec<Guest>, logs: &Path) -> io::Result<Self> {
        let spawner = spawner()?;
        let board = Arc::new(Board::default());
        let (host, news) = Host::start(Setup {
            invites: guests
                .into_iter()
                .map(|guest| guest.invite(&spawner, logs))
                .collect(),
            limits: HostLimits::default(),
            table: Table::new(Filter::All),
            board: Arc::clone(&board),
            facts: Facts {
                version: "0.1.0".to_owned(),
                provider: "puppet".to_owned(),
                model: "puppet".to_owned(),
                cwd: "/home/someone/project".to_owned(),
                session_id: "0190e4c2-0000-7000-8000-000000000000".to_owned(),
                session: None,
            },
        });
        Ok(Self { host, board, news })
    }

    /// Waits until all are ready.
    ///
    /// # Errors
    /// When one of them did not say so.
    pub(crate) async fn ready(&self) -> anyhow::Result<()> {
        self.host.settled().await;
        for guest in self.host.report() {
            let name = guest.name;
            ensure!(
                guest.state == State::Ready("ready"),
                "extension {name} is not ready but {:?}: {:?}",
                guest.state,
                guest.diagnostics
            );
        }
        Ok(())
    }
}

/// A directory for logs that goes with the value.
pub(crate) fn logs() -> anyhow::Result<tempfile::TempDir> {
    tempfile::tempdir().context("no directory for logs")
}
