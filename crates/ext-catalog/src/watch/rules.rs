//! Which changed files are a change of the extension.
//!
//! Not: what `.gitignore` at the top of its directory names, what tools leave behind, an editor's
//! passing files, and, where the extension keeps its state beside its code, files that look like
//! state rather than code.

use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::Watched;

/// Directories that tools make and fill.
const MADE: [&str; 8] = [
    ".git",
    ".hg",
    ".venv",
    "__pycache__",
    "node_modules",
    "target",
    ".mypy_cache",
    ".pytest_cache",
];
/// Files of JSON that are code all the same.
const CODE_JSON: [&str; 5] = [
    "extension.json",
    "theme.json",
    "package.json",
    "tsconfig.json",
    "deno.json",
];
/// What state looks like.
const STATE: [&str; 15] = [
    "json", "jsonl", "ndjson", "db", "sqlite", "sqlite3", "log", "txt", "csv", "tsv", "lock",
    "pid", "sock", "cache", "bak",
];

/// The rules of one extension.
#[derive(Debug)]
pub(super) struct Rules {
    extension: Watched,
    ignored: Gitignore,
}

impl Rules {
    pub(super) fn new(extension: Watched) -> Self {
        let mut builder = GitignoreBuilder::new(&extension.dir);
        if let Some(error) = builder.add(extension.dir.join(".gitignore")) {
            tracing::debug!("{error}");
        }
        let ignored = builder.build().unwrap_or_else(|error| {
            tracing::debug!("{error}");
            Gitignore::empty()
        });
        Self { extension, ignored }
    }

    pub(super) fn dir(&self) -> &PathBuf {
        &self.extension.dir
    }

    pub(super) fn name(&self) -> &str {
        &self.extension.name
    }

    /// Whether a change of this path, which is below the directory, counts.
    pub(super) fn counts(&self, path: &Path) -> bool {
        if path == self.extension.program {
            return true;
        }
        let Ok(below) = path.strip_prefix(&self.extension.dir) else {
            return false;
        };
        let is_made = below
            .components()
            .any(|part| MADE.iter().any(|made| part.as_os_str() == *made));
        if is_made || is_passing(path) {
            return false;
        }
        if self.extension.keeps_state && is_state(path) {
            return false;
        }
        // Whether it is a directory cannot be told of what is gone; a pattern for directories then
        // does not fit, and one extension starts anew without need.
        let is_dir = path.is_dir();
        !self
            .ignored
            .matched_path_or_any_parents(path, is_dir)
            .is_ignore()
    }
}

/// Whether it is a file that an editor or a tool keeps for a moment.
pub(super) fn is_passing(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let is_swap = [".swp", ".swo", ".swx", "~", ".tmp", ".part"]
        .iter()
        .any(|end| name.ends_with(end));
    // Vim tries whether it may write; Emacs locks; zeug stages what it installs.
    is_swap || name == "4913" || name.starts_with(".#") || name.starts_with(".zeug-")
}

fn is_state(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    if name.is_some_and(|name| CODE_JSON.contains(&name)) {
        return false;
    }
    let end = path.extension().and_then(|end| end.to_str());
    end.is_some_and(|end| STATE.iter().any(|state| end.eq_ignore_ascii_case(state)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_counts_and_what_comes_of_it_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::write(root.join(".gitignore"), "out/\n*.gen.py\n").unwrap();
        std::fs::create_dir(root.join("out")).unwrap();
        let rules = |keeps_state| {
            Rules::new(Watched {
                name: "a".to_owned(),
                dir: root.clone(),
                program: root.join("target/release/a"),
                keeps_state,
            })
        };
        let check = |path: &str, expect: bool, with_state: bool| {
            assert_eq!(rules(false).counts(&root.join(path)), expect, "{path}");
            assert_eq!(rules(true).counts(&root.join(path)), with_state, "{path}");
        };
        check("main.py", true, true);
        check("lib/deep/x.ts", true, true);
        check("extension.json", true, true);
        check("target/release/a", true, true);
        check("target/release/b", false, false);
        check("todos.json", true, false);
        check("audit.LOG", true, false);
        check("node_modules/x/index.js", false, false);
        check("__pycache__/main.pyc", false, false);
        check(".git/HEAD", false, false);
        check("out/x.py", false, false);
        check("x.gen.py", false, false);
        check(".main.py.swp", false, false);
        check("main.py~", false, false);
    }
}
