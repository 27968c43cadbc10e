//! A client of `zeug rpc` that is a full face: it shows panels and presses keys.

use std::path::Path;

use serde_json::{Value, json};

use crate::rpc::client::Rpc;
use crate::support::{World, example};

/// An example in a directory of its own, since some keep files there.
pub(crate) fn copied(world: &World, name: &str) -> String {
    let to = world.path().join("extensions").join(name);
    copy(example(name).as_ref(), &to);
    to.display().to_string()
}

/// Copies the files of a directory.
pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for file in std::fs::read_dir(from).unwrap().flatten() {
        if file.path().is_file() {
            std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    }
}

/// An extension of a test's own.
pub(crate) fn written(world: &World, name: &str, program: &str) -> String {
    let dir = world.path().join("extensions").join(name);
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("main.py"), program).unwrap();
    let manifest = json!({"name": name, "exec": "python3", "args": ["main.py"]});
    std::fs::write(dir.join("extension.json"), manifest.to_string()).unwrap();
    dir.display().to_string()
}

/// A client that shows panels, and is asked about nothing.
pub(crate) struct Face(pub(crate) Rpc);

impl Face {
    pub(crate) fn start(world: &World, extension: &str) -> Self {
        let mut rpc = Rpc::start(world, &["--approve", "never", "-e", extension]);
        rpc.say(json!({"id": "hello", "type": "hello", "interactive": true}));
        rpc.response("hello");
        Self(rpc)
    }

    pub(crate) fn prompt(&mut self, text: &str) {
        self.0.say(json!({"type": "prompt", "message": text}));
    }

    pub(crate) fn panel(&mut self, request: &str, owner: &str, id: &str, fields: Value) {
        let mut line = json!({"type": request, "extension": owner, "panel_id": id});
        line.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        self.0.say(line);
    }

    pub(crate) fn key(&mut self, owner: &str, id: &str, key: &str) {
        self.panel("ext_panel_key", owner, id, json!({"key": key}));
    }

    pub(crate) fn text(&mut self, owner: &str, id: &str, text: &str) {
        let key = json!({"key": "rune", "text": text});
        self.panel("ext_panel_key", owner, id, key);
    }

    /// Reads up to a panel that shows this line.
    #[track_caller]
    pub(crate) fn until_shown(&mut self, part: &str) -> Value {
        let shows = |line: &Value| {
            let lines = line["lines"].as_array();
            let is_panel = ["ext_panel_open", "ext_panel_render"]
                .iter()
                .any(|kind| line["type"] == *kind);
            is_panel
                && lines.is_some_and(|lines| {
                    lines
                        .iter()
                        .any(|line| line.as_str().is_some_and(|line| line.contains(part)))
                })
        };
        self.0.read_until(part, shows).pop().unwrap()
    }

    /// Reads up to the result of a call; its text.
    #[track_caller]
    pub(crate) fn result(&mut self) -> String {
        let lines = self.0.until("tool_result");
        let result = lines.last().unwrap();
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }
}
