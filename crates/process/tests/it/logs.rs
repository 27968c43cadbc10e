//! Standard error on disk.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use tempfile::tempdir;
use zeug_process::{LogLimits, Output, RotatingLog, Spec};

use crate::support::{shell, spawner};

/// Runs a script whose standard error goes to `log`, until both are done.
async fn run(script: &str, log: &RotatingLog) {
    run_spec(shell(script), log).await;
}

async fn run_spec(spec: Spec, log: &RotatingLog) {
    let spec = spec.output(Output::Separate {
        log: Some(log.clone()),
    });
    if let Ok(child) = spawner().spawn(spec) {
        child.handle.exited().await;
    }
    log.flush().await;
}

#[tokio::test]
async fn a_log_has_a_header_what_the_child_said_and_notes() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("logs/deep/ext-a.log");
    let log = RotatingLog::open(&path, "\n[zeug] starting a/1", LogLimits::default());
    run("printf 'first\\nhalf a line' >&2", &log).await;
    log.note("it ended");
    log.flush().await;
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(
        text,
        "\n[zeug] starting a/1\nfirst\nhalf a line\n[zeug] it ended\n"
    );
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777 & !0o044, 0o600, "no more than 0644");
    assert_eq!(log.path(), path);
}

#[tokio::test]
async fn a_log_is_appended_to_and_there_even_if_the_child_is_not() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("ext-a.log");
    fs::write(&path, "old\n").unwrap();
    let log = RotatingLog::open(&path, "header", LogLimits::default());
    run_spec(Spec::new("no-such-program-here", "/"), &log).await;
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.starts_with("old\nheader\n[zeug] cannot start \"no-such"),
        "{text}"
    );
}

#[tokio::test]
async fn a_full_log_is_rotated_at_a_line_and_three_old_ones_are_kept() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("ext-a.log");
    let limits = LogLimits {
        file_bytes: 1_000,
        old_files: 3,
    };
    let log = RotatingLog::open(&path, "header", limits);
    run("seq 1000 2999 >&2", &log).await;
    let mut names: Vec<_> = fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected = ["ext-a.log", "ext-a.log.1", "ext-a.log.2", "ext-a.log.3"];
    assert_eq!(names, expected);
    let newest_last = ["ext-a.log.3", "ext-a.log.2", "ext-a.log.1", "ext-a.log"];
    let mut lines = Vec::new();
    for name in newest_last {
        let text = fs::read_to_string(directory.path().join(name)).unwrap();
        assert!(
            text.len() <= 1_000 && text.ends_with('\n'),
            "{name}: {text}"
        );
        lines.extend(text.lines().map(|line| line.parse::<u32>().unwrap()));
    }
    let last = *lines.last().unwrap();
    let first = lines[0];
    assert_eq!(last, 2999);
    assert_eq!(
        lines,
        (first..=last).collect::<Vec<_>>(),
        "nothing is lost between files"
    );
}

#[tokio::test]
async fn a_log_that_cannot_be_written_harms_nobody_and_recovers() {
    let directory = tempdir().unwrap();
    let in_the_way = directory.path().join("logs");
    fs::write(&in_the_way, "a file where a directory should be").unwrap();
    let path = in_the_way.join("ext-a.log");
    let log = RotatingLog::open(&path, "header", LogLimits::default());
    run("seq 1 100000 >&2", &log).await;
    fs::remove_file(&in_the_way).unwrap();
    run("echo again >&2", &log).await;
    let text = fs::read_to_string(&path).unwrap();
    // "header", its line end, and 588,895 bytes of numbers.
    assert_eq!(text, "\n[zeug] 588902 bytes of this log were lost\nagain\n");
}

#[tokio::test]
async fn without_old_files_a_log_begins_anew() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("ext-a.log");
    let limits = LogLimits {
        file_bytes: 20,
        old_files: 0,
    };
    let log = RotatingLog::open(&path, "0123456789", limits);
    run("echo 0123456789012 >&2", &log).await;
    assert_eq!(fs::read_to_string(&path).unwrap(), "0123456789012\n");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}
