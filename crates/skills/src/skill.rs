//! One skill and all skills of a run; does not know where they were looked for.
//!
//! The text of a skill is read when it is wanted, so that an edit counts at once and a hundred
//! skills cost no memory.

use std::fmt;
use std::path::{Path, PathBuf};

use zeug_stdx::{suggest, text};

use crate::SkillError;
use crate::file::{self, MAX_SKILL_BYTES};
use crate::front_matter;
use crate::name::key;

/// Who brought a skill, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A directory that the settings name.
    Explicit,
    /// The project.
    Project,
    /// The user.
    User,
    /// The extension of this name.
    Extension(String),
    /// zeug itself.
    BuiltIn,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Explicit => f.write_str("settings"),
            Self::Project => f.write_str("project"),
            Self::User => f.write_str("user"),
            Self::Extension(name) => write!(f, "extension {name}"),
            Self::BuiltIn => f.write_str("built in"),
        }
    }
}

/// Where the text of a skill is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Memory(&'static str),
    File {
        /// As it was found.
        path: PathBuf,
        /// What it must not leave.
        inside: Option<PathBuf>,
    },
}

/// A skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Its name: one word, unique without regard to case.
    pub name: String,
    /// What it is for, on one line.
    pub description: String,
    /// Other names under which it can be asked for: its path below its root, such as
    /// `git/commit`.
    pub aliases: Vec<String>,
    /// Whether only the user may start it.
    pub user_only: bool,
    /// The tools it is meant to use. For reading; nothing enforces it.
    pub allowed_tools: Vec<String>,
    /// Who brought it.
    pub source: Source,
    pub(crate) place: Place,
}

impl Skill {
    /// Its `SKILL.md`; none when it is built in.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::Memory(_) => None,
            Place::File { path, .. } => Some(path),
        }
    }

    /// The instructions, read now.
    ///
    /// # Errors
    /// When the file is not what it was: gone, unreadable, or outside of its extension.
    pub fn body(&self) -> Result<String, SkillError> {
        let (path, inside) = match &self.place {
            Place::Memory(text) => return Ok(front_matter::body(text).unwrap_or(text).to_owned()),
            Place::File { path, inside } => (path, inside.as_deref()),
        };
        let unreadable = |why: String| SkillError::Unreadable {
            name: self.name.clone(),
            path: path.clone(),
            why,
        };
        let text = file::resolve(path, inside)
            .and_then(|real| file::read(&real, MAX_SKILL_BYTES))
            .map_err(|why| unreadable(why.to_string()))?;
        front_matter::body(&text)
            .map(str::to_owned)
            .map_err(|flaw| unreadable(flaw.what))
    }

    /// The instructions as a model reads them: name, description, `---`, body, and on the last
    /// line what its author said beside it.
    ///
    /// # Errors
    /// As [`body`](Self::body).
    pub fn render(&self) -> Result<String, SkillError> {
        let mut text = format!(
            "# Skill: {}\n\n{}\n\n---\n\n{}",
            self.name,
            self.description,
            self.body()?
        );
        let mut notes = Vec::new();
        if let Some(dir) = self.path().and_then(Path::parent) {
            notes.push(format!("files it names are relative to {}", dir.display()));
        }
        if !self.allowed_tools.is_empty() {
            notes.push(format!(
                "tools it is meant to use: {}",
                self.allowed_tools.join(", ")
            ));
        }
        if !notes.is_empty() {
            text.push_str(&format!(
                "\n\n[{}]",
                text::one_line(&notes.join("; "), 4096)
            ));
        }
        Ok(text)
    }
}

/// The skills of a run, each name once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Skills(Vec<Skill>);

/// The most names that a message lists.
const LISTED_NAMES: usize = 20;
/// The most bytes of an unknown name that a message repeats.
const REPEATED_BYTES: usize = 100;

impl Skills {
    pub(crate) fn new(skills: Vec<Skill>) -> Self {
        Self(skills)
    }

    /// All, best first.
    pub fn iter(&self) -> std::slice::Iter<'_, Skill> {
        self.0.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The skill of this name, else the one with this alias; case does not matter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Skill> {
        let wanted = key(name);
        let by_name = self.iter().find(|skill| key(&skill.name) == wanted);
        by_name.or_else(|| {
            let is_alias = |alias: &String| key(alias) == wanted;
            self.iter().find(|skill| skill.aliases.iter().any(is_alias))
        })
    }

    /// As [`get`](Self::get), with a sentence when there is none. `for_model` leaves out those
    /// that only the user may start.
    ///
    /// # Errors
    /// When there is none, or when it is not for the model.
    pub fn want(&self, name: &str, for_model: bool) -> Result<&Skill, SkillError> {
        let name = name.trim();
        if name.is_empty() {
            let known = self.known(for_model);
            return Err(SkillError::NoName { known });
        }
        match self.get(name) {
            Some(skill) if for_model && skill.user_only => Err(SkillError::ForUserOnly {
                name: skill.name.clone(),
            }),
            Some(skill) => Ok(skill),
            None => Err(SkillError::Unknown {
                name: text::one_line(name, REPEATED_BYTES),
                near: self.nearest(name, for_model),
                known: self.known(for_model),
            }),
        }
    }

    fn offered(&self, for_model: bool) -> impl Iterator<Item = &Skill> {
        self.iter()
            .filter(move |skill| !(for_model && skill.user_only))
    }

    fn nearest(&self, name: &str, for_model: bool) -> Option<String> {
        // Comparing takes time that grows with the length, and what is longer is no name.
        let name = text::prefix(name, REPEATED_BYTES);
        let names = || self.offered(for_model).map(|skill| skill.name.as_str());
        let inside = |candidate: &&str| key(candidate).contains(&key(name));
        let near = suggest::nearest(name, names()).or_else(|| names().find(inside));
        near.map(str::to_owned)
    }

    fn known(&self, for_model: bool) -> String {
        let mut names: Vec<&str> = self
            .offered(for_model)
            .map(|skill| skill.name.as_str())
            .collect();
        names.sort_unstable();
        let more = names.len().saturating_sub(LISTED_NAMES);
        names.truncate(LISTED_NAMES);
        match (names.is_empty(), more) {
            (true, _) => "there are none".to_owned(),
            (false, 0) => format!("there are {}", names.join(", ")),
            (false, more) => format!("there are {} and {more} more", names.join(", ")),
        }
    }
}

impl<'a> IntoIterator for &'a Skills {
    type Item = &'a Skill;
    type IntoIter = std::slice::Iter<'a, Skill>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
