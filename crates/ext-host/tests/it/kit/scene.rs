//! Real processes: one that misbehaves as its flags say, and one that behaves, at the same host.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::OnceCell;
use zeug_ext_host::{HostLimits, Invite, Launcher, News, State};
use zeug_process::{LogLimits, RotatingLog, RunLimits, Spawner, Spec, Watchdog};
use zeug_tool::Table;

use super::{Called, Duration, Rig, ms, s, text};

const SCRIPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/bad-guest/bad_guest.py"
);

/// How soon an answer of the well-behaved guest must be there, on a busy machine too.
const PROMPTLY: Duration = s(1);

/// How long an end may be waited for that comes by itself.
const AT_MOST: Duration = s(10);

/// Short deadlines; `hello` leaves a busy machine the time to start Python.
pub(crate) fn limits() -> HostLimits {
    let usual = HostLimits::default();
    HostLimits {
        hello: s(10),
        ready: s(2),
        tool_reply: s(1),
        intercept: ms(400),
        command_reply: ms(500),
        shutdown: ms(300),
        terminate: ms(200),
        wire: zeug_ext_wire::Limits {
            write_timeout: ms(300),
            ..usual.wire
        },
        ..usual
    }
}

/// Polls in real time; fails after ten seconds.
pub(crate) async fn soon(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + AT_MOST;
    while !condition() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        tokio::time::sleep(ms(2)).await;
    }
}

/// Whether a process runs; a zombie does not.
pub(crate) fn is_alive(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The state stands behind the name, which is in parentheses.
    let state = stat.rsplit(") ").next().unwrap_or_default();
    !matches!(state.chars().next(), None | Some('Z' | 'X'))
}

/// The interpreter itself rather than a script that looks for it; looked for once.
async fn python() -> Option<PathBuf> {
    static PYTHON: OnceCell<Option<PathBuf>> = OnceCell::const_new();
    let look = async {
        let spec =
            Spec::new("python3", "/").args(["-c", "import sys; print(sys.executable, end='')"]);
        let limits = RunLimits {
            timeout: s(30),
            max_output_bytes: 4096,
        };
        let never = tokio_util::sync::CancellationToken::new();
        let found = zeug_process::run(&Spawner::new(Watchdog::Off), spec, limits, &never)
            .await
            .ok()?;
        let path = String::from_utf8(found.stdout).ok()?;
        (found.report.exit.is_success() && !path.is_empty()).then(|| path.into())
    };
    PYTHON.get_or_init(|| look).await.clone()
}

/// `bad` with its flags, first in load order, and `good`.
pub(crate) struct Scene {
    pub(crate) rig: Rig,
    dir: TempDir,
    stop_within: Duration,
}

impl Scene {
    /// `None`, and a line on stderr, when there is no Python here.
    pub(crate) async fn of(flags: &[&str]) -> Option<Self> {
        Self::with(flags, &[], limits()).await
    }

    pub(crate) async fn with(flags: &[&str], good: &[&str], limits: HostLimits) -> Option<Self> {
        let bad = [&["--name", "bad"], flags].concat();
        let good = [
            &["--name", "good", "--tool", "good_echo", "--command", "good"],
            good,
        ]
        .concat();
        Self::cast(&[("bad", &bad), ("good", &good)], limits).await
    }

