//! One look at the extension directories, in the one order; starts nothing and asks nothing.
//!
//! A project extension that is not trusted has no effect at all: it neither starts nor hides a
//! global one of its name, so that opening a project cannot switch off the user's guard.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use zeug_ext_protocol::manifest::{self, Manifest};

use crate::directory::{base_name, key, list_directories, program, read_manifest, without_program};
use crate::{
    Candidate, DisabledBy, Found, LoadError, Lock, Places, Scope, Skipped, Standing, Trust,
    Warning, Why, requires,
};

/// What to do when an installed extension is not as it was installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Locked {
    /// Do not look.
    Ignore,
    /// Start it, with a warning.
    #[default]
    Warn,
    /// Do not start it.
    Refuse,
}

/// Where to look and what to leave out.
#[derive(Debug, Clone)]
pub struct Roots {
    /// The directories.
    pub places: Places,
    /// `--ext`, in the order of the arguments.
    pub explicit: Vec<PathBuf>,
    /// `--no-ext`: only [`explicit`](Self::explicit).
    pub no_ext: bool,
    /// Names that the settings switch off; manifest names or directory names.
    pub disabled: BTreeSet<String>,
    /// What a difference to the lock file means.
    pub locked: Locked,
    /// `PATH`, for `requires`.
    pub path: Option<OsString>,
    /// The version of zeug, for `requires`.
    pub version: String,
}

impl Roots {
    /// Everything that is in these places, with a warning for what differs from the lock file.
    #[must_use]
    pub fn new(places: Places, path: Option<OsString>, version: &str) -> Self {
        Self {
            places,
            explicit: Vec::new(),
            no_ext: false,
            disabled: BTreeSet::new(),
            locked: Locked::default(),
            path,
            version: version.to_owned(),
        }
    }
}

/// Looks at all places.
///
/// # Order
/// Explicit in argument order, then project, then global, the last two by directory name. Of two
/// with one name (compared without case) the earlier wins: a project's directory hides a global
/// directory of the same name, even when it is disabled or broken; otherwise the names of the
/// manifests count.
#[must_use]
pub fn discover(roots: &Roots, trust: &Trust) -> Found {
    let mut look = Look {
        roots,
        trust,
        lock: None,
        found: Found::default(),
        claimed: BTreeMap::new(),
    };
    for path in &roots.explicit {
        look.explicit(path);
    }
    if !roots.no_ext {
        look.read_lock();
        look.installed();
    }
    look.found
}

struct Look<'a> {
    roots: &'a Roots,
    trust: &'a Trust,
    lock: Option<Lock>,
    found: Found,
    /// Manifest names that are taken, and by which directory.
    claimed: BTreeMap<String, PathBuf>,
}

/// Whether a directory takes part, and so hides others of its directory name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Takes,
    TakesNone,
}

