//! Where zeug's own log goes: a file, or stderr when the user asks to see it.

use std::io::IsTerminal as _;
use std::path::Path;

use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::prelude::*;

/// Log files kept beside the current one.
const KEPT: usize = 3;

/// Starts the log. With `filter` (`ZEUG_LOG`) it goes to stderr, else warnings go to a file below
/// `logs`. The guard writes what is left when it is dropped.
pub(crate) fn start(filter: Option<&str>, logs: &Path) -> Option<WorkerGuard> {
    if let Some(filter) = filter {
        // `wire` alone means every frame; the parser reads it as a target at all levels.
        let filter = EnvFilter::new(filter);
        let layer = tracing_subscriber::fmt::layer()
            .with_writer(std::io::stderr)
            .with_ansi(false);
        tracing_subscriber::registry()
            .with(filter)
            .with(layer)
            .init();
        return None;
    }
    into_file("warn", logs)
}

/// Starts the log where a face owns the terminal: into a file, with a filter, too.
pub(crate) fn beside_a_face(filter: Option<&str>, logs: &Path) -> Option<WorkerGuard> {
    if std::io::stderr().is_terminal() {
        into_file(filter.unwrap_or("warn"), logs)
    } else {
        start(filter, logs)
    }
}

fn into_file(filter: &str, logs: &Path) -> Option<WorkerGuard> {
    // Without a writable place there is no log; the run does not depend on it.
    std::fs::create_dir_all(logs).ok()?;
    let appender = tracing_appender::rolling::Builder::new()
        .rotation(tracing_appender::rolling::Rotation::DAILY)
        .filename_prefix("zeug")
        .filename_suffix("log")
        .max_log_files(KEPT)
        .build(logs)
        .ok()?;
    let (writer, guard) = tracing_appender::non_blocking(appender);
    let layer = tracing_subscriber::fmt::layer()
        .with_writer(writer)
        .with_ansi(false);
    tracing_subscriber::registry()
        .with(EnvFilter::new(filter))
        .with(layer)
        .init();
    Some(guard)
}
