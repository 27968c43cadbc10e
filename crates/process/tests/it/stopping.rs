//! Ending children, their children, and those who would rather stay.

use std::time::Duration;

use tokio::io::{AsyncReadExt, BufReader};
use zeug_process::{Child, Exit, StdinMode, Stdout, StopLadder};

use crate::support::{is_alive, line, shell, spawn, spawner, until};

/// Starts a script that first prints the number of some process.
async fn spawn_with_number(script: &str) -> (Child, u32) {
    let mut child = spawn(script);
    let mut output = BufReader::with_capacity(1, child.stdout);
    let number = line(&mut output).await.parse().unwrap();
    child.stdout = output.into_inner();
    (child, number)
}

async fn ends(mut output: Stdout) {
    let mut rest = Vec::new();
    let end = output.read_to_end(&mut rest);
    tokio::time::timeout(Duration::from_secs(10), end)
        .await
        .expect("the pipe is still open")
        .unwrap();
}

const LEAVES_A_SLEEPER: &str = "sleep 1000 & echo $!";
const LEAVES_A_RUNAWAY: &str = "setsid sh -c 'echo $$; exec sleep 1000' & wait";

#[tokio::test]
async fn a_child_leads_a_group_of_its_own() {
    let child = spawn("sleep 1000");
    let pid = i32::try_from(child.handle.pid()).unwrap();
    let pid = rustix::process::Pid::from_raw(pid);
    assert_eq!(rustix::process::getpgid(pid).ok(), pid);
}

#[tokio::test]
async fn a_group_kill_reaches_a_grandchild_that_holds_the_output_after_the_child_exited() {
    let (child, grandchild) = spawn_with_number(LEAVES_A_SLEEPER).await;
    assert_eq!(child.handle.exited().await.exit, Exit::Code(0));
    assert!(is_alive(grandchild));
    child.handle.kill_group();
    ends(child.stdout).await;
    until("the grandchild ends", || !is_alive(grandchild)).await;
}

#[tokio::test]
async fn stopping_ends_the_group_of_a_child_that_exited_long_ago() {
    let (child, grandchild) = spawn_with_number(LEAVES_A_SLEEPER).await;
    let report = child.handle.stop(StopLadder::default()).await;
    assert_eq!(report.exit, Exit::Code(0));
    until("the grandchild ends", || !is_alive(grandchild)).await;
}

#[tokio::test]
async fn a_grandchild_in_another_session_is_swept_up() {
    let (child, grandchild) = spawn_with_number(LEAVES_A_RUNAWAY).await;
    let report = child.handle.stop(StopLadder::AT_ONCE).await;
    assert_eq!(report.to_string(), "killed by SIGKILL");
    assert!(!is_alive(grandchild), "the sweep is over when stop returns");
}

#[tokio::test]
async fn dropping_the_last_handle_ends_everybody() {
    let (child, grandchild) = spawn_with_number(LEAVES_A_RUNAWAY).await;
    let Child { handle, stdout, .. } = child;
    let other = handle.clone();
    let exited = handle.exited();
    drop(handle);
    assert!(is_alive(grandchild));
    drop(other);
    assert_eq!(exited.await.to_string(), "killed by SIGKILL");
    ends(stdout).await;
    until("the grandchild ends", || !is_alive(grandchild)).await;
}

#[tokio::test]
async fn children_of_one_spawner_are_told_apart() {
    let spawner = spawner();
    let first = spawner.spawn(shell("sleep 1000")).unwrap();
    let second = spawner.spawn(shell("sleep 1000")).unwrap();
    first.handle.stop(StopLadder::AT_ONCE).await;
    assert!(is_alive(second.handle.pid()));
}

#[tokio::test]
async fn an_immortal_child_is_killed_after_both_graces() {
    let script = "trap '' TERM; echo $$; while :; do sleep 1; done";
    let (child, pid) = spawn_with_number(script).await;
    let ladder = StopLadder {
        grace: Duration::from_millis(50),
        term_grace: Duration::from_millis(100),
    };
    let start = tokio::time::Instant::now();
    let report = child.handle.stop(ladder).await;
    assert_eq!(report.to_string(), "killed by SIGKILL");
    assert!(start.elapsed() >= Duration::from_millis(150));
    assert!(!is_alive(pid));
    ends(child.stdout).await;
}

#[tokio::test]
async fn a_polite_child_may_tidy_up_on_sigterm() {
    let script = "trap 'exit 7' TERM; echo $$; while :; do sleep 0.01; done";
    let (child, _) = spawn_with_number(script).await;
    let ladder = StopLadder {
        grace: Duration::ZERO,
        term_grace: Duration::from_secs(10),
    };
    assert_eq!(child.handle.stop(ladder).await.exit, Exit::Code(7));
}

#[tokio::test]
async fn a_child_that_leaves_by_itself_is_not_signalled() {
    let spec = shell("trap 'exit 9' TERM; cat; exit 4").stdin(StdinMode::Piped);
    let child = spawner().spawn(spec).unwrap();
    drop(child.stdin);
    let ladder = StopLadder {
        grace: Duration::from_secs(10),
        term_grace: Duration::from_secs(10),
    };
    assert_eq!(child.handle.stop(ladder).await.exit, Exit::Code(4));
    // Once more does no harm.
    assert_eq!(child.handle.stop(ladder).await.exit, Exit::Code(4));
    child.handle.kill_group();
}
