//! `bash`: a command line, its output and how it ended.
//!
//! Does not know how processes are started and ended (`zeug-process`); reading is in `run`, what
//! is kept of the output in `kept` and `spill`.

mod kept;
mod run;
mod spill;
mod ticker;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeug_process::{Child, Exit, Output, SpawnError, Spawner, Spec as Program};
use zeug_stdx::json::RawJson;
use zeug_tool::{Annotations, Call, Context, Spec, Tool};
use zeug_transcript::{Outcome, Status};

use self::run::{End, Run};
use crate::args;
use crate::failure::Failure;

/// How long a command may take when the call does not say (product specification, section 4).
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);
/// The longest that a call may ask for.
pub(crate) const MAX_TIMEOUT: Duration = Duration::from_secs(3600);
/// The shells that are tried, in this order.
const SHELLS: [&str; 3] = ["bash", "sh", "/bin/sh"];
/// The most bytes of a command line that are shown to whoever approves it.
const PREVIEW_BYTES: usize = 16 * 1024;

const NAME: &str = "bash";
const DESCRIPTION: &str = "Run a command line with bash in the project directory. Answers with \
    standard output and standard error as they come; of a long output the head and the tail, and \
    a file with all of it. Standard input is empty. Processes left in the background are ended \
    with the command.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The command line.
    command: String,
    /// Seconds after which the command is ended, by default 120.
    #[schemars(range(min = 1, max = 3600))]
    timeout: Option<u64>,
}

/// The result for scripts.
#[derive(Debug, Serialize, JsonSchema)]
struct Report {
    /// The output, or its head and tail.
    output: String,
    /// Whether output is not all of it.
    truncated: bool,
    /// The file with all of the output, when it is truncated.
    #[serde(skip_serializing_if = "Option::is_none")]
    full_output_path: Option<String>,
    /// What the shell returned, 128 and its number for a signal; null when it was ended.
    exit_code: Option<i32>,
    /// How long it took.
    wall_time_seconds: f64,
}

/// The tool.
pub(crate) struct Bash {
    spec: Spec,
    spawner: Spawner,
    env_remove: Vec<OsString>,
    temp_dir: PathBuf,
    shell: OnceLock<&'static str>,
}

impl Bash {
    pub(crate) fn new(spawner: Spawner, env_remove: Vec<OsString>, temp_dir: PathBuf) -> Self {
        let mut spec = Spec::built_in(NAME, DESCRIPTION, args::schema::<Args>());
        spec.output_schema = Some(args::schema::<Report>());
        spec.annotations = Annotations {
            destructive: true,
            ..Annotations::default()
        };
        Self {
            spec,
            spawner,
            env_remove,
            temp_dir,
            shell: OnceLock::new(),
        }
    }

    async fn run(&self, call: &Call, cx: &Context) -> Result<Outcome, Failure> {
        let (command, timeout) = parse(call)?;
        if cx.cancel.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        let child = self.start(&command, cx)?;
        let run = Run::new(child, timeout, &self.temp_dir);
        Ok(outcome(run.finish(cx).await, timeout))
    }

    /// Starts the first shell that there is, and remembers which.
    fn start(&self, command: &str, cx: &Context) -> Result<Child, Failure> {
        let known = self.shell.get().copied();
        let mut missing = None;
        for shell in SHELLS.into_iter().filter(|s| known.is_none_or(|k| k == *s)) {
            match self.spawner.spawn(self.program(shell, command, cx)) {
                Ok(child) => {
                    self.shell.get_or_init(|| shell);
                    return Ok(child);
                }
                Err(why @ (SpawnError::NotOnPath { .. } | SpawnError::NoSuchFile { .. })) => {
                    missing = Some(why);
                }
                Err(why) => return Err(Failure::Shell(why)),
            }
        }
        Err(missing.map_or_else(|| Failure::Bug("no shell".to_owned()), Failure::Shell))
    }

    fn program(&self, shell: &str, command: &str, cx: &Context) -> Program {
        let mut program = Program::new(shell, cx.cwd.as_path())
            .args(["-c", command])
            // git would ask on the terminal itself, past the face that owns it, and wait.
            .env("GIT_TERMINAL_PROMPT", "0")
            .output(Output::Merged);
        program.env_remove.clone_from(&self.env_remove);
        program
    }
}

#[async_trait]
impl Tool for Bash {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    async fn preview(&self, call: &Call, _: &Context) -> Result<Option<String>, String> {
        let (command, _) = parse(call).map_err(|failure| failure.sentence(NAME))?;
        let shown = zeug_stdx::text::prefix(&command, PREVIEW_BYTES);
        let left = command.len() - shown.len();
        Ok(Some(match left {
            0 => command,
            _ => format!("{shown}\n[{left} more bytes are not shown]"),
        }))
    }

    async fn execute(&self, call: &Call, cx: &Context) -> Outcome {
        match self.run(call, cx).await {
            Ok(outcome) => outcome,
            Err(failure) => failure.outcome(NAME),
        }
    }
}

fn parse(call: &Call) -> Result<(String, Duration), Failure> {
    let args: Args = args::parse(call)?;
    let timeout = match args.timeout {
        None => DEFAULT_TIMEOUT,
        Some(seconds) if (1..=MAX_TIMEOUT.as_secs()).contains(&seconds) => {
            Duration::from_secs(seconds)
        }
        Some(seconds) => return Err(Failure::Timeout(seconds)),
    };
    Ok((args.command, timeout))
}

fn outcome(end: End, timeout: Duration) -> Outcome {
    let (status, footer, exit_code) = match end.how {
        run::How::Exited(exit) => exited(exit),
        run::How::TimedOut => {
            let seconds = timeout.as_secs();
            let footer = format!(
                "ended after {seconds} s; give a longer timeout (at most {} s) if it needs one",
                MAX_TIMEOUT.as_secs()
            );
            (Status::TimedOut, Some(footer), None)
        }
        run::How::Cancelled => (Status::Cancelled, Some("cancelled".to_owned()), None),
    };
    let mut text = end.output.clone();
    let notes = end.notes.into_iter().chain(footer);
    for note in notes {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&format!("[{note}]"));
    }
    if text.is_empty() {
        text.push_str("[no output]");
    }
    let report = Report {
        output: end.output,
        truncated: end.truncated,
        full_output_path: end.full_output_path,
        exit_code,
        wall_time_seconds: end.wall_time.as_secs_f64(),
    };
    Outcome {
        structured: RawJson::of(&report).ok(),
        ..Outcome::text(status, text)
    }
}

fn exited(exit: Exit) -> (Status, Option<String>, Option<i32>) {
    match exit {
        Exit::Code(0) => (Status::Completed, None, Some(0)),
        Exit::Code(code) => (Status::Failed, Some(format!("exit {code}")), Some(code)),
        Exit::Signal { number, .. } => (Status::Failed, Some(exit.to_string()), Some(128 + number)),
        Exit::Unknown => (Status::Failed, Some(exit.to_string()), None),
    }
}
