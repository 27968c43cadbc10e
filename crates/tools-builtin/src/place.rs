//! From the path a model wrote to a place on disk, and to a better path when nothing is there.
//!
//! Does not know what the tools do with a place; a check of what is allowed would go here.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zeug_stdx::{suggest, text};
use zeug_tool::Context;

use crate::failure::Failure;

/// The most entries of a directory that are compared with a name that does not exist.
const COMPARED_ENTRIES: usize = 2000;
/// The most bytes of a path that are repeated in a message.
const SHOWN_BYTES: usize = 300;

/// Where paths start.
#[derive(Debug, Clone, Default)]
pub(crate) struct Roots {
    home: Option<Arc<Path>>,
}

/// A path as it was written and as the system knows it.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// For messages.
    pub(crate) shown: String,
    /// Absolute; symbolic links are not resolved.
    pub(crate) path: PathBuf,
    /// The directory that relative paths start from.
    cwd: Arc<PathBuf>,
}

impl Roots {
    pub(crate) fn new(home: Option<PathBuf>) -> Self {
        Self {
            home: home.map(Arc::from),
        }
    }

    /// The place that `written` names.
    pub(crate) fn place(&self, cx: &Context, written: &str) -> Result<Place, Failure> {
        if written.is_empty() {
            return Err(Failure::EmptyPath);
        }
        let shown = text::one_line(written, SHOWN_BYTES);
        let path = match written.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                let Some(home) = &self.home else {
                    return Err(Failure::NoHome(shown));
                };
                home.join(rest.trim_start_matches('/'))
            }
            _ => cx.cwd.join(written),
        };
        Ok(Place {
            shown,
            path,
            cwd: Arc::clone(&cx.cwd),
        })
    }

    /// The place that `written` names, or the project directory.
    pub(crate) fn place_or_cwd(
        &self,
        cx: &Context,
        written: Option<&str>,
    ) -> Result<Place, Failure> {
        self.place(cx, written.unwrap_or("."))
    }
}

impl Place {
    /// How a path is written so that the tools find it again: relative to the project directory
    /// when it is below it.
    pub(crate) fn write_down(&self, path: &Path) -> String {
        relative(&self.cwd, path)
    }

    /// The failure that fits to an error of the system.
    pub(crate) fn failure(&self, doing: &'static str, why: io::Error) -> Failure {
        match why.kind() {
            io::ErrorKind::NotFound => self.missing(),
            io::ErrorKind::PermissionDenied => Failure::Denied {
                doing,
                shown: self.shown.clone(),
                facts: facts(&self.path),
            },
            _ => Failure::Io {
                doing,
                shown: self.shown.clone(),
                why,
            },
        }
    }

    /// Nothing is here: says so and names the nearest path that exists.
    pub(crate) fn missing(&self) -> Failure {
        Failure::Missing {
            shown: self.shown.clone(),
            near: nearest(&self.path).map(|near| self.write_down(&near)),
        }
    }
}

fn relative(cwd: &Path, path: &Path) -> String {
    let below = path.strip_prefix(cwd).unwrap_or(path);
    if below.as_os_str().is_empty() {
        ".".to_owned()
    } else {
        below.to_string_lossy().into_owned()
    }
}

/// Replaces the first component of `path` that does not exist by its nearest sibling.
fn nearest(path: &Path) -> Option<PathBuf> {
    let mut missing = path;
    let mut parent = path.parent()?;
    while !parent.is_dir() {
        missing = parent;
        parent = parent.parent()?;
    }
    let word = missing.file_name()?.to_string_lossy();
    let names: Vec<String> = fs::read_dir(parent)
        .ok()?
        .take(COMPARED_ENTRIES)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let name = suggest::nearest(&word, names.iter().map(String::as_str))?;
    let sibling = parent.join(name);
    let rest = path.strip_prefix(missing).ok()?;
    let whole = sibling.join(rest);
    Some(if !rest.as_os_str().is_empty() && whole.exists() {
        whole
    } else {
        sibling
    })
}

#[cfg(unix)]
fn facts(path: &Path) -> String {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).map_or_else(
        |_| String::new(),
        |meta| format!(" (mode {:03o}, owner {})", meta.mode() & 0o7777, meta.uid()),
    )
}

#[cfg(not(unix))]
fn facts(_: &Path) -> String {
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(dir: &Path, shown: &str) -> Place {
        Place {
            shown: shown.to_owned(),
            path: dir.join(shown),
            cwd: Arc::new(dir.to_owned()),
        }
    }

    #[test]
    fn a_misspelt_path_gets_the_nearest_one() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("src")).unwrap();
        fs::write(dir.path().join("src/main.rs"), "").unwrap();
        let check = |shown: &str, expect: &str| {
            assert_eq!(place(dir.path(), shown).missing().to_string(), expect);
        };
        check(
            "src/mian.rs",
            "no such file: src/mian.rs (did you mean src/main.rs?)",
        );
        check(
            "scr/main.rs",
            "no such file: scr/main.rs (did you mean src/main.rs?)",
        );
        check("scr/x.rs", "no such file: scr/x.rs (did you mean src?)");
        check("src/weather.json", "no such file: src/weather.json");
    }

    #[test]
    fn a_refused_permission_names_place_and_next_step() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let check = |expect: &str| {
            let why = io::Error::from(io::ErrorKind::PermissionDenied);
            let said = place(dir.path(), "a.txt").failure("write", why).to_string();
            assert!(said.starts_with(expect), "{said}");
        };
        check("cannot write a.txt: permission denied; choose another place or ask the user");
        fs::write(dir.path().join("a.txt"), "").unwrap();
        let mode = fs::Permissions::from_mode(0o440);
        fs::set_permissions(dir.path().join("a.txt"), mode).unwrap();
        check("cannot write a.txt: permission denied (mode 440, owner ");
    }

    #[test]
    fn paths_below_the_project_are_written_relative() {
        let check = |path: &str, expect: &str| {
            assert_eq!(relative(Path::new("/project"), Path::new(path)), expect);
        };
        check("/project/./src/a.rs", "src/a.rs");
        check("/project", ".");
        check("/other/a.rs", "/other/a.rs");
    }
}
