//! Every `SKILL.md` below a directory, in a fixed order; does not open them.
//!
//! Links are followed: a checkout in one place may be linked into many. A directory that is
//! reached twice counts once, so links in a circle end.

use std::collections::{BTreeSet, VecDeque};
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

/// The file's name, to the letter.
pub(crate) const FILE: &str = "SKILL.md";

/// How deep below its root a skill may lie (two levels are usual).
const MAX_DEPTH: usize = 8;
/// The most directories below one root (a root named by mistake, such as `/`, has more).
const MAX_DIRECTORIES: usize = 2000;
/// The most entries of one directory.
const MAX_ENTRIES: usize = 10_000;

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The file.
    pub(crate) path: PathBuf,
    /// Its directory below the root; the root's own name for a file that lies in the root.
    pub(crate) below: PathBuf,
}

/// What one root gave.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// The files: in each directory its own first, then those of its directories by name. What
    /// only a link leads to comes after everything else.
    pub(crate) entries: Vec<Entry>,
    /// Places that could not be looked at.
    pub(crate) flaws: Vec<(PathBuf, String)>,
}

/// Looks below `root`, which may also be a `SKILL.md` itself.
///
/// # Errors
/// When there is no `root`, or it is something else.
pub(crate) fn list(root: &Path) -> io::Result<Listing> {
    let meta = root.metadata()?;
    let mut walk = Walk::default();
    if meta.is_dir() {
        walk.visit(root, PathBuf::new(), 0);
        while let Some(step) = walk.links.pop_front() {
            walk.visit(&step.dir, step.below, step.depth);
        }
        for entry in &mut walk.listing.entries {
            if entry.below.as_os_str().is_empty() {
                entry.below = own_name(root);
            }
        }
    } else if root.file_name().is_some_and(|name| name == FILE) {
        walk.listing.entries.push(Entry {
            path: root.to_owned(),
            below: root.parent().map(own_name).unwrap_or_default(),
        });
    } else {
        return Err(io::Error::other(format!(
            "neither a directory nor a {FILE}"
        )));
    }
    Ok(walk.listing)
}

/// The entries of a directory by name.
pub(crate) fn read_dir(dir: &Path) -> io::Result<Vec<DirEntry>> {
    let mut entries: Vec<DirEntry> = fs::read_dir(dir)?
        .take(MAX_ENTRIES)
        .collect::<io::Result<_>>()?;
    entries.sort_by_key(DirEntry::file_name);
    Ok(entries)
}

/// Whether a directory of this name may hold skills: not `.git`, not what package managers fill.
pub(crate) fn may_hold(name: &std::ffi::OsStr) -> bool {
    let name = name.to_string_lossy();
    !name.starts_with('.') && name != "node_modules"
}

/// The last part of a path.
pub(crate) fn own_name(dir: &Path) -> PathBuf {
    let real = dir.canonicalize();
    let dir = match dir.file_name() {
        Some(_) => dir,
        // `.` and `a/..` have no name of their own.
        None => real.as_deref().unwrap_or(dir),
    };
    dir.file_name().map(PathBuf::from).unwrap_or_default()
}

struct Step {
    dir: PathBuf,
    below: PathBuf,
    depth: usize,
}

#[derive(Default)]
struct Walk {
    listing: Listing,
    /// Where links lead is looked at last: a link must not give its name to what has one.
    links: VecDeque<Step>,
    seen: BTreeSet<PathBuf>,
}

impl Walk {
    fn visit(&mut self, dir: &Path, below: PathBuf, depth: usize) {
        // A link that leads nowhere is no directory.
        let Ok(real) = dir.canonicalize() else { return };
        if !self.seen.insert(real) {
            return;
        }
        if self.seen.len() > MAX_DIRECTORIES {
            if self.seen.len() == MAX_DIRECTORIES + 1 {
                let what = format!(
                    "stopped looking after {MAX_DIRECTORIES} directories; name one nearer to the skills"
                );
                self.listing.flaws.push((dir.to_owned(), what));
            }
            return;
        }
        let entries = match read_dir(dir) {
            Ok(entries) => entries,
            Err(why) => {
                let what = format!("cannot be looked at: {why}");
                return self.listing.flaws.push((dir.to_owned(), what));
            }
        };
        if entries.iter().any(|entry| entry.file_name() == FILE) {
            self.listing.entries.push(Entry {
                path: dir.join(FILE),
                below: below.clone(),
            });
        }
        if depth < MAX_DEPTH {
            self.descend(&entries, &below, depth + 1);
        }
    }

    fn descend(&mut self, entries: &[DirEntry], below: &Path, depth: usize) {
        for entry in entries.iter().filter(|entry| may_hold(&entry.file_name())) {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let (dir, below) = (entry.path(), below.join(entry.file_name()));
            if kind.is_dir() {
                self.visit(&dir, below, depth);
            } else if kind.is_symlink() && dir.is_dir() {
                self.links.push_back(Step { dir, below, depth });
            }
        }
    }
}
