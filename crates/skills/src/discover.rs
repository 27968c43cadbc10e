//! One look at all places, in the one order; says what is wrong and never fails.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use zeug_stdx::text;

use crate::file::{self, MAX_SKILL_BYTES, Unusable};
use crate::front_matter::{self, Document};
use crate::skill::Place;
use crate::tree::{self, Entry};
use crate::{Bundle, Effect, Problem, Roots, Skill, Skills, Source, Tree, built_in, bundle, name};

/// The most files that are read in one look.
const MAX_FILES: usize = 1024;
/// The most bytes of a sentence about a file, parts of which it may repeat.
const MAX_WHAT_BYTES: usize = 600;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// The skills, best first.
    pub skills: Skills,
    /// What should be said about other places and files, in the order in which they were met.
    pub problems: Vec<Problem>,
}

/// Looks at all places.
///
/// # Order
/// That of [`Roots`]; the first skill of a name keeps it. A file that several roots reach counts
/// where it is met first.
///
/// # Limits
/// 1024 files of at most 256 KiB; 2000 directories, 8 deep, below one root.
#[must_use]
pub fn discover(roots: &Roots) -> Found {
    let mut look = Look::default();
    for tree in &roots.trees {
        look.tree(tree);
    }
    let mut bundles: Vec<&Bundle> = roots.bundles.iter().collect();
    bundles.sort_by(|a, b| a.extension.cmp(&b.extension));
    for bundle in bundles {
        look.bundle(bundle);
    }
    if roots.built_in {
        look.built_in();
    }
    Found {
        skills: Skills::new(look.skills),
        problems: look.problems,
    }
}

/// On whose behalf a place is looked at.
struct Sight<'a> {
    source: &'a Source,
    /// What it must not leave.
    inside: Option<&'a Path>,
}

#[derive(Default)]
struct Look {
    skills: Vec<Skill>,
    /// Who holds a name.
    held: BTreeMap<String, usize>,
    files: BTreeSet<PathBuf>,
    problems: Vec<Problem>,
}

impl Look {
    fn tree(&mut self, tree: &Tree) {
        let sight = Sight {
            source: &tree.source,
            inside: None,
        };
        match tree::list(&tree.dir) {
            Ok(listing) => self.listing(listing, &sight),
            // Most of the usual places are not there.
            Err(why) if is_absent(&why) && tree.source != Source::Explicit => {}
            Err(why) => {
                let what = format!("cannot be looked at: {why}");
                self.problem(&sight, &tree.dir, None, what, Effect::Skipped);
            }
        }
    }

    fn bundle(&mut self, bundle: &Bundle) {
        let contents = bundle::list(bundle);
        let source = Source::Extension(bundle.extension.clone());
        let sight = Sight {
            source: &source,
            inside: Some(&contents.inside),
        };
        self.listing(contents.listing, &sight);
    }

    fn built_in(&mut self) {
        let sight = Sight {
            source: &Source::BuiltIn,
            inside: None,
        };
        for (dir, text) in built_in::ALL {
            let entry = Entry {
                path: Path::new("builtin").join(dir).join(tree::FILE),
                below: dir.into(),
            };
            self.text(&entry, text, Place::Memory(text), &sight);
        }
    }

    fn listing(&mut self, listing: tree::Listing, sight: &Sight<'_>) {
        for (path, what) in listing.flaws {
            self.problem(sight, &path, None, what, Effect::Skipped);
        }
        for entry in listing.entries {
            self.file(&entry, sight);
        }
    }

    fn file(&mut self, entry: &Entry, sight: &Sight<'_>) {
        let read = file::resolve(&entry.path, sight.inside).and_then(|real| {
            if self.files.contains(&real) || self.files.len() == MAX_FILES {
                return Ok(None);
            }
            self.files.insert(real.clone());
            file::read(&real, MAX_SKILL_BYTES).map(Some)
        });
        match read {
            Ok(Some(text)) => {
                let place = Place::File {
                    path: entry.path.clone(),
                    inside: sight.inside.map(Path::to_owned),
                };
                self.text(entry, &text, place, sight);
            }
            Ok(None) if self.files.len() == MAX_FILES => {
                let what = format!("left out: {MAX_FILES} files were read before it");
                self.problem(sight, &entry.path, None, what, Effect::Skipped);
            }
            Ok(None) => {}
            Err(why) => {
                let what = match why {
                    Unusable::TooBig(_) => format!("{why}; move parts into files beside it"),
                    why => why.to_string(),
                };
                self.problem(sight, &entry.path, None, what, Effect::Skipped);
            }
        }
    }

