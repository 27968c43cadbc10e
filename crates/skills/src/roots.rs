//! Where to look for skills, in the one order; looks nowhere itself.

use std::path::{Path, PathBuf};

use crate::Source;

/// Everything that is looked at.
///
/// # Order
/// The trees as they stand here, then the bundles by the extensions' names, then what is built
/// in. The first skill of a name keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roots {
    /// Directories of the user and the project, best first.
    pub trees: Vec<Tree>,
    /// What extensions bring, in any order.
    pub bundles: Vec<Bundle>,
    /// Whether the built-in skills are there.
    pub built_in: bool,
}

/// A directory that is searched at every depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The directory; or one `SKILL.md`.
    pub dir: PathBuf,
    /// On whose behalf.
    pub source: Source,
}

/// What one extension brings: the `skills` key of its manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// The manifest's name.
    pub extension: String,
    /// The extension's directory, which nothing may leave.
    pub dir: PathBuf,
    /// Relative directories, each with a `SKILL.md` or with directories that have one.
    pub entries: Vec<String>,
}

/// The directories from which the usual roots follow.
#[derive(Debug, Clone, Copy)]
pub struct Places<'a> {
    /// Directories that the settings name, best first: absolute, below `~`, or counted from the
    /// project.
    pub explicit: &'a [PathBuf],
    /// The project's directory.
    pub project: &'a Path,
    /// zeug's state home.
    pub home: &'a Path,
    /// The user's home directory.
    pub user_home: Option<&'a Path>,
}

/// zeug's place in a project, then those of the hosts whose extensions it runs.
const PROJECT: [&str; 3] = [".zeug/skills", ".zot/skills", ".zut/skills"];
/// Places that several agents share, in the project and in the user's home.
const SHARED: [&str; 2] = [".claude/skills", ".agents/skills"];

impl Roots {
    /// The usual roots without extensions: what the settings name, the project's own, zeug's
    /// home, then the places that agents share, each in the project before the user's home.
    #[must_use]
    pub fn usual(places: &Places<'_>) -> Self {
        let mut trees = Vec::new();
        let mut add = |dir: PathBuf, source: Source| trees.push(Tree { dir, source });
        for path in places.explicit {
            add(places.absolute(path), Source::Explicit);
        }
        for dir in PROJECT {
            add(places.project.join(dir), Source::Project);
        }
        add(places.home.join("skills"), Source::User);
        for dir in SHARED {
            add(places.project.join(dir), Source::Project);
            if let Some(home) = places.user_home {
                add(home.join(dir), Source::User);
            }
        }
        Self {
            trees,
            bundles: Vec::new(),
            built_in: true,
        }
    }

    /// With what extensions bring.
    #[must_use]
    pub fn with_bundles(mut self, bundles: impl IntoIterator<Item = Bundle>) -> Self {
        self.bundles.extend(bundles);
        self
    }
}

impl Places<'_> {
    fn absolute(&self, path: &Path) -> PathBuf {
        match (path.strip_prefix("~"), self.user_home) {
            (Ok(below), Some(home)) => home.join(below),
            _ => self.project.join(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_settings_project_home_and_shared_places() {
        let roots = Roots::usual(&Places {
            explicit: &["/abs".into(), "rel".into(), "~/mine".into()],
            project: Path::new("/p"),
            home: Path::new("/state"),
            user_home: Some(Path::new("/u")),
        });
        let dirs: Vec<_> = roots.trees.iter().map(|tree| tree.dir.as_path()).collect();
        let expect = [
            "/abs",
            "/p/rel",
            "/u/mine",
            "/p/.zeug/skills",
            "/p/.zot/skills",
            "/p/.zut/skills",
            "/state/skills",
            "/p/.claude/skills",
            "/u/.claude/skills",
            "/p/.agents/skills",
            "/u/.agents/skills",
        ];
        assert_eq!(dirs, expect.map(Path::new));
        assert!(roots.built_in && roots.bundles.is_empty());
        assert_eq!(roots.trees[6].source, Source::User);
        assert_eq!(roots.trees[7].source, Source::Project);
    }
}