    /// Guests of these names and flags.
    pub(crate) async fn cast(guests: &[(&str, &[&str])], limits: HostLimits) -> Option<Self> {
        let Some(python) = python().await else {
            eprintln!("skipped: no python3 on this machine");
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        let spawner = Spawner::new(Watchdog::Off);
        let invites = guests
            .iter()
            .map(|(name, flags)| invite(dir.path(), &spawner, &python, name, flags))
            .collect();
        let stop_within = limits.shutdown + limits.terminate + s(3);
        let rig = Rig::start(invites, limits, Table::default(), HashMap::new());
        Some(Self {
            rig,
            dir,
            stop_within,
        })
    }

    /// Waits until everybody is ready or has failed.
    pub(crate) async fn settled(self) -> Self {
        self.rig.host.settled().await;
        self
    }

    pub(crate) fn bad_state(&self) -> State {
        self.rig.state("bad")
    }

    /// Calls the well-behaved guest's tool and gives how long it took.
    pub(crate) async fn good_answers(&self) -> Duration {
        let ready = || match self.rig.state("good") {
            State::Starting => false,
            State::Ready(_) => true,
            other => panic!("the good guest: {other:?}"),
        };
        soon("the good guest is ready", ready).await;
        let start = Instant::now();
        let outcome = self.rig.call("good_echo", r#"{"n":1}"#).outcome().await;
        let took = start.elapsed();
        assert_eq!(text(&outcome), r#"{"n":1}"#);
        assert!(took < PROMPTLY, "the good guest took {took:?}");
        took
    }

    /// Calls the misbehaving guest's tool, once it is there.
    pub(crate) async fn call_bad(&self) -> Called {
        let there = || self.rig.table.lookup("echo").is_some();
        soon("the tool is there", there).await;
        self.rig.call("echo", r#"{"a":1}"#)
    }

    /// The next announcement about the end of the misbehaving guest.
    pub(crate) async fn end_of_bad(&mut self) -> String {
        loop {
            let news = tokio::time::timeout(AT_MOST, self.rig.news.recv()).await;
            let news = news.expect("nothing was announced").expect("news");
            if let News::Failed { extension, message } | News::Gone { extension, message } = news {
                assert_eq!(extension, "bad", "{message}");
                return message;
            }
        }
    }

    fn file(&self, name: &str, ending: &str) -> String {
        let path = self.dir.path().join(format!("{name}.{ending}"));
        std::fs::read_to_string(path).unwrap_or_default()
    }

    /// The frames that a guest has read, oldest first.
    pub(crate) fn heard(&self, name: &str) -> Vec<Value> {
        let all = self.file(name, "heard");
        let whole = all.rfind('\n').map_or("", |end| &all[..end]);
        whole
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Whether a guest has read a frame of this type.
    pub(crate) fn has_heard(&self, name: &str, kind: &str) -> bool {
        self.heard(name).iter().any(|frame| frame["type"] == kind)
    }

    /// The processes that a guest has told of: `guest`, `grandchild`.
    pub(crate) fn pids(&self, name: &str) -> Vec<(String, u32)> {
        self.file(name, "pids")
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(who, pid)| (who.to_owned(), pid.parse().unwrap()))
            .collect()
    }

    /// Waits until no process of this guest is left.
    pub(crate) async fn all_gone(&self, name: &str) {
        let pids = self.pids(name);
        assert!(!pids.is_empty(), "{name} told of no process");
        let gone = || pids.iter().all(|(_, pid)| !is_alive(*pid));
        soon(&format!("{name} is gone: {pids:?}"), gone).await;
    }

    /// Stops the host: in time, and with no process left.
    pub(crate) async fn end(self) {
        let start = Instant::now();
        self.rig.host.stop().await;
        let took = start.elapsed();
        assert!(took < self.stop_within, "stopping took {took:?}");
        for name in ["bad", "good"] {
            // Killed is not dead yet, on a busy machine.
            let gone = || self.pids(name).iter().all(|(_, pid)| !is_alive(*pid));
            soon(&format!("nobody of {name} is left"), gone).await;
        }
        assert_eq!(self.rig.state("good"), State::Stopped);
    }
}

fn invite(dir: &Path, spawner: &Spawner, python: &Path, name: &str, flags: &[&str]) -> Invite {
    let log = RotatingLog::open(
        dir.join(format!("ext-{name}.log")),
        "",
        LogLimits::default(),
    );
    let path = |ending: &str| dir.join(format!("{name}.{ending}")).display().to_string();
    let mut args = vec![SCRIPT.to_owned()];
    args.extend(flags.iter().map(|&flag| flag.to_owned()));
    args.extend(["--pids".to_owned(), path("pids")]);
    args.extend(["--log-events".to_owned(), path("heard")]);
    Invite {
        name: name.to_owned(),
        dir: dir.to_owned(),
        data_dir: dir.to_owned(),
        restart_on_crash: false,
        on_failure: None,
        connector: Arc::new(Launcher {
            spawner: spawner.clone(),
            program: python.to_owned(),
            language: String::new(),
            args,
            dir: dir.to_owned(),
            env_set: Vec::new(),
            env_remove: Vec::new(),
            log: Some(log.clone()),
        }),
        log: Some(log),
    }
}
