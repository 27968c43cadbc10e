//! The files of the repository: where they are and which ones people wrote.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Folders that hold nothing people wrote.
const SKIPPED: [&str; 3] = ["target", "node_modules", "__pycache__"];

/// The repository's directory.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// Reads a file, named from the root.
pub(crate) fn read(path: &str) -> Result<String> {
    fs::read_to_string(root().join(path)).with_context(|| format!("reading {path}"))
}

/// A text file that people wrote.
pub(crate) struct Source {
    /// Its path from the root, with `/`.
    pub(crate) path: String,
    /// What it says.
    pub(crate) text: String,
}

/// Every file with one of these endings, in the order of their paths.
pub(crate) fn sources(endings: &[&str]) -> Result<Vec<Source>> {
    let mut found = Vec::new();
    walk(&root(), "", endings, &mut found)?;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn walk(folder: &Path, prefix: &str, endings: &[&str], found: &mut Vec<Source>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
            walk(&entry.path(), &format!("{path}/"), endings, found)?;
        } else if kind.is_file() && endings.iter().any(|ending| name.ends_with(ending)) {
            let text =
                fs::read_to_string(entry.path()).with_context(|| format!("reading {path}"))?;
            found.push(Source { path, text });
        }
    }
    Ok(())
}
