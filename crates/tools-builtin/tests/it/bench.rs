//! A project directory and the tools working in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use zeug_process::{Spawner, Watchdog};
use zeug_stdx::json::RawJson;
use zeug_tool::{Call, Context, Origin, Progress, Tool};
use zeug_tools_builtin::Options;
use zeug_transcript::{Content, Outcome, Status};

pub(crate) struct Bench {
    pub(crate) cancel: CancellationToken,
    pub(crate) options: Options,
    dir: TempDir,
    project: PathBuf,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        // Links in the path of the temporary directory would show in what commands print.
        let root = dir.path().canonicalize().unwrap();
        let project = root.join("project");
        fs::create_dir(&project).unwrap();
        let mut options = Options::new(Spawner::new(Watchdog::Off), root.join("temp"));
        options.home = Some(root.join("home"));
        Self {
            cancel: CancellationToken::new(),
            options,
            dir,
            project,
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.project.join(name)
    }

    /// A path beside the project directory.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn content(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        names(&self.project)
    }

    pub(crate) fn context(&self) -> Context {
        self.context_with(Progress::nowhere())
    }

    pub(crate) fn context_with_progress(&self, lines: usize) -> (Context, mpsc::Receiver<String>) {
        let (sink, receiver) = mpsc::channel(lines);
        (self.context_with(Progress::to(sink)), receiver)
    }

    fn context_with(&self, progress: Progress) -> Context {
        Context {
            cancel: self.cancel.clone(),
            cwd: Arc::new(self.project.clone()),
            can_interact: false,
            origin: Origin::Model,
            progress,
            nested: zeug_tool::Nested::default(),
        }
    }

    pub(crate) fn tool(&self, name: &str) -> Arc<dyn Tool> {
        zeug_tools_builtin::all(self.options.clone())
            .into_iter()
            .find(|tool| tool.spec().name == name)
            .unwrap()
    }

    pub(crate) async fn run(&self, name: &str, args: Value) -> Outcome {
        let call = call(name, args);
        self.tool(name).execute(&call, &self.context()).await
    }

    /// The text of a call that must succeed.
    pub(crate) async fn ok(&self, name: &str, args: Value) -> String {
        let outcome = self.run(name, args).await;
        assert_eq!(outcome.status, Status::Completed, "{}", text(&outcome));
        text(&outcome)
    }

    /// The text of a call that must fail.
    pub(crate) async fn fails(&self, name: &str, args: Value) -> String {
        let outcome = self.run(name, args).await;
        assert_eq!(outcome.status, Status::Failed, "{}", text(&outcome));
        text(&outcome)
    }

    pub(crate) async fn preview(&self, name: &str, args: Value) -> Result<String, String> {
        let call = call(name, args);
        let preview = self.tool(name).preview(&call, &self.context()).await;
        preview.map(Option::unwrap_or_default)
    }
}

pub(crate) fn call(name: &str, args: Value) -> Call {
    Call {
        id: "1".to_owned(),
        name: name.to_owned(),
        args: RawJson::from_value(&args),
    }
}

pub(crate) fn text(outcome: &Outcome) -> String {
    Content::joined(&outcome.content)
}

pub(crate) fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
