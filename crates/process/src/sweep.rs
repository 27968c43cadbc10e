//! Ends the offspring that left its group; blocking, and knows only marks and `/proc`.
//!
//! A group kill does not reach a grandchild that called `setsid`. On Linux such a process is
//! found by the mark in the environment that it was started with.
//!
//! # Limits
//!
//! Not found: a process that was started with another environment (`env -i`, `sudo`), that wrote
//! over its environment block, or that runs as another user. Elsewhere than on Linux there is no
//! sweep.

use std::time::Duration;

use crate::cookie::Mark;

/// Rounds of looking; each begins with what the one before could not see yet.
const ROUNDS: u32 = 50;

/// Time for the killed to go before the next round.
const PAUSE: Duration = Duration::from_millis(2);

/// Kills every process that carries the mark, and what those start meanwhile. Returns how many
/// kills there were.
///
/// Blocks for one walk over `/proc` when nothing is found (some milliseconds for some hundred
/// processes), for 0.1 s plus fifty walks at worst.
pub(crate) fn sweep(mark: &Mark) -> usize {
    let mut killed = 0;
    for _ in 0..ROUNDS {
        match kill_marked(mark) {
            0 => break,
            found => killed += found,
        }
        std::thread::sleep(PAUSE);
    }
    killed
}

#[cfg(not(target_os = "linux"))]
fn kill_marked(_: &Mark) -> usize {
    0
}

#[cfg(target_os = "linux")]
fn kill_marked(mark: &Mark) -> usize {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return 0;
    };
    let own = i32::try_from(std::process::id()).unwrap_or(0);
    let mut environment = Vec::new();
    processes
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter(|&process| process > 1 && process != own)
        .filter(|&process| {
            linux::carries(process, mark, &mut environment)
                && linux::kill(process, mark, &mut environment)
        })
        .count()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;
    use std::io::Read;

    use rustix::process::{Pid, PidfdFlags, Signal};

    use crate::cookie::Mark;

    /// Longest environment read, in bytes. Linux allows arguments and environment together a
    /// quarter of the stack limit, usually 2 MiB.
    const ENVIRONMENT_BYTES: u64 = 2 * 1024 * 1024;

    pub(super) fn carries(process: i32, mark: &Mark, environment: &mut Vec<u8>) -> bool {
        environment.clear();
        // Another user's process, or one that has just ended, cannot be read: not ours.
        File::open(format!("/proc/{process}/environ"))
            .and_then(|file| file.take(ENVIRONMENT_BYTES).read_to_end(environment))
            .is_ok_and(|_| mark.is_in(environment))
    }

    /// Kills by descriptor: looked at again once it is held, so that a number which has passed
    /// to another process meanwhile harms nobody.
    pub(super) fn kill(process: i32, mark: &Mark, environment: &mut Vec<u8>) -> bool {
        let Some(pid) = Pid::from_raw(process) else {
            return false;
        };
        match rustix::process::pidfd_open(pid, PidfdFlags::empty()) {
            Ok(held) => {
                carries(process, mark, environment)
                    && rustix::process::pidfd_send_signal(held, Signal::KILL).is_ok()
            }
            Err(rustix::io::Errno::SRCH) => false,
            // A kernel before 5.3.
            Err(_) => rustix::process::kill_process(pid, Signal::KILL).is_ok(),
        }
    }
}
