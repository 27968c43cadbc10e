//! Programs that are run to their end.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use zeug_process::{Exit, Finished, Output, RunError, RunLimits, Spec, run};

use crate::support::{is_alive, shell, spawner, until};

const PATIENT: RunLimits = RunLimits {
    timeout: Duration::from_secs(30),
    max_output_bytes: 1024 * 1024,
};

async fn run_with(spec: Spec, limits: RunLimits) -> Result<Finished, RunError> {
    run(&spawner(), spec, limits, &CancellationToken::new()).await
}

#[tokio::test]
async fn both_streams_and_the_code_come_back() {
    let finished = run_with(shell("echo out; echo err >&2; exit 2"), PATIENT).await;
    let finished = finished.unwrap();
    assert_eq!(finished.report.exit, Exit::Code(2));
    assert_eq!(
        (finished.stdout, finished.stderr),
        (b"out\n".into(), b"err\n".into())
    );
    assert!(!finished.truncated);
}

#[tokio::test]
async fn merged_streams_come_back_as_one() {
    let spec = shell("echo out; echo err >&2").output(Output::Merged);
    let finished = run_with(spec, PATIENT).await.unwrap();
    assert_eq!(finished.stdout, b"out\nerr\n");
}

#[tokio::test]
async fn output_above_the_limit_is_read_and_dropped() {
    let limits = RunLimits {
        max_output_bytes: 5,
        ..PATIENT
    };
    let spec = shell("seq 1 100000; seq 1 100000 >&2");
    let finished = run_with(spec, limits).await.unwrap();
    assert!(finished.report.exit.is_success() && finished.truncated);
    assert_eq!(
        (finished.stdout, finished.stderr),
        (b"1\n2\n3".into(), b"1\n2\n3".into())
    );
}

#[tokio::test]
async fn a_run_does_not_wait_for_what_the_program_left_in_the_background() {
    let finished = run_with(shell("sleep 1000 & echo $!"), PATIENT)
        .await
        .unwrap();
    let left = String::from_utf8(finished.stdout).unwrap();
    let left = left.trim().parse().unwrap();
    until("it is killed with the group", || !is_alive(left)).await;
}

#[tokio::test]
async fn a_run_that_takes_too_long_is_killed() {
    let limits = RunLimits {
        timeout: Duration::from_millis(200),
        ..PATIENT
    };
    let spec = shell("trap '' TERM; echo stuck >&2; while :; do sleep 1; done");
    let error = run_with(spec, limits).await.unwrap_err();
    let expected = "sh was killed because it took longer than 200 ms; last words: stuck";
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn a_cancelled_run_is_over_when_it_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let number = directory.path().join("number");
    let script = format!(
        "echo $$ > {0}.new; mv {0}.new {0}; sleep 1000",
        number.display()
    );
    let cancel = CancellationToken::new();
    let pid = || std::fs::read_to_string(&number).ok()?.trim().parse().ok();
    let cancelling = async {
        until("it runs", || pid().is_some()).await;
        cancel.cancel();
    };
    let spawner = spawner();
    let running = run(&spawner, shell(&script), PATIENT, &cancel);
    let (ran, ()) = tokio::join!(running, cancelling);
    assert!(matches!(ran, Err(RunError::Cancelled { .. })));
    assert!(!is_alive(pid().unwrap()));
    // And one that was cancelled before does not start.
    let ran = run(&spawner, shell("true"), PATIENT, &cancel).await;
    assert_eq!(ran.unwrap_err().to_string(), "sh was cancelled");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_the_spawners_error() {
    let error = run_with(Spec::new("no-such-program-here", "/"), PATIENT).await;
    let error = error.unwrap_err().to_string();
    assert!(
        error.starts_with("cannot start \"no-such-program-here\""),
        "{error}"
    );
}
