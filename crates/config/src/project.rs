//! Where a project keeps what it brings for zeug; does not decide whether to trust it.

use std::path::{Path, PathBuf};

use crate::Paths;

/// Where a project's extensions are, best first: zeug's own place, then those of zot and zut.
#[must_use]
pub fn project_extensions(cwd: &Path) -> Vec<PathBuf> {
    [".zeug", ".zot", ".zut"]
        .iter()
        .map(|dir| cwd.join(dir).join("extensions"))
        .collect()
}

/// The project's settings.
#[must_use]
pub fn project_config(cwd: &Path) -> PathBuf {
    cwd.join(".zeug/config.toml")
}

/// The project's skills.
#[must_use]
pub fn project_skills(cwd: &Path) -> PathBuf {
    cwd.join(".zeug/skills")
}

/// The project's themes.
#[must_use]
pub fn project_themes(cwd: &Path) -> PathBuf {
    cwd.join(".zeug/themes")
}

/// The `AGENTS.md` files that exist: the user's, then from the file system root down to `cwd`.
///
/// # Order
/// The most particular comes last. A file that is met twice counts where it is met first.
#[must_use]
pub fn context_files(paths: &Paths, cwd: &Path) -> Vec<PathBuf> {
    let above = cwd.ancestors().map(|dir| dir.join("AGENTS.md"));
    let mut files: Vec<PathBuf> = above.collect();
    files.push(paths.agents_md());
    files.reverse();
    let mut found: Vec<PathBuf> = Vec::new();
    for file in files {
        if file.is_file() && !found.contains(&file) {
            found.push(file);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_goes_from_the_user_over_the_root_to_the_cwd() {
        let dir = tempfile::tempdir().unwrap();
        let (home, deep) = (dir.path().join("home"), dir.path().join("a/b"));
        for place in [&home, &deep] {
            std::fs::create_dir_all(place).unwrap();
        }
        let files = [
            home.join("AGENTS.md"),
            dir.path().join("AGENTS.md"),
            deep.join("AGENTS.md"),
        ];
        for file in &files {
            std::fs::write(file, "x").unwrap();
        }
        let found = context_files(&Paths::at(&home), &deep);
        let ours: Vec<_> = found.into_iter().filter(|f| files.contains(f)).collect();
        assert_eq!(ours, files);
        let found = context_files(&Paths::at(dir.path()), dir.path());
        assert_eq!(found.iter().filter(|f| **f == files[1]).count(), 1);
    }
}
