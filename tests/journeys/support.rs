//! Running the binary in a world of its own.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A home and a project, both empty, that vanish with the value.
pub(crate) struct World {
    dir: TempDir,
}

/// What a run left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

impl Ran {
    /// The same, when the exit code is `code`; else it says everything.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// The lines of stdout as JSON; every line must be one.
    #[track_caller]
    pub(crate) fn events(&self) -> Vec<serde_json::Value> {
        self.stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect()
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        }
    }
}

impl World {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for name in ["home", "project"] {
            std::fs::create_dir(dir.path().join(name)).expect("a directory");
        }
        Self { dir }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    /// Writes `config.toml`.
    pub(crate) fn config(&self, text: &str) {
        std::fs::write(self.home().join("config.toml"), text).expect("config.toml");
    }

    /// The binary with these arguments, in the project, with this home and no input.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zeug"));
        command
            .args(args)
            .current_dir(self.project())
            .env("ZEUG_HOME", self.home())
            .env_remove("ZEUG_LOG")
            .env_remove("http_proxy")
            .env_remove("all_proxy")
            .env_remove("ALL_PROXY")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Whoever runs the tests may have keys: no test may use them.
        for name in zeug_config::CREDENTIALS {
            command.env_remove(name);
        }
        command
    }

    /// Runs it to its end.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Ran {
        self.command(args).output().expect("zeug starts").into()
    }

    /// Starts it.
    pub(crate) fn start<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Child {
        self.command(args).spawn().expect("zeug starts")
    }

    /// Writes the manifest of a bad guest into a directory of its own.
    pub(crate) fn guest(&self, name: &str, flags: &[&str]) -> PathBuf {
        let dir = self.dir.path().join("guests").join(name);
        std::fs::create_dir_all(&dir).expect("a directory");
        let mut args = vec![
            repository("tests/bad-guest/bad_guest.py")
                .display()
                .to_string(),
        ];
        args.extend(["--name", name].map(str::to_owned));
        args.extend(flags.iter().map(|flag| (*flag).to_owned()));
        let manifest = serde_json::json!({ "name": name, "exec": "python3", "args": args });
        std::fs::write(dir.join("extension.json"), manifest.to_string()).expect("a manifest");
        dir
    }
}

/// A path below the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// The directory of an example extension.
pub(crate) fn example(name: &str) -> String {
    repository("examples/extensions")
        .join(name)
        .display()
        .to_string()
}

/// Whether a program is on `PATH`; says so when a journey has to be skipped.
pub(crate) fn have(program: &str) -> bool {
    let found = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()));
    if !found {
        let test = std::thread::current()
            .name()
            .unwrap_or("a journey")
            .to_owned();
        eprintln!("skipped: {test}: {program} is not on PATH");
    }
    found
}

/// Waits until `done` is true.
#[track_caller]
pub(crate) fn wait_until(what: &str, done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(20), "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process exists and is no zombie.
pub(crate) fn alive(pid: u32) -> bool {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat
            .rsplit(')')
            .next()
            .unwrap_or("")
            .trim()
            .starts_with('Z'),
        Err(_) => false,
    }
}

/// The process ids in a file written by a bad guest.
pub(crate) fn pids(file: &Path) -> Vec<u32> {
    std::fs::read_to_string(file)
        .unwrap_or_default()
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|word| word.parse().ok())
        .collect()
}
