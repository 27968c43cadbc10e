//! Reaching an extension: starting its process, or whatever else has two ends.

use std::ffi::OsString;
use std::path::PathBuf;

use async_trait::async_trait;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};
use zeug_process::{ExitReport, Handle, Output, RotatingLog, Spawner, Spec, StdinMode, StopLadder};
use zeug_stdx::text;

/// Of a language's name, in messages. The manifest may say anything.
const LANGUAGE_BYTES: usize = 64;

/// What an extension is reached by.
pub struct Connection {
    /// What it says.
    pub reader: Box<dyn AsyncRead + Send + Unpin>,
    /// What it hears.
    pub writer: Box<dyn AsyncWrite + Send + Unpin>,
    /// What is behind it.
    pub body: Body,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection")
            .field("body", &self.body)
            .finish_non_exhaustive()
    }
}

/// What is behind a connection.
#[derive(Debug, Clone)]
pub enum Body {
    /// A child process.
    Process(Handle),
    /// Nothing that could be waited for or ended.
    None,
}

impl Body {
    /// Waits for the end of the process; for ever when there is none.
    pub(crate) async fn exited(&self) -> ExitReport {
        match self {
            Self::Process(handle) => handle.exited().await,
            Self::None => std::future::pending().await,
        }
    }

    /// Ends the process and its group.
    pub(crate) async fn stop(&self, ladder: StopLadder) {
        if let Self::Process(handle) = self {
            handle.stop(ladder).await;
        }
    }
}

/// Why an extension could not be reached.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct LaunchFailure(pub String);

/// A way to reach an extension, possibly more than once.
#[async_trait]
pub trait Connector: Send + Sync {
    /// Starts it, or connects to it.
    ///
    /// # Errors
    /// A sentence that names the thing and the next step.
    async fn connect(&self) -> Result<Connection, LaunchFailure>;

    /// What is started, and in which language it is written, for messages.
    fn program(&self) -> Option<String> {
        None
    }
}

/// Starts an extension as a child process.
#[derive(Debug, Clone)]
pub struct Launcher {
    /// Starts it.
    pub spawner: Spawner,
    /// The program.
    pub program: PathBuf,
    /// What its manifest says that it is written in; empty when it does not. For messages.
    pub language: String,
    /// Its arguments, as in the manifest.
    pub args: Vec<String>,
    /// Its directory, in which it runs.
    pub dir: PathBuf,
    /// Variables it gets.
    pub env_set: Vec<(OsString, OsString)>,
    /// Variables it does not get.
    pub env_remove: Vec<OsString>,
    /// Where its stderr goes.
    pub log: Option<RotatingLog>,
}

#[async_trait]
impl Connector for Launcher {
    async fn connect(&self) -> Result<Connection, LaunchFailure> {
        let mut spec = Spec::new(&self.program, &self.dir)
            .args(&self.args)
            .stdin(StdinMode::Piped)
            .output(Output::Separate {
                log: self.log.clone(),
            });
        spec.env_set.clone_from(&self.env_set);
        spec.env_remove.clone_from(&self.env_remove);
        let child = self
            .spawner
            .spawn(spec)
            .map_err(|e| LaunchFailure(e.to_string()))?;
        let Some(stdin) = child.stdin else {
            return Err(LaunchFailure("the child has no stdin pipe".to_owned()));
        };
        Ok(Connection {
            reader: Box::new(child.stdout),
            writer: Box::new(stdin),
            body: Body::Process(child.handle),
        })
    }

    fn program(&self) -> Option<String> {
        let program = self.program.display();
        Some(
            match text::one_line(text::plain(&self.language).trim(), LANGUAGE_BYTES) {
                language if language.is_empty() => program.to_string(),
                language => format!("{program}, language: {language}"),
            },
        )
    }
}
