//! Which themes there are: files of the user, of the project, and of extensions.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{BadTheme, Checked, Flaw, MAX_THEME_BYTES, parse};
use crate::Source;
use crate::file;

/// Names that a face has itself, or that mean "the usual".
const RESERVED: [&str; 5] = ["auto", "dark", "light", "default", "system"];
/// Where an extension may have its theme; the first that exists is it.
const IN_EXTENSION: [&str; 2] = ["theme.json", "themes/theme.json"];
/// The most themes of one directory.
const MAX_THEMES: usize = 256;

/// Where to look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThemePlaces {
    /// Directories with `*.json`, best first: the user's before the project's, because a project
    /// must not repaint under a name that the user chose.
    pub dirs: Vec<(Source, PathBuf)>,
    /// Extensions as (manifest's name, directory), whether they have a program or not.
    pub extensions: Vec<(String, PathBuf)>,
}

/// A theme in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// By which the settings name it: the file's name without `.json`, or `extension/NAME`.
    pub id: String,
    /// Its file.
    pub path: PathBuf,
    /// Who brought it.
    pub source: Source,
    /// The theme.
    pub checked: Checked,
}

impl Listed {
    /// What a list calls it.
    #[must_use]
    pub fn label(&self) -> &str {
        self.checked.theme.name.as_deref().unwrap_or(&self.id)
    }
}

/// A theme that is not there, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Who brought it.
    pub source: Source,
    /// The file or directory.
    pub path: PathBuf,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "theme: {}: {}", self.path.display(), self.what)
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Usable themes, best first; each id once.
    pub themes: Vec<Listed>,
    /// The others.
    pub problems: Vec<Problem>,
}

impl Found {
    /// The theme that the settings name.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Listed> {
        self.themes.iter().find(|theme| theme.id == id)
    }
}

/// Reads and checks one file, for a face that looks again after an edit.
///
/// # Errors
/// Why it cannot be used; a face then keeps the theme that it has.
pub fn load(path: &Path) -> Result<Checked, BadTheme> {
    load_inside(path, None)
}

fn load_inside(path: &Path, inside: Option<&Path>) -> Result<Checked, BadTheme> {
    let text = file::resolve(path, inside)
        .and_then(|real| file::read(&real, MAX_THEME_BYTES))
        .map_err(|why| {
            BadTheme(vec![Flaw {
                at: "/".to_owned(),
                what: why.to_string(),
            }])
        })?;
    parse(&text)
}

/// Looks at all places.
///
/// # Order
/// The directories as given, each by file name, then the extensions by name.
///
/// # Limits
/// 256 files of a directory, 1 MiB each.
#[must_use]
pub fn find(places: &ThemePlaces) -> Found {
    let mut found = Found::default();
    for (source, dir) in &places.dirs {
        match list(dir) {
            Ok(files) => {
                for path in files {
                    found.file(&path, source);
                }
            }
            Err(why) if why.kind() == io::ErrorKind::NotFound => {}
            Err(why) => found.problem(source, dir, format!("cannot be looked at: {why}")),
        }
    }
    let mut extensions: Vec<_> = places.extensions.iter().collect();
    extensions.sort();
    for (name, dir) in extensions {
        found.extension(name, dir);
    }
    found
}

fn list(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let is_json = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        if is_json && !path.is_dir() {
            files.push(path);
        }
    }
    files.sort();
    files.truncate(MAX_THEMES);
    Ok(files)
}

impl Found {
    fn file(&mut self, path: &Path, source: &Source) {
        let id = path.file_stem().unwrap_or_default().to_string_lossy();
        if RESERVED.contains(&id.to_lowercase().as_str()) {
            let what = format!("{id} is a name of zeug's own; give the file another");
            return self.problem(source, path, what);
        }
        if let Some(other) = self.get(&id) {
            let what = format!("{} has the same name and wins", other.path.display());
            return self.problem(source, path, what);
        }
        self.add(id.into_owned(), path, source, load(path));
    }

    fn extension(&mut self, name: &str, dir: &Path) {
        let there = |path: &PathBuf| path.symlink_metadata().is_ok();
        let Some(path) = IN_EXTENSION.iter().map(|file| dir.join(file)).find(there) else {
            return;
        };
        let source = Source::Extension(name.to_owned());
        match dir.canonicalize() {
            Ok(inside) => {
                let loaded = load_inside(&path, Some(&inside));
                self.add(format!("extension/{name}"), &path, &source, loaded);
            }
            Err(why) => self.problem(&source, dir, why.to_string()),
        }
    }

    fn add(&mut self, id: String, path: &Path, source: &Source, loaded: Result<Checked, BadTheme>) {
        match loaded {
            Ok(checked) => self.themes.push(Listed {
                id,
                path: path.to_owned(),
                source: source.clone(),
                checked,
            }),
            Err(why) => self.problem(source, path, why.to_string()),
        }
    }

    fn problem(&mut self, source: &Source, path: &Path, what: String) {
        self.problems.push(Problem {
            source: source.clone(),
            path: path.to_owned(),
            what,
        });
    }
}
