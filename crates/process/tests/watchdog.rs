//! A parent that is killed, and a watchdog that outlives it; one program in three roles.
//!
//! Not run by the usual harness: the program must be able to start itself as a parent and as a
//! watchdog.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "the parent's role is to speak, and all of this is a test"
)]

use std::ffi::OsString;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use zeug_process::{Child, Spawner, Spec, StdinMode, StopLadder, Watchdog, watchdog_main};

fn main() {
    let role = std::env::args().nth(1);
    let role = role.as_deref();
    if role == Some("watchdog") {
        watchdog_main();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    match role {
        Some("parent") => runtime.block_on(parent()),
        _ => runtime.block_on(async {
            a_killed_parent_leaves_nobody_behind().await;
            a_parent_that_leaves_in_order_leaves_the_watchdog_nothing_to_do().await;
            a_killed_watchdog_is_replaced().await;
            say("watchdog: 3 passed");
        }),
    }
}

/// Starts a child with a grandchild in the group, one in another session, and one that ignores
/// SIGTERM; says all numbers; then does what it is told.
async fn parent() {
    let spawner = Spawner::new(Watchdog::Program {
        exe: std::env::current_exe().expect("this program"),
        args: vec![OsString::from("watchdog")],
    });
    let family = start(
        &spawner,
        "sleep 1000 & echo $!; setsid sh -c 'echo $$; exec sleep 1000' & \
         sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' & echo $$; wait",
    );
    let mut lines = BufReader::new(family.stdout).lines();
    for _ in 0..4 {
        say(&lines.next_line().await.expect("a pipe").expect("a line"));
    }
    let watchdog = watchdog_of(std::process::id());
    say(&watchdog.to_string());
    let mut orders = BufReader::new(tokio::io::stdin()).lines();
    while let Ok(Some(order)) = orders.next_line().await {
        match order.as_str() {
            "leave" => {
                family.handle.stop(StopLadder::AT_ONCE).await;
                break;
            }
            "more" => {
                kill(watchdog);
                until("the watchdog is dead", || !is_alive(watchdog)).await;
                let more = start(&spawner, "echo $$; sleep 1000");
                let mut lines = BufReader::new(more.stdout).lines();
                say(&lines.next_line().await.expect("a pipe").expect("a line"));
                // Never dropped: it is there until this process is killed.
                std::mem::forget(more.handle);
            }
            other => panic!("unknown order {other}"),
        }
    }
}

fn start(spawner: &Spawner, script: &str) -> Child {
    let spec = Spec::new("sh", "/").args(["-c", script]);
    spawner.spawn(spec).expect("a shell")
}

fn say(line: &str) {
    println!("{line}");
}

/// The parent, as seen by the test.
struct Parent {
    child: Child,
    numbers: Vec<u32>,
}

impl Parent {
    async fn start() -> Self {
        let exe = std::env::current_exe().expect("this program");
        let spec = Spec::new(exe, "/").args(["parent"]).stdin(StdinMode::Piped);
        let child = Spawner::new(Watchdog::Off).spawn(spec).expect("the parent");
        let mut parent = Self {
            child,
            numbers: Vec::new(),
        };
        for _ in 0..5 {
            parent.hear_number().await;
        }
        assert!(parent.numbers.iter().all(|&number| is_alive(number)));
        parent
    }

    async fn hear_number(&mut self) {
        let mut output = BufReader::with_capacity(1, &mut self.child.stdout);
        let mut line = String::new();
        let heard = output.read_line(&mut line);
        let heard = tokio::time::timeout(Duration::from_secs(10), heard).await;
        heard.expect("no line came").expect("a pipe");
        self.numbers.push(line.trim().parse().expect("a number"));
    }

    async fn order(&mut self, order: &str) {
        let stdin = self.child.stdin.as_mut().expect("a pipe");
        stdin.write_all(order.as_bytes()).await.expect("a parent");
    }

    /// Waits until everybody is gone, the watchdog last.
    async fn nobody_is_left(&self) {
        for &number in &self.numbers {
            until("nobody is left", || !is_alive(number)).await;
        }
    }
}

async fn a_killed_parent_leaves_nobody_behind() {
    let parent = Parent::start().await;
    let watchdog = parent.numbers[4];
    // What a terminal or a careless `kill` sends does not end the watchdog.
    for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
        rustix::process::kill_process(pid(watchdog), signal).expect("a watchdog");
    }
    kill(parent.child.handle.pid());
    parent.nobody_is_left().await;
}

async fn a_parent_that_leaves_in_order_leaves_the_watchdog_nothing_to_do() {
    let mut parent = Parent::start().await;
    parent.order("leave\n").await;
    let report = parent.child.handle.exited().await;
    assert!(report.exit.is_success(), "{}", report.with_last_words());
    parent.nobody_is_left().await;
}

async fn a_killed_watchdog_is_replaced() {
    let mut parent = Parent::start().await;
    parent.order("more\n").await;
    parent.hear_number().await;
    kill(parent.child.handle.pid());
    parent.nobody_is_left().await;
}

/// The one child of `process` that has the watchdog's role.
fn watchdog_of(process: u32) -> u32 {
    let children = format!("/proc/{process}/task");
    std::fs::read_dir(children)
        .expect("/proc")
        .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("children")).ok())
        .flat_map(|children| {
            let children = children.split_whitespace();
            children
                .filter_map(|child| child.parse().ok())
                .collect::<Vec<u32>>()
        })
        .find(|child| {
            let line = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
            line.ends_with(b"watchdog\0")
        })
        .expect("a watchdog")
}

fn is_alive(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = stat.rsplit(") ").next().unwrap_or_default();
    !matches!(state.chars().next(), None | Some('Z' | 'X'))
}

fn kill(process: u32) {
    rustix::process::kill_process(pid(process), Signal::KILL).expect("a process");
}

fn pid(process: u32) -> Pid {
    Pid::from_raw(process.try_into().expect("a number")).expect("a number")
}

async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !condition() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