impl Look<'_> {
    fn explicit(&mut self, path: &Path) {
        let path = match path.file_name() {
            Some(name) if name == manifest::FILE => path.parent().unwrap_or(Path::new(".")),
            _ => path,
        };
        // `extension.json` alone has the empty path as its parent.
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        match path.canonicalize() {
            Ok(dir) if dir.is_dir() => {
                self.directory(&base_name(&dir), &dir, Scope::Explicit);
            }
            Ok(dir) => self.error(
                &dir,
                format!(
                    "not a directory; give the one that holds {}",
                    manifest::FILE
                ),
            ),
            Err(cause) => self.error(
                path,
                format!("{cause}; give the directory that holds {}", manifest::FILE),
            ),
        }
    }

    fn installed(&mut self) {
        let mut project = Vec::new();
        for (rank, root) in self.roots.places.project.iter().enumerate() {
            let dirs = self.list(root).into_iter();
            project.extend(dirs.map(|(name, dir)| (name, rank, dir)));
        }
        project.sort();
        let mut hidden: BTreeMap<String, PathBuf> = BTreeMap::new();
        for (name, _, dir) in project {
            if let Some(by) = hidden.get(&key(&name)) {
                self.shadowed(&name, &dir, Scope::Project, by);
            } else if self.directory(&name, &dir, Scope::Project) == Part::Takes {
                hidden.insert(key(&name), dir);
            }
        }
        for (name, dir) in self.list(&self.roots.places.global) {
            match hidden.get(&key(&name)) {
                Some(by) => self.shadowed(&name, &dir, Scope::Global, by),
                None => drop(self.directory(&name, &dir, Scope::Global)),
            }
        }
    }

    /// The directories in `root` that may hold extensions, by name, without symbolic links.
    fn list(&mut self, root: &Path) -> Vec<(String, PathBuf)> {
        let listed = list_directories(root).unwrap_or_else(|e| {
            self.error(root, e.to_string());
            Vec::new()
        });
        let canonical = |(name, dir): (String, PathBuf)| {
            let dir = dir.canonicalize().unwrap_or(dir);
            (name, dir)
        };
        listed.into_iter().map(canonical).collect()
    }

    fn directory(&mut self, entry: &str, dir: &Path, scope: Scope) -> Part {
        let manifest = match read_manifest(dir) {
            Ok(manifest) => manifest,
            Err(message) => {
                self.error(dir, message);
                return self.part_of_silent(dir, scope);
            }
        };
        if let Some(by) = self.disabled(entry, &manifest) {
            self.skip(&manifest.name, dir, scope, Why::Disabled { by });
            return self.part_of_silent(dir, scope);
        }
        if scope == Scope::Project {
            let change = match self.trust.check(dir) {
                Ok(Standing::Trusted) => None,
                Ok(Standing::Unknown) => Some(None),
                Ok(Standing::Changed(change)) => Some(Some(change)),
                Err(e) => {
                    self.error(dir, e.to_string());
                    return Part::TakesNone;
                }
            };
            if let Some(change) = change {
                self.skip(&manifest.name, dir, scope, Why::Untrusted { change });
                return Part::TakesNone;
            }
        }
        self.enabled(entry, dir, scope, manifest);
        Part::Takes
    }

    /// A broken or disabled directory of a project hides others only when the user trusted it.
    fn part_of_silent(&self, dir: &Path, scope: Scope) -> Part {
        let trusted = matches!(self.trust.check(dir), Ok(Standing::Trusted));
        if scope != Scope::Project || trusted {
            Part::Takes
        } else {
            Part::TakesNone
        }
    }

    fn enabled(&mut self, entry: &str, dir: &Path, scope: Scope, manifest: Manifest) {
        let name = manifest.name.clone();
        if let Some(by) = self.claimed.get(&key(&name)).cloned() {
            return self.skip(&name, dir, scope, Why::Shadowed { by });
        }
        match self.candidate(entry, dir, scope, manifest) {
            Ok(Some(candidate)) => {
                self.claimed.insert(key(&name), dir.to_owned());
                self.found.loadable.push(candidate);
            }
            Ok(None) => {
                self.claimed.insert(key(&name), dir.to_owned());
                self.skip(&name, dir, scope, Why::ThemeOnly);
            }
            Err(message) => self.error(dir, message),
        }
    }

    fn disabled(&self, entry: &str, manifest: &Manifest) -> Option<DisabledBy> {
        if !manifest.is_enabled() {
            return Some(DisabledBy::Manifest);
        }
        let names = &self.roots.disabled;
        let named = names.contains(&manifest.name) || names.contains(entry);
        named.then_some(DisabledBy::Settings)
    }

    /// `None` for an extension that brings only a theme.
    fn candidate(
        &mut self,
        entry: &str,
        dir: &Path,
        scope: Scope,
        manifest: Manifest,
    ) -> Result<Option<Candidate>, String> {
        if manifest.exec.is_empty() {
            return without_program(dir, &manifest).map(|()| None);
        }
        if let Some(requires) = &manifest.requires {
            let path = self.roots.path.as_deref();
            let missing = requires::missing(requires, dir, path, &self.roots.version);
            if let Some(message) = missing {
                return Err(message);
            }
        }
        if scope == Scope::Global {
            self.compare_with_lock(entry, dir, &manifest.name)?;
        }
        let data_dir = match scope {
            Scope::Project => self.roots.places.project_data(&manifest.name, dir),
            Scope::Explicit | Scope::Global => dir.to_owned(),
        };
        Ok(Some(Candidate {
            program: program(dir, &manifest.exec),
            args: manifest.args.clone(),
            dir: dir.to_owned(),
            data_dir,
            scope,
            manifest,
        }))
    }

    fn read_lock(&mut self) {
        if self.roots.locked == Locked::Ignore {
            return;
        }
        match Lock::load(&self.roots.places.lock) {
            Ok(lock) => self.lock = Some(lock),
            Err(e) => self.error(&self.roots.places.lock, e.to_string()),
        }
    }

    fn compare_with_lock(&mut self, entry: &str, dir: &Path, name: &str) -> Result<(), String> {
        let Some(lock) = &self.lock else {
            return match self.roots.locked {
                Locked::Refuse => Err("extensions.lock cannot be read, and config.toml says \
                     locked = \"refuse\""
                    .to_owned()),
                Locked::Ignore | Locked::Warn => Ok(()),
            };
        };
        let message = match lock.verify(entry, dir) {
            Ok(None) => return Ok(()),
            Ok(Some(change)) => format!(
                "not as it was installed ({change}); if that was not you, remove it and install it again"
            ),
            Err(e) => e.to_string(),
        };
        if self.roots.locked == Locked::Refuse {
            return Err(message);
        }
        self.found.warnings.push(Warning {
            name: name.to_owned(),
            dir: dir.to_owned(),
            message,
        });
        Ok(())
    }

    fn shadowed(&mut self, entry: &str, dir: &Path, scope: Scope, by: &Path) {
        let name = read_manifest(dir).map_or_else(|_| entry.to_owned(), |m| m.name);
        let by = by.to_owned();
        self.skip(&name, dir, scope, Why::Shadowed { by });
    }

    fn skip(&mut self, name: &str, dir: &Path, scope: Scope, why: Why) {
        self.found.skipped.push(Skipped {
            name: name.to_owned(),
            dir: dir.to_owned(),
            scope,
            why,
        });
    }

    fn error(&mut self, dir: &Path, message: impl Into<String>) {
        self.found.errors.push(LoadError {
            dir: dir.to_owned(),
            message: message.into(),
        });
    }
}
