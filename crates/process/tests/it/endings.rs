//! How children end and what is learned of it.

use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use zeug_process::{Exit, Output, StdinMode};

use crate::support::{exists, line, shell, spawn, spawner};

#[tokio::test]
async fn an_exit_code_is_reported_to_every_waiter_and_leaves_no_zombie() {
    let child = spawn("exit 3");
    let (one, two) = tokio::join!(child.handle.exited(), child.handle.exited());
    assert_eq!(
        (one.exit, one.to_string().as_str()),
        (Exit::Code(3), "exit status 3")
    );
    assert_eq!(one, two);
    assert_eq!(child.handle.try_exit(), Some(one.clone()));
    assert_eq!(child.handle.exited().await, one);
    assert!(!exists(child.handle.pid()), "reaped");
}

#[tokio::test]
async fn a_signal_is_reported_with_the_last_words() {
    let child = spawn("printf 'one\\n\\033[31mtwo\\033[0m' >&2; kill -SEGV $$");
    let report = child.handle.exited().await;
    assert_eq!(report.to_string(), "killed by SIGSEGV");
    assert_eq!(
        report.with_last_words(),
        "killed by SIGSEGV; last words:\n  one\n  two"
    );
}

#[tokio::test]
async fn the_report_waits_for_nobody_who_holds_the_pipes() {
    let child = spawn("sleep 1000 & echo bye >&2; exit 1");
    let report = child.handle.exited().await;
    assert_eq!(report.with_last_words(), "exit status 1; last words: bye");
}

#[tokio::test]
async fn a_flood_of_words_is_bounded() {
    let child = spawn("seq 1 100000 >&2; exit 1");
    let words = child.handle.exited().await.last_words;
    assert_eq!((words.len(), words[19].as_str()), (20, "100000"));
}

#[tokio::test]
async fn what_goes_in_comes_out() {
    let spec = shell("cat").stdin(StdinMode::Piped);
    let mut child = spawner().spawn(spec).unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"hello").await.unwrap();
    drop(stdin);
    let mut heard = String::new();
    child.stdout.read_to_string(&mut heard).await.unwrap();
    assert_eq!(heard, "hello");
    assert!(child.handle.exited().await.exit.is_success());
}

#[tokio::test]
async fn merged_output_keeps_the_order_of_writing() {
    let script = "for n in 1 2 3 4 5; do echo out $n; echo err $n >&2; done";
    let spec = shell(script).output(Output::Merged);
    let mut child = spawner().spawn(spec).unwrap();
    let mut heard = String::new();
    child.stdout.read_to_string(&mut heard).await.unwrap();
    let expected: String = (1..6).map(|n| format!("out {n}\nerr {n}\n")).collect();
    assert_eq!(heard, expected);
    assert!(child.handle.exited().await.last_words.is_empty());
}

#[tokio::test]
async fn everything_written_can_be_read_at_once_after_the_exit() {
    let mut child = spawn("sleep 1000 & printf abcdef");
    child.handle.exited().await;
    let mut heard = Vec::new();
    child.stdout.read_available(&mut heard, 4);
    assert_eq!(heard, b"abcd");
    child.stdout.read_available(&mut heard, 100);
    assert_eq!(heard, b"abcdef");
}

#[tokio::test]
async fn the_environment_is_ours_less_some_and_more_some() {
    let spec = shell("echo \"${HOME-none} ${PATH:+path} $EXTRA ${ZEUG_SPAWN:+marked}\"; pwd")
        .without_env("HOME")
        .env("EXTRA", "extra");
    let child = spawner().spawn(spec).unwrap();
    let mut output = BufReader::new(child.stdout);
    assert_eq!(line(&mut output).await, "none path extra marked");
    assert_eq!(line(&mut output).await, "/");
}
