//! Everything that can keep a tool from doing what it was asked, each with the next step.
//!
//! The tool's name is put in front when a failure becomes an outcome; failures do not know it.

use std::io;

use thiserror::Error;
use zeug_process::SpawnError;
use zeug_transcript::{Outcome, Status};

use crate::edit::Mismatch;

#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error("the arguments do not fit: {0}")]
    Args(String),
    #[error("path is empty; name a file or a directory")]
    EmptyPath,
    #[error("{0}: no home directory is known; write the path without ~")]
    NoHome(String),
    #[error("no such file: {shown}{}", did_you_mean(.near.as_deref()))]
    Missing { shown: String, near: Option<String> },
    #[error("{shown} is a directory; {next}")]
    Directory { shown: String, next: String },
    #[error("{0} is not a directory; name a directory in path")]
    NoDirectory(String),
    #[error(
        "{0} is neither a file nor a directory (a pipe, a socket or a device); use bash for it"
    )]
    Special(String),
    #[error(
        "{0} is a binary file (it contains a NUL byte); use bash, for example `file` or `xxd`, to look into it"
    )]
    Binary(String),
    #[error("{0} is UTF-16 text; convert it first, for example with `iconv -f UTF-16 -t UTF-8`")]
    Utf16(String),
    #[error("{0} is not UTF-8 text, an edit would damage it; use bash, for example `sed`")]
    NotUtf8(String),
    #[error("{shown} has {bytes} bytes, the limit is {limit}; {next}")]
    TooBig {
        shown: String,
        bytes: u64,
        limit: u64,
        next: &'static str,
    },
    #[error("{shown} has {lines} lines, offset {offset} is past its end")]
    PastEnd {
        shown: String,
        lines: u64,
        offset: u64,
    },
    #[error(
        "cannot {doing} {shown}: permission denied{facts}; choose another place or ask the user"
    )]
    Denied {
        doing: &'static str,
        shown: String,
        facts: String,
    },
    #[error("cannot {doing} {shown}: {why}")]
    Io {
        doing: &'static str,
        shown: String,
        why: io::Error,
    },
    #[error("{shown}: {why}")]
    Edit { shown: String, why: Mismatch },
    #[error("the pattern {pattern:?} is not usable: {why}")]
    Pattern { pattern: String, why: String },
    #[error(transparent)]
    Shell(SpawnError),
    #[error("timeout {0} is out of range; give 1 to {max} seconds", max = crate::bash::MAX_TIMEOUT.as_secs())]
    Timeout(u64),
    #[error("cancelled")]
    Cancelled,
    #[error("the work stopped by a bug in zeug: {0}")]
    Bug(String),
}

fn did_you_mean(near: Option<&str>) -> String {
    near.map(|near| format!(" (did you mean {near}?)"))
        .unwrap_or_default()
}

impl Failure {
    /// The sentence with the tool's name in front.
    pub(crate) fn sentence(&self, tool: &str) -> String {
        format!("{tool}: {self}")
    }

    /// What the model is told.
    pub(crate) fn outcome(&self, tool: &str) -> Outcome {
        let status = match self {
            Self::Cancelled => Status::Cancelled,
            _ => Status::Failed,
        };
        Outcome::text(status, self.sentence(tool))
    }
}

/// The outcome of a tool that answers with text.
pub(crate) fn settle(tool: &str, result: Result<String, Failure>) -> Outcome {
    match result {
        Ok(text) => Outcome::ok(text),
        Err(failure) => failure.outcome(tool),
    }
}
