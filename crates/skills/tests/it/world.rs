//! A temporary directory with a project, a state home and a user's home.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zeug_skills::{Bundle, Effect, Found, Places, Roots, discover};

pub(crate) struct World {
    _dir: TempDir,
    root: PathBuf,
    pub(crate) roots: Roots,
}

impl World {
    /// With the usual roots and nothing in them; without built-in skills.
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let mut roots = Roots::usual(&Places {
            explicit: &[],
            project: &root.join("project"),
            home: &root.join("state"),
            user_home: Some(&root.join("user")),
        });
        roots.built_in = false;
        Self {
            _dir: dir,
            root,
            roots,
        }
    }

    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// A skill whose description says where it lies.
    pub(crate) fn skill(&self, dir: &str, name: &str) -> &Self {
        let text = format!("---\nname: {name}\ndescription: from {dir}\n---\nDo {name}.\n");
        self.write(&format!("{dir}/SKILL.md"), text)
    }

    /// A link at `path` to `target` (below the world, or as it is).
    pub(crate) fn link(&self, path: &str, target: &str) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(self.path(target), path).unwrap();
        self
    }

    /// Adds the extension in `ext/NAME` with these entries in its manifest.
    pub(crate) fn bundle(&mut self, name: &str, entries: &[&str]) -> &Self {
        let dir = self.path("ext").join(name);
        fs::create_dir_all(&dir).unwrap();
        self.roots.bundles.push(Bundle {
            extension: name.to_owned(),
            dir,
            entries: entries.iter().map(|entry| (*entry).to_owned()).collect(),
        });
        self
    }

    pub(crate) fn discover(&self) -> Found {
        discover(&self.roots)
    }

    /// `NAME: DESCRIPTION` of each skill; nothing may be wrong.
    #[track_caller]
    pub(crate) fn found(&self) -> Vec<String> {
        let found = self.discover();
        let wrong = |effect| effect != Effect::Shadowed;
        assert!(
            !found.problems.iter().any(|p| wrong(p.effect)),
            "{:#?}",
            found.problems
        );
        listed(&found)
    }

    /// The problems as they are shown, with paths below the world.
    pub(crate) fn problems(&self) -> Vec<(String, Effect)> {
        let root = format!("{}/", self.root.display());
        let found = self.discover();
        let shown = |text: String| text.replace(&root, "");
        found
            .problems
            .iter()
            .map(|problem| (shown(problem.to_string()), problem.effect))
            .collect()
    }
}

/// `NAME: DESCRIPTION` of each skill.
pub(crate) fn listed(found: &Found) -> Vec<String> {
    found
        .skills
        .iter()
        .map(|skill| format!("{}: {}", skill.name, skill.description))
        .collect()
}
