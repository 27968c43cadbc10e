//! An example out of a text as a running process, spoken to through its pipes.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::time::timeout;
use zeug_ext_protocol::FromExtension;
use zeug_process::{Exit, Handle, Spawner, Spec, Stdin, StdinMode, Stdout, Watchdog};

/// Far longer than any of it takes.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Guest {
    stdin: Option<Stdin>,
    lines: Lines<BufReader<Stdout>>,
    handle: Handle,
}

impl Guest {
    /// Starts `text` as the executable `name` in `dir`.
    pub(crate) fn start(dir: &Path, name: &str, text: &str) -> Self {
        let program = dir.join(name);
        fs::write(&program, text).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let mut spec = Spec::new(&program, dir);
        spec.stdin = StdinMode::Piped;
        let child = Spawner::new(Watchdog::Off).spawn(spec).unwrap();
        Self {
            stdin: child.stdin,
            lines: BufReader::new(child.stdout).lines(),
            handle: child.handle,
        }
    }

    /// Sends a frame as zeug writes it: compact, `type` first, `id` second.
    pub(crate) async fn send(&mut self, frame: Value) {
        self.send_line(&frame.to_string()).await;
    }

    pub(crate) async fn send_line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin
            .write_all(format!("{line}\n").as_bytes())
            .await
            .unwrap();
        stdin.flush().await.unwrap();
    }

    /// The next frame. It must be one that zeug understands, without a field of a wrong type.
    pub(crate) async fn next(&mut self) -> Value {
        let line = timeout(PATIENCE, self.lines.next_line()).await;
        let line = line.unwrap().unwrap().unwrap();
        let frame = FromExtension::decode(&line).unwrap_or_else(|why| panic!("{why}: {line}"));
        assert!(!matches!(frame, FromExtension::Unknown(_)), "{line}");
        serde_json::from_str(&line).unwrap()
    }

    /// Greets it, with `cwd` as the project; gives what it registers, up to `ready`.
    pub(crate) async fn greet(&mut self, cwd: &Path) -> Vec<Value> {
        let hello = self.next().await;
        assert_eq!(hello["type"], "hello");
        assert_eq!(hello["protocol_version"], 2);
        self.send(json!({
            "type": "hello_ack", "protocol_version": 2, "zeug_version": "0.0.0",
            "provider": "puppet", "model": "puppet", "cwd": cwd,
            "extension_dir": "/", "data_dir": "/", "capabilities": ["tool_progress"],
        }))
        .await;
        let mut frames = vec![hello];
        loop {
            let frame = self.next().await;
            let is_ready = frame["type"] == "ready";
            frames.push(frame);
            if is_ready {
                return frames;
            }
        }
    }

    /// Closes its input; it must leave by itself, without another frame.
    pub(crate) async fn leaves(mut self) -> Exit {
        self.stdin = None;
        let end = timeout(PATIENCE, self.lines.next_line()).await;
        assert_eq!(end.unwrap().unwrap(), None);
        timeout(PATIENCE, self.handle.exited()).await.unwrap().exit
    }
}
