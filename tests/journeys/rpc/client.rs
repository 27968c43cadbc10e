//! A client of `zeug rpc` that waits for what it expects, and kills what it started.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

use crate::support::World;

pub(crate) struct Rpc {
    child: Child,
    /// `None` after the client closed its end.
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
    /// Dropped when nobody has to be killed any more.
    _watched: mpsc::Sender<()>,
}

impl Rpc {
    /// `zeug rpc` with these arguments, not started yet.
    pub(crate) fn command(world: &World, args: &[&str]) -> Command {
        let mut command = world.command([&["rpc"], args].concat());
        for token in ["ZEUG_RPC_TOKEN", "ZUTCORE_RPC_TOKEN", "ZOTCORE_RPC_TOKEN"] {
            command.env_remove(token);
        }
        command
    }

    /// The same run of another program.
    pub(crate) fn with_program(program: &Path, like: &Command) -> Command {
        let mut command = Command::new(program);
        command
            .args(like.get_args())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(dir) = like.get_current_dir() {
            command.current_dir(dir);
        }
        for (name, value) in like.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    pub(crate) fn start(world: &World, args: &[&str]) -> Self {
        Self::spawn(&mut Self::command(world, args))
    }

    pub(crate) fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).spawn().expect("zeug starts");
        let watched = watch(child.id());
        let input = child.stdin.take();
        let output = child.stdout.take().map(BufReader::new);
        Self {
            child,
            input,
            output,
            _watched: watched,
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn say(&mut self, request: Value) {
        self.write(format!("{request}\n").as_bytes());
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("an open end");
        input.write_all(bytes).expect("zeug reads");
    }

    /// Gives the writing end away, for a thread of its own.
    pub(crate) fn take_input(&mut self) -> ChildStdin {
        self.input.take().expect("an open end")
    }

    /// Closes the client's end.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// Reads nothing any more.
    pub(crate) fn close_output(&mut self) {
        self.output = None;
    }

    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let output = self.output.as_mut().expect("an open end");
        output.read_line(&mut line).expect("a line");
        if line.is_empty() {
            return None;
        }
        Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
    }

    #[track_caller]
    pub(crate) fn read_until(&mut self, what: &str, last: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut lines = Vec::new();
        loop {
            match self.next() {
                Some(line) => lines.push(line),
                None => panic!("zeug ended before {what}: {lines:?}"),
            }
            if last(&lines[lines.len() - 1]) {
                return lines;
            }
        }
    }

    /// Reads up to a line of this type.
    #[track_caller]
    pub(crate) fn until(&mut self, kind: &str) -> Vec<Value> {
        self.read_until(kind, |line| line["type"] == kind)
    }

    /// Reads up to the response to this request.
    #[track_caller]
    pub(crate) fn until_id(&mut self, id: &str) -> Vec<Value> {
        self.read_until(id, |line| line["type"] == "response" && line["id"] == id)
    }

    /// Reads up to the response to this request; that response.
    #[track_caller]
    pub(crate) fn response(&mut self, id: &str) -> Value {
        self.until_id(id).pop().expect("at least the response")
    }

    /// Reads up to the end: the lines, stderr, the exit code.
    pub(crate) fn finish(mut self) -> (Vec<Value>, String, i32) {
        let mut lines = Vec::new();
        if self.output.is_some() {
            lines.extend(std::iter::from_fn(|| self.next()));
        }
        let code = self.child.wait().expect("an end").code().unwrap_or(-1);
        let mut stderr = String::new();
        if let Some(mut pipe) = self.child.stderr.take() {
            pipe.read_to_string(&mut stderr).expect("text");
        }
        (lines, stderr, code)
    }

    pub(crate) fn close_and_finish(mut self) -> (Vec<Value>, String, i32) {
        self.close();
        self.finish()
    }
}

/// Ends a run that nobody would wait for so long: whoever reads it sees its end and says what was
/// read.
fn watch(pid: u32) -> mpsc::Sender<()> {
    let (watched, over) = mpsc::channel();
    std::thread::spawn(move || {
        if over.recv_timeout(Duration::from_secs(180)) == Err(mpsc::RecvTimeoutError::Timeout) {
            drop(Command::new("kill").args(["-9", &pid.to_string()]).status());
        }
    });
    watched
}

impl Drop for Rpc {
    fn drop(&mut self) {
        // It has usually ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// `type` of each line.
pub(crate) fn kinds(lines: &[Value]) -> Vec<&str> {
    lines
        .iter()
        .filter_map(|line| line["type"].as_str())
        .collect()
}

/// The lines of a type.
pub(crate) fn of<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == kind).collect()
}

/// The ids of the responses, sorted.
pub(crate) fn ids(lines: &[Value]) -> Vec<String> {
    let mut ids: Vec<String> = of(lines, "response")
        .iter()
        .filter_map(|line| line["id"].as_str().map(str::to_owned))
        .collect();
    ids.sort();
    ids
}
