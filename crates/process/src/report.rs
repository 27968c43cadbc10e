//! How a child ended, in values and in words; does not wait for anything.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::Signal;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It returned this code; 0 is success.
    Code(i32),
    /// A signal ended it.
    Signal {
        /// The signal's number on this system.
        number: i32,
        /// Its name, such as `SIGSEGV`, or `a signal` when it has none here.
        name: &'static str,
    },
    /// It could not be learned.
    Unknown,
}

impl Exit {
    /// Whether it returned 0.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Code(0))
    }
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, Some(number)) => Self::Signal {
                number,
                name: signal_name(number),
            },
            (None, None) => Self::Unknown,
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(formatter, "exit status {code}"),
            Self::Signal { number, name } if *name == UNNAMED => {
                write!(formatter, "killed by signal {number}")
            }
            Self::Signal { name, .. } => write!(formatter, "killed by {name}"),
            Self::Unknown => formatter.write_str("ended in an unknown way"),
        }
    }
}

/// How a child ended and what it last said on standard error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExitReport {
    /// How it ended.
    pub exit: Exit,
    /// The last lines of its standard error, oldest first: at most 20 lines and 4 KiB, without
    /// control characters, escape sequences and blank lines. Empty when the output was merged.
    pub last_words: Vec<String>,
}

impl ExitReport {
    pub(crate) fn unknown() -> Self {
        Self {
            exit: Exit::Unknown,
            last_words: Vec::new(),
        }
    }

    /// `killed by SIGSEGV; last words: …`: one last word on the same line, more of them on lines
    /// of their own, none not mentioned.
    pub fn with_last_words(&self) -> String {
        match self.last_words.as_slice() {
            [] => self.exit.to_string(),
            [line] => format!("{}; last words: {line}", self.exit),
            lines => format!("{}; last words:\n  {}", self.exit, lines.join("\n  ")),
        }
    }
}

impl fmt::Display for ExitReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.exit.fmt(formatter)
    }
}

const UNNAMED: &str = "a signal";

fn signal_name(number: i32) -> &'static str {
    const NAMES: [(Signal, &str); 24] = [
        (Signal::HUP, "SIGHUP"),
        (Signal::INT, "SIGINT"),
        (Signal::QUIT, "SIGQUIT"),
        (Signal::ILL, "SIGILL"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::USR1, "SIGUSR1"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::USR2, "SIGUSR2"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::ALARM, "SIGALRM"),
        (Signal::TERM, "SIGTERM"),
        (Signal::STOP, "SIGSTOP"),
        (Signal::TTIN, "SIGTTIN"),
        (Signal::TTOU, "SIGTTOU"),
        (Signal::XCPU, "SIGXCPU"),
        (Signal::XFSZ, "SIGXFSZ"),
        (Signal::VTALARM, "SIGVTALRM"),
        (Signal::PROF, "SIGPROF"),
        (Signal::IO, "SIGIO"),
        (Signal::SYS, "SIGSYS"),
    ];
    NAMES
        .iter()
        .find(|(signal, _)| signal.as_raw() == number)
        .map_or(UNNAMED, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(exit: Exit, words: &[&str], expected: &str) {
        let report = ExitReport {
            exit,
            last_words: words.iter().map(|&line| line.to_owned()).collect(),
        };
        assert_eq!(report.with_last_words(), expected);
    }

    #[test]
    fn reports_read_well() {
        let segv = Exit::from(ExitStatus::from_raw(Signal::SEGV.as_raw()));
        check(Exit::Code(3), &[], "exit status 3");
        check(segv, &["oh"], "killed by SIGSEGV; last words: oh");
        check(
            segv,
            &["a", "b"],
            "killed by SIGSEGV; last words:\n  a\n  b",
        );
        check(Exit::Unknown, &[], "ended in an unknown way");
        let real_time = Exit::from(ExitStatus::from_raw(40));
        check(real_time, &[], "killed by signal 40");
    }
}
