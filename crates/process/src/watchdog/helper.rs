//! Nothing outlives them: the watchdog's own process, which waits for its parent's death.
//!
//! Blocking and without a runtime; knows groups and cookies by number and name only.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal};

use crate::cookie::Mark;
use crate::sweep::sweep;

/// Between SIGTERM and SIGKILL.
const TERM_GRACE: Duration = Duration::from_secs(1);

/// Between two looks at whether a group is gone.
const PAUSE: Duration = Duration::from_millis(10);

/// Runs the helper: reads the parent's lines from standard input until it ends, and then ends
/// what the parent left behind: SIGTERM to each group, 1 s or less if all are gone, SIGKILL, and
/// a sweep for those who left their group.
///
/// Does not return: the process exits with status 0. SIGINT, SIGTERM, SIGHUP and SIGQUIT are
/// ignored; it ends with its parent and not before. On Linux the process is named
/// `parent-watch`, so that `killall -9` with the parent's name does not end both at once.
pub fn watchdog_main() -> ! {
    let handlers = ignore_signals();
    if let Err(error) = handlers {
        tracing::debug!(%error, "signals are not ignored");
    }
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::set_name(c"parent-watch");
    // Not to keep a directory from being unmounted.
    let _ = std::env::set_current_dir("/");
    let ledger = read(BufReader::new(io::stdin()));
    if !ledger.goodbye {
        end(&ledger);
    }
    std::process::exit(0)
}

/// What the parent has told.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ledger {
    family: Option<String>,
    groups: BTreeSet<i32>,
    goodbye: bool,
}

impl Ledger {
    /// Takes one line; what is not understood is passed over.
    fn apply(&mut self, line: &str) {
        // 1 would stand for every process there is.
        let group = |number: &str| number.parse().ok().filter(|&number: &i32| number > 1);
        match line.split_once(' ') {
            None if line == "." => self.goodbye = true,
            Some(("=", family)) if !family.is_empty() => self.family = Some(family.to_owned()),
            Some(("+", number)) => self.groups.extend(group(number)),
            Some(("-", number)) => {
                group(number).map(|number| self.groups.remove(&number));
            }
            _ => {}
        }
    }
}

/// Reads until the end; a line that the parent's death has cut off does not count.
fn read(mut lines: impl BufRead) -> Ledger {
    let mut ledger = Ledger::default();
    let mut line = String::new();
    loop {
        line.clear();
        match lines.read_line(&mut line) {
            Ok(0) | Err(_) => return ledger,
            Ok(_) => {
                if let Some(line) = line.strip_suffix('\n') {
                    ledger.apply(line);
                }
            }
        }
    }
}

fn end(ledger: &Ledger) {
    let groups: Vec<Pid> = ledger
        .groups
        .iter()
        .filter_map(|&number| Pid::from_raw(number))
        .collect();
    let mut left: Vec<Pid> = groups
        .into_iter()
        .filter(|&group| rustix::process::kill_process_group(group, Signal::TERM).is_ok())
        .collect();
    let deadline = Instant::now() + TERM_GRACE;
    loop {
        left.retain(|&group| rustix::process::test_kill_process_group(group) != Err(Errno::SRCH));
        if left.is_empty() || Instant::now() >= deadline {
            break;
        }
        std::thread::sleep(PAUSE);
    }
    for group in left {
        // An error says that it has just ended.
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
    }
    if let Some(family) = &ledger.family {
        sweep(&Mark::Family(family.clone()));
    }
}

/// A handler that does nothing takes the place of the default, which would end the process. Once
/// installed it stays, whatever happens to the runtime that installed it.
fn ignore_signals() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let _context = runtime.enter();
    for kind in [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
        SignalKind::quit(),
    ] {
        drop(signal(kind)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &str, groups: &[i32], goodbye: bool) {
        let ledger = read(lines.as_bytes());
        let expected = groups.iter().copied().collect();
        assert_eq!((ledger.groups, ledger.goodbye), (expected, goodbye));
    }

    #[test]
    fn the_ledger_follows_the_lines() {
        check("= a.\n+ 10\n+ 11\n- 10\n", &[11], false);
        check("+ 10\n- 10\n.\n", &[], true);
    }

    #[test]
    fn dangerous_and_torn_lines_do_not_count() {
        check("+ 1\n+ 0\n+ -5\n+ x\n+\nhello\n", &[], false);
        check("+ 10\n+ 123", &[10], false);
    }

    #[test]
    fn the_family_is_remembered() {
        let ledger = read("= 1f-2.\n".as_bytes());
        assert_eq!(ledger.family.as_deref(), Some("1f-2."));
    }
}
