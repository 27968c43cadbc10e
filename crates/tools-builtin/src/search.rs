//! What `grep` and `glob` share: walking a directory the way ripgrep does, and file name patterns.
//!
//! Does not know what is done with the files that are found.

use std::ops::ControlFlow;
use std::path::{Component, Path};

use globset::{GlobBuilder, GlobMatcher};
use ignore::{DirEntry, WalkBuilder};
use tokio_util::sync::CancellationToken;

use crate::blocking;
use crate::failure::Failure;
use crate::place::Place;

/// A file name pattern. Without a `/` it matches the name of an entry at any depth; with one, the
/// path from the directory that is searched.
#[derive(Debug)]
pub(crate) struct Names {
    glob: GlobMatcher,
    name_only: bool,
    names_hidden: bool,
}

impl Names {
    pub(crate) fn parse(pattern: &str) -> Result<Self, Failure> {
        let refuse = |why: &str| Failure::Pattern {
            pattern: pattern.to_owned(),
            why: why.to_owned(),
        };
        let below = pattern.strip_prefix("./").unwrap_or(pattern);
        if below.is_empty() {
            return Err(refuse("it is empty; `**/*` matches everything"));
        }
        let leaves = |part| matches!(part, Component::RootDir | Component::ParentDir);
        if below.starts_with('~') || Path::new(below).components().any(leaves) {
            return Err(refuse(
                "it leaves the directory that is searched; name that directory in path and write the pattern relative to it",
            ));
        }
        let glob = GlobBuilder::new(below)
            .literal_separator(true)
            .backslash_escape(true)
            .build()
            .map_err(|why| refuse(&why.kind().to_string()))?;
        Ok(Self {
            glob: glob.compile_matcher(),
            name_only: !pattern.contains('/'),
            names_hidden: below.split('/').any(|part| part.starts_with('.')),
        })
    }

    /// Whether the pattern asks for hidden entries by name.
    pub(crate) fn names_hidden(&self) -> bool {
        self.names_hidden
    }

    /// Whether a path, relative to the directory that is searched, matches.
    pub(crate) fn matches(&self, below: &Path) -> bool {
        if self.name_only {
            below
                .file_name()
                .is_some_and(|name| self.glob.is_match(name))
        } else {
            self.glob.is_match(below)
        }
    }
}

/// Visits what is at and below `place`, parents before children and siblings by name. Left out
/// are what `.gitignore` and `.ignore` files name, `.git`, and hidden entries unless `hidden`;
/// symbolic links are not followed. Says how many places could not be looked at.
///
/// # Errors
/// When `stop` is set, or what `visit` raises.
pub(crate) fn walk(
    place: &Place,
    hidden: bool,
    stop: &CancellationToken,
    mut visit: impl FnMut(&DirEntry) -> Result<ControlFlow<()>, Failure>,
) -> Result<u64, Failure> {
    let entries = WalkBuilder::new(&place.path)
        .hidden(!hidden)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != ".git" || entry.depth() == 0)
        .sort_by_file_path(Path::cmp)
        .build();
    let mut unreadable = 0;
    for entry in entries {
        blocking::go_on(stop)?;
        match entry {
            Ok(entry) => {
                if visit(&entry)?.is_break() {
                    break;
                }
            }
            Err(why) => {
                tracing::debug!(%why, "left out of a search");
                unreadable += 1;
            }
        }
    }
    Ok(unreadable)
}

/// A note on what could not be looked at.
pub(crate) fn unreadable(count: u64) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 place could not be read".to_owned()),
        more => Some(format!("{more} places could not be read")),
    }
}

/// A result and the notes below it.
pub(crate) fn with_notes(mut text: String, notes: impl IntoIterator<Item = String>) -> String {
    for note in notes {
        text.push_str("\n[");
        text.push_str(&note);
        text.push(']');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_without_a_slash_matches_names_at_any_depth() {
        let check = |pattern: &str, path: &str, expect: bool| {
            let names = Names::parse(pattern).unwrap();
            assert_eq!(names.matches(Path::new(path)), expect, "{pattern} {path}");
        };
        check("*.rs", "a.rs", true);
        check("*.rs", "src/b/a.rs", true);
        check("./*.rs", "a.rs", true);
        check("./*.rs", "src/a.rs", false);
        check("src/*.rs", "src/a.rs", true);
        check("src/*.rs", "src/b/a.rs", false);
        check("src/**/*.rs", "src/b/a.rs", true);
        check("**/*.{rs,toml}", "a/Cargo.toml", true);
        check("a\\*", "a*", true);
    }

    #[test]
    fn a_pattern_that_leaves_the_directory_is_refused() {
        for pattern in ["/etc/*", "../*", "src/../../*", "~/x", "", "./", "a[", "{a"] {
            let said = Names::parse(pattern).unwrap_err().to_string();
            assert!(said.starts_with("the pattern"), "{said}");
        }
    }
}
