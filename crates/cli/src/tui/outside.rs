//! What the terminal face wants of the world beyond the agent.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use zeug_config::{Kept as Setting, Paths, Terminal, context_files};
use zeug_ext_catalog::{Content, Skipped, Trust, Why};
use zeug_ext_protocol::manifest::{FILE, Manifest};
use zeug_front_tui::{Kept, Outside, Stranger};
use zeug_stdx::text;

use super::history::History;
use crate::args::{ExtensionArgs, RunArgs};
use crate::{invite, world};

/// The most bytes of a line about an extension.
const LINE: usize = 400;

/// The world, for the terminal face.
#[derive(Debug)]
pub(super) struct World {
    paths: Paths,
    cwd: PathBuf,
    extensions: ExtensionArgs,
    /// `None` when nothing of this run is to be kept.
    history: Option<History>,
    editor: Option<OsString>,
    context: Vec<PathBuf>,
}

impl World {
    pub(super) fn new(world: &world::World, args: &RunArgs) -> Self {
        let is_kept = !args.session.no_session;
        Self {
            paths: world.paths.clone(),
            cwd: world.cwd.clone(),
            extensions: args.extensions.clone(),
            history: is_kept.then(|| History::new(world.paths.history(), &world.cwd)),
            editor: world.env.editor.clone(),
            context: if args.no_context_files {
                Vec::new()
            } else {
                context_files(&world.paths, &world.cwd)
            },
        }
    }

    fn describe(&self, skipped: &Skipped) -> Result<Stranger, String> {
        let content = Content::of(&skipped.dir).map_err(|error| error.to_string())?;
        let file = skipped.dir.join(FILE);
        let manifest = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
        let manifest = Manifest::parse(&manifest).map_err(|error| error.to_string())?;
        let mut asks = described(&manifest);
        let shown = skipped.dir.strip_prefix(&self.cwd).unwrap_or(&skipped.dir);
        let files = match content.files.len() {
            1 => "1 file".to_owned(),
            many => format!("{many} files"),
        };
        asks.insert(0, format!("{}, {files}", shown.display()));
        if let Why::Untrusted {
            change: Some(change),
        } = &skipped.why
        {
            asks.push(format!("changed since you trusted it: {change}"));
        }
        let plain = |line: String| text::one_line(&text::plain(&line), LINE);
        Ok(Stranger {
            name: plain(
                format!("{} {}", skipped.name, manifest.version)
                    .trim_end()
                    .to_owned(),
            ),
            dir: skipped.dir.clone(),
            hash: content.hash,
            asks: asks.into_iter().map(plain).collect(),
        })
    }
}

/// What an extension would run, bring and get.
fn described(manifest: &Manifest) -> Vec<String> {
    let mut lines = Vec::new();
    if !manifest.description.is_empty() {
        lines.push(manifest.description.clone());
    }
    if !manifest.exec.is_empty() {
        let words = std::iter::once(&manifest.exec).chain(&manifest.args);
        let words: Vec<&str> = words.map(String::as_str).collect();
        lines.push(format!("runs {}", words.join(" ")));
    }
    if !manifest.skills.is_empty() {
        lines.push(format!(
            "teaches the model skills from {}",
            manifest.skills.join(", ")
        ));
    }
    match &manifest.permissions {
        None => lines.push("asks for no limits: it may do everything that you may".to_owned()),
        Some(asked) => {
            let scopes = asked
                .other
                .iter()
                .map(|(scope, value)| format!("{scope} {value}"));
            let mut scopes: Vec<String> = scopes.collect();
            if !asked.env.is_empty() {
                scopes.push(format!("the variables {}", asked.env.join(", ")));
            }
            lines.push(match scopes.len() {
                0 => "asks for no credentials; it may do everything else that you may".to_owned(),
                _ => format!("asks for {}", scopes.join(", ")),
            });
        }
    }
    lines
}

impl Outside for World {
    fn keep(&self, setting: &str, value: &Kept) -> Result<(), String> {
        let value = match value {
            Kept::Switch(is_on) => Setting::Switch(*is_on),
            Kept::Name(name) => Setting::Name(name.clone()),
        };
        Terminal::keep(&self.paths, setting, &value).map_err(|error| error.to_string())
    }

    fn strangers(&self) -> Result<Vec<Stranger>, String> {
        let found = world::World::look(Some(&self.cwd))
            .and_then(|world| invite::find(&world, &self.extensions))
            .map_err(|error| format!("{error:#}"))?;
        let skipped = found.skipped.iter();
        skipped
            .filter(|skipped| matches!(skipped.why, Why::Untrusted { .. }))
            .map(|skipped| self.describe(skipped))
            .collect()
    }

    fn trust(&self, strangers: &[Stranger]) -> Result<(), String> {
        let mut trust = Trust::load(&self.paths.trust()).map_err(|error| error.to_string())?;
        strangers.iter().try_for_each(|stranger| {
            trust
                .trust_seen(&stranger.dir, &stranger.hash)
                .map_err(|error| error.to_string())
        })
    }

    fn context(&self) -> Vec<String> {
        let shown = |path: &PathBuf| {
            let shown: &Path = path.strip_prefix(&self.cwd).unwrap_or(path);
            shown.display().to_string()
        };
        self.context.iter().map(shown).collect()
    }

    fn history(&self) -> Vec<String> {
        self.history.as_ref().map_or_else(Vec::new, History::load)
    }

    fn remember(&self, text: &str) -> Result<(), String> {
        self.history
            .as_ref()
            .map_or(Ok(()), |history| history.add(text))
    }

    /// Through a shell, as other programs start it: the variable may hold arguments.
    fn editor(&self) -> Vec<OsString> {
        let editor = self.editor.clone().unwrap_or_else(|| "vi".into());
        let mut line = editor.clone();
        line.push(" \"$@\"");
        vec!["/bin/sh".into(), "-c".into(), line, editor]
    }
}
