//! What all these tests need; tests nothing itself.

use std::path::Path;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, BufReader};
use zeug_process::{Child, Spawner, Spec, Stdout, Watchdog};

/// A shell running `script`.
pub(crate) fn shell(script: &str) -> Spec {
    Spec::new("sh", "/").args(["-c", script])
}

pub(crate) fn spawner() -> Spawner {
    Spawner::new(Watchdog::Off)
}

pub(crate) fn spawn(script: &str) -> Child {
    spawner().spawn(shell(script)).unwrap()
}

/// The next line of a child's output.
pub(crate) async fn line(output: &mut BufReader<Stdout>) -> String {
    let mut line = String::new();
    let read = output.read_line(&mut line);
    let read = tokio::time::timeout(Duration::from_secs(10), read).await;
    read.expect("no line came").unwrap();
    line.trim_end().to_owned()
}

/// Whether a process runs; a zombie does not.
pub(crate) fn is_alive(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The state stands behind the name, which is in parentheses.
    let state = stat.rsplit(") ").next().unwrap_or_default();
    !matches!(state.chars().next(), None | Some('Z' | 'X'))
}

pub(crate) fn exists(process: u32) -> bool {
    Path::new(&format!("/proc/{process}")).exists()
}

/// Polls until `condition` holds; fails after ten seconds.
pub(crate) async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !condition() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