    fn text(&mut self, entry: &Entry, text: &str, place: Place, sight: &Sight<'_>) {
        let path = &entry.path;
        let document = match front_matter::parse(text) {
            Ok(document) => document,
            Err(flaw) => {
                let line = Some(flaw.line);
                return self.problem(sight, path, line, flaw.what, Effect::Skipped);
            }
        };
        for flaw in &document.flaws {
            let line = Some(flaw.line);
            self.problem(sight, path, line, flaw.what.clone(), Effect::Kept);
        }
        let Some(name) = self.name(&document, entry, sight) else {
            let what = "it has no name; give it one in the head".to_owned();
            return self.problem(sight, path, None, what, Effect::Skipped);
        };
        let Some(description) = self.description(&document, entry, sight) else {
            let what = "it has neither a description nor a text".to_owned();
            return self.problem(sight, path, None, what, Effect::Skipped);
        };
        let alias = name::slashed(&entry.below);
        let aliases = if name::key(&alias) == name::key(&name) {
            Vec::new()
        } else {
            vec![alias]
        };
        self.add(
            Skill {
                name,
                description,
                aliases,
                user_only: document.head.disable_model_invocation,
                allowed_tools: document.head.allowed_tools,
                source: sight.source.clone(),
                place,
            },
            path,
            sight,
        );
    }

    fn name(
        &mut self,
        document: &Document<'_>,
        entry: &Entry,
        sight: &Sight<'_>,
    ) -> Option<String> {
        let Some(given) = document.head.name.as_deref().map(str::trim) else {
            return name::of_path(&entry.below);
        };
        if name::is_valid(given) {
            return Some(given.to_owned());
        }
        let name = name::kebab(given).or_else(|| name::of_path(&entry.below))?;
        let what = format!(
            "the name {:?} cannot be typed; it is called {name}. Use letters, digits and - _ . : only, at most {} bytes",
            text::one_line(given, 100),
            name::MAX_NAME_BYTES
        );
        self.problem(sight, &entry.path, None, what, Effect::Kept);
        Some(name)
    }

    fn description(
        &mut self,
        document: &Document<'_>,
        entry: &Entry,
        sight: &Sight<'_>,
    ) -> Option<String> {
        let given = document.head.description.as_deref().map(on_one_line);
        if let Some(given) = given.filter(|text| !text.is_empty()) {
            return Some(given);
        }
        let first = first_paragraph(document.body)?;
        let what = "it has no description, by which a model decides; its first paragraph stands in";
        self.problem(sight, &entry.path, None, what.to_owned(), Effect::Kept);
        Some(first)
    }

    fn add(&mut self, skill: Skill, path: &Path, sight: &Sight<'_>) {
        let key = name::key(&skill.name);
        if let Some(winner) = self.held.get(&key).map(|at| &self.skills[*at]) {
            let place = match winner.path() {
                Some(path) => path.display().to_string(),
                None => "the built-in one".to_owned(),
            };
            let what = format!("{place} is called {} as well and wins", winner.name);
            return self.problem(sight, path, None, what, Effect::Shadowed);
        }
        self.held.insert(key, self.skills.len());
        self.skills.push(skill);
    }

    fn problem(
        &mut self,
        sight: &Sight<'_>,
        path: &Path,
        line: Option<usize>,
        what: String,
        effect: Effect,
    ) {
        self.problems.push(Problem {
            source: sight.source.clone(),
            path: path.to_owned(),
            line,
            what: text::one_line(&text::plain(&what), MAX_WHAT_BYTES),
            effect,
        });
    }
}

fn is_absent(why: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    matches!(why.kind(), NotFound | NotADirectory)
}

fn on_one_line(text: &str) -> String {
    let clean = text::plain(text);
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first running text, without headings.
fn first_paragraph(body: &str) -> Option<String> {
    let is_text = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let lines: Vec<&str> = body
        .lines()
        .skip_while(|line| !is_text(line))
        .take_while(is_text)
        .collect();
    let text = on_one_line(&lines.join(" "));
    (!text.is_empty()).then_some(text)
}
