//! Tells when extensions change on disk: one, or which there are.
//!
//! Does not look at what they contain, and starts nothing. What an extension writes itself, and
//! what its tools leave behind, is no change of it ([`rules`]).

mod debounce;
mod rules;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc;

use debounce::Debounce;
use rules::Rules;

/// File system events that wait to be looked at; more count as a change of everything.
const EVENTS: usize = 1024;

/// What changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changed {
    /// Which extensions there are.
    All,
    /// The extension of this name.
    One(String),
}

/// An extension that is watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// Its name.
    pub name: String,
    /// Its directory, without symbolic links.
    pub dir: PathBuf,
    /// Its program; counts wherever it lies in the directory.
    pub program: PathBuf,
    /// Whether it keeps its state in its directory.
    pub keeps_state: bool,
}

/// Watches directories of extensions. Nothing of it is left when it is dropped.
#[derive(Debug)]
pub struct Watcher {
    system: RecommendedWatcher,
    events: mpsc::Receiver<notify::Result<Event>>,
    /// The directories in which extensions lie.
    roots: Vec<PathBuf>,
    watching: BTreeSet<PathBuf>,
    rules: Vec<Rules>,
    debounce: Debounce,
}

impl Watcher {
    /// Begins, with nothing but the directories in which extensions lie.
    ///
    /// # Errors
    /// When the operating system offers no way.
    pub fn start(roots: Vec<PathBuf>) -> io::Result<Self> {
        let (sender, events) = mpsc::channel(EVENTS);
        let system = notify::recommended_watcher(move |event| {
            // Full: what is in there counts as a change of everything, for `next` sees it is full.
            drop(sender.try_send(event));
        })
        .map_err(io::Error::other)?;
        Ok(Self {
            system,
            events,
            roots,
            watching: BTreeSet::new(),
            rules: Vec::new(),
            debounce: Debounce::default(),
        })
    }

    /// Watches these extensions from now on, and what is new among the directories. Blocks on the
    /// disk. What could not be watched is given back, with why.
    pub fn watch(&mut self, extensions: Vec<Watched>) -> Vec<(PathBuf, String)> {
        let mut wanted = BTreeSet::new();
        let mut refused = Vec::new();
        for dir in extensions.iter().map(|extension| &extension.dir) {
            self.add(dir, RecursiveMode::Recursive, &mut wanted, &mut refused);
        }
        for root in self.roots.clone() {
            // Until it is there, whatever it would be made in.
            let there = root.ancestors().find(|dir| dir.is_dir());
            if let Some(dir) = there.filter(|dir| dir.parent().is_some()) {
                self.add(dir, RecursiveMode::NonRecursive, &mut wanted, &mut refused);
            }
        }
        for gone in self.watching.difference(&wanted) {
            // A directory that is gone is not watched any more anyway.
            drop(self.system.unwatch(gone));
        }
        self.watching = wanted;
        self.rules = extensions.into_iter().map(Rules::new).collect();
        refused
    }

    fn add(
        &mut self,
        dir: &Path,
        mode: RecursiveMode,
        wanted: &mut BTreeSet<PathBuf>,
        refused: &mut Vec<(PathBuf, String)>,
    ) {
        // Watched anew each time: a directory may have been exchanged for another of its name.
        match self.system.watch(dir, mode) {
            Ok(()) => drop(wanted.insert(dir.to_owned())),
            Err(error) => refused.push((dir.to_owned(), error.to_string())),
        }
    }

    /// Waits for changes: the next ones that were followed by 100 ms of quiet, each once.
    ///
    /// # Cancel safety
    /// Nothing is lost.
    pub async fn next(&mut self) -> BTreeSet<Changed> {
        loop {
            let due = self.debounce.next();
            let quiet = async {
                match due {
                    Some(due) => tokio::time::sleep_until(due.into()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                event = self.events.recv() => match event {
                    Some(event) => self.event(event),
                    // The watcher holds the other end as long as it lives.
                    None => std::future::pending().await,
                },
                () = quiet => {
                    let changed = self.debounce.take(Instant::now());
                    if !changed.is_empty() {
                        return changed;
                    }
                }
            }
        }
    }

    fn event(&mut self, event: notify::Result<Event>) {
        let now = Instant::now();
        let Ok(event) = event else {
            // It lost track: anything may have changed.
            return self.debounce.note(Changed::All, now);
        };
        if self.events.len() >= EVENTS - 1 || event.need_rescan() {
            return self.debounce.note(Changed::All, now);
        }
        let is_content = match event.kind {
            EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => false,
            EventKind::Any | EventKind::Other => true,
            EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) => true,
        };
        for path in event.paths.iter().filter(|_| is_content) {
            if let Some(changed) = self.meant(path) {
                self.debounce.note(changed, now);
            }
        }
    }

    /// What a change of a path means.
    fn meant(&self, path: &Path) -> Option<Changed> {
        let of = |rules: &&Rules| path.starts_with(rules.dir());
        // Of nested directories the inner one.
        let inner = |rules: &&Rules| rules.dir().components().count();
        if let Some(rules) = self.rules.iter().filter(of).max_by_key(inner) {
            if path == rules.dir() {
                return Some(Changed::All);
            }
            return rules
                .counts(path)
                .then(|| Changed::One(rules.name().to_owned()));
        }
        // A directory of extensions, one on the way to it, or one in it.
        let is_place = |root: &PathBuf| {
            root.starts_with(path) || (path.parent() == Some(root) && !rules::is_passing(path))
        };
        self.roots.iter().any(is_place).then_some(Changed::All)
    }
}
