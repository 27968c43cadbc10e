//! What the `skills` key of an extension's manifest names, inside of the extension's directory.
//!
//! An entry is a directory with a `SKILL.md`, or one whose directories have one each; nothing
//! deeper. Every place is looked at where it really is, so that no link leads out.

use std::path::{Component, Path, PathBuf};

use thiserror::Error;

use crate::Bundle;
use crate::file::{self, Unusable};
use crate::tree::{Entry, FILE, Listing, own_name, read_dir};

/// Why an entry of the manifest is refused.
#[derive(Debug, Error)]
enum BadEntry {
    #[error("it is empty; name a directory of the extension")]
    Empty,
    #[error("it is absolute; name a directory of the extension")]
    Absolute,
    #[error("it is the extension's directory itself; put the skills into one of its own")]
    Itself,
    #[error("it leads out of the extension's directory")]
    Escapes,
    #[error("it is no directory")]
    NoDirectory,
    #[error("there is no {FILE} in it and none in its directories")]
    Nothing,
    #[error(transparent)]
    Unusable(#[from] Unusable),
}

/// What a bundle gave.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    pub(crate) listing: Listing,
    /// The extension's directory without links; nothing was listed when there is none.
    pub(crate) inside: PathBuf,
}

/// Looks at every entry.
pub(crate) fn list(bundle: &Bundle) -> Contents {
    let mut contents = Contents::default();
    if bundle.entries.is_empty() {
        return contents;
    }
    match file::resolve(&bundle.dir, None) {
        Ok(real) => contents.inside = real,
        Err(why) => {
            contents
                .listing
                .flaws
                .push((bundle.dir.clone(), why.to_string()));
            return contents;
        }
    }
    for entry in &bundle.entries {
        match entries(bundle, entry, &contents.inside) {
            Ok(found) => contents.listing.entries.extend(found),
            Err(why) => {
                let what = format!("the entry {entry:?} of \"skills\" is refused: {why}");
                contents.listing.flaws.push((bundle.dir.clone(), what));
            }
        }
    }
    contents
}

fn entries(bundle: &Bundle, entry: &str, inside: &Path) -> Result<Vec<Entry>, BadEntry> {
    let below = below(entry)?;
    let dir = bundle.dir.join(&below);
    let real = match file::resolve(&dir, Some(inside)) {
        Err(Unusable::Escapes(_)) => return Err(BadEntry::Escapes),
        other => other?,
    };
    if real == inside {
        return Err(BadEntry::Itself);
    }
    if !real.is_dir() {
        return Err(BadEntry::NoDirectory);
    }
    let listed = read_dir(&real).map_err(Unusable::from)?;
    let with_file = |dir: PathBuf, below: PathBuf| Entry {
        path: dir.join(FILE),
        below,
    };
    // Also when it is broken: then it is the one skill, and what is wrong with it is said.
    if listed.iter().any(|found| found.file_name() == FILE) {
        return Ok(vec![with_file(dir, own_name(&below))]);
    }
    let found: Vec<Entry> = listed
        .iter()
        .map(|found| PathBuf::from(found.file_name()))
        .filter(|name| !name.to_string_lossy().starts_with('.'))
        .filter(|name| real.join(name).join(FILE).symlink_metadata().is_ok())
        .map(|name| with_file(dir.join(&name), name))
        .collect();
    if found.is_empty() {
        return Err(BadEntry::Nothing);
    }
    Ok(found)
}

/// An entry as a path without `.` and `..`.
fn below(entry: &str) -> Result<PathBuf, BadEntry> {
    if entry.trim().is_empty() {
        return Err(BadEntry::Empty);
    }
    let mut below = PathBuf::new();
    for part in Path::new(entry).components() {
        match part {
            Component::Prefix(_) | Component::RootDir => return Err(BadEntry::Absolute),
            Component::CurDir => {}
            Component::ParentDir => {
                if !below.pop() {
                    return Err(BadEntry::Escapes);
                }
            }
            Component::Normal(part) => below.push(part),
        }
    }
    if below.as_os_str().is_empty() {
        return Err(BadEntry::Itself);
    }
    Ok(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_below_the_extension() {
        let check = |entry: &str, expect: &str| {
            let said = match below(entry) {
                Ok(path) => path.display().to_string(),
                Err(why) => format!("refused: {why:?}"),
            };
            assert_eq!(said, expect, "{entry:?}");
        };
        check("skills", "skills");
        check("./a/b/", "a/b");
        check("a/../b", "b");
        check("", "refused: Empty");
        check("  ", "refused: Empty");
        check("/etc", "refused: Absolute");
        check(".", "refused: Itself");
        check("a/..", "refused: Itself");
        check("..", "refused: Escapes");
        check("a/../../b", "refused: Escapes");
    }
}
