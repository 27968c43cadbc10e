//! What to start: plain values; does not know how a program is started or found.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use crate::RotatingLog;

/// One program to start.
///
/// The child inherits this process's environment without [`env_remove`](Self::env_remove) and
/// with [`env_set`](Self::env_set) on top; where both name a variable, it is set.
#[derive(Clone)]
pub struct Spec {
    /// A name to look for on `PATH`, an absolute path, or a path with a `/`, which counts from
    /// [`cwd`](Self::cwd).
    pub program: PathBuf,
    /// Passed as they are; no shell is involved.
    pub args: Vec<OsString>,
    /// Working directory of the child.
    pub cwd: PathBuf,
    /// Variables to set.
    pub env_set: Vec<(OsString, OsString)>,
    /// Variables not to inherit.
    pub env_remove: Vec<OsString>,
    /// What the child reads.
    pub stdin: StdinMode,
    /// Where what the child writes goes.
    pub output: Output,
}

/// What a child finds at its standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StdinMode {
    /// A pipe, given out as [`Child::stdin`](crate::Child::stdin).
    Piped,
    /// Nothing: end of file at once.
    Null,
}

/// Where a child's standard output and standard error go.
#[derive(Debug, Clone)]
pub enum Output {
    /// Standard output is a pipe. Standard error is read by this crate: its last lines become
    /// part of the [`ExitReport`](crate::ExitReport), and all of it goes to the log if there is
    /// one.
    Separate {
        /// Where standard error is kept.
        log: Option<RotatingLog>,
    },
    /// Both are one pipe, in the order of writing. Nothing is kept for the report.
    Merged,
}

impl Spec {
    /// `program` in `cwd`, without arguments; reads nothing, writes to separate pipes, no log.
    pub fn new(program: impl Into<PathBuf>, cwd: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            cwd: cwd.into(),
            env_set: Vec::new(),
            env_remove: Vec::new(),
            stdin: StdinMode::Null,
            output: Output::Separate { log: None },
        }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<I>(mut self, args: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env_set.push((name.into(), value.into()));
        self
    }

    /// Keeps a variable from being inherited.
    #[must_use]
    pub fn without_env(mut self, name: impl Into<OsString>) -> Self {
        self.env_remove.push(name.into());
        self
    }

    /// Chooses what the child reads.
    #[must_use]
    pub fn stdin(mut self, stdin: StdinMode) -> Self {
        self.stdin = stdin;
        self
    }

    /// Chooses where the child's output goes.
    #[must_use]
    pub fn output(mut self, output: Output) -> Self {
        self.output = output;
        self
    }
}

/// Without the values of variables, which can be secrets.
impl fmt::Debug for Spec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.env_set.iter().map(|(name, _)| name).collect();
        formatter
            .debug_struct("Spec")
            .field("program", &self.program)
            .field("args", &self.args)
            .field("cwd", &self.cwd)
            .field("env_set", &names)
            .field("env_remove", &self.env_remove)
            .field("stdin", &self.stdin)
            .field("output", &self.output)
            .finish()
    }
}
