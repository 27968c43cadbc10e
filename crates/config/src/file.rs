//! One `config.toml` onto the settings so far; does not know which files there are.

mod providers;
mod values;

use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use zeug_provider::Effort;
use zeug_stdx::suggest::nearest;

use crate::limits::LIMIT_KEYS;
use crate::settings::{Approve, Loaded, Locked, ON_FAILURE, Origin, Setting};
use crate::{ConfigError, Terminal, Warning};

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The user's: everything counts.
    User,
    /// A project's: what could weaken the user's security does not count.
    Project,
}

/// The keys at the top, and whether a project may set them.
const TOP: &[(&str, bool)] = &[
    ("provider", true),
    ("model", true),
    ("reasoning", true),
    ("max_steps", true),
    ("approve", false),
    ("extensions", false),
    ("providers", false),
    ("terminal", false),
];
const EXTENSIONS: &[&str] = &["disabled", "locked", "limits", "on_failure"];

/// Puts the file's values onto `loaded`; a file that does not exist changes nothing.
pub(crate) fn apply(file: &Path, place: Place, loaded: &mut Loaded) -> Result<(), ConfigError> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(e)
            if matches!(
                e.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(());
        }
        Err(cause) => {
            let file = file.to_owned();
            return Err(ConfigError::Read { file, cause });
        }
    };
    let source = Source { file, text: &text };
    let document = DeTable::parse(&text).map_err(|e| ConfigError::Syntax {
        file: file.to_owned(),
        line: source.line(e.span().unwrap_or_default()),
        message: e.message().to_owned(),
    })?;
    let before = loaded.warnings.len();
    Reader {
        source,
        place,
        loaded,
    }
    .top(document.get_ref())?;
    loaded.warnings[before..].sort_by_key(|warning| warning.line);
    Ok(())
}

/// A file and its text.
#[derive(Clone, Copy)]
struct Source<'a> {
    file: &'a Path,
    text: &'a str,
}

impl Source<'_> {
    fn line(&self, span: Range<usize>) -> usize {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        before.iter().filter(|b| **b == b'\n').count() + 1
    }
}

struct Reader<'a> {
    source: Source<'a>,
    place: Place,
    loaded: &'a mut Loaded,
}

type Value<'i> = Spanned<DeValue<'i>>;

impl Reader<'_> {
    fn top(mut self, table: &DeTable<'_>) -> Result<(), ConfigError> {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let Some((_, project_may)) = TOP.iter().find(|(known, _)| *known == name) else {
                self.unknown(key.span(), name, "", TOP.iter().map(|(known, _)| *known));
                continue;
            };
            if self.place == Place::Project && !project_may {
                self.not_from_a_project(key.span(), name);
                continue;
            }
            let origin = self.origin(key.span());
            match name {
                "provider" => {
                    let text = self.text(name, value)?;
                    self.loaded.settings.provider.set(Some(text), origin);
                }
                "model" => {
                    let text = self.text(name, value)?;
                    self.loaded.settings.model.set(Some(text), origin);
                }
                "reasoning" => {
                    let levels = Effort::ALL.map(|level| (level.as_str(), level));
                    let level = self.one_of(name, value, &levels)?;
                    self.loaded.settings.reasoning.set(Some(level), origin);
                }
                "max_steps" => {
                    let steps = self.integer(name, value, 1..=u64::from(u32::MAX))?;
                    let steps = u32::try_from(steps).unwrap_or(u32::MAX);
                    self.loaded.settings.max_steps.set(Some(steps), origin);
                }
                "approve" => {
                    let approve = self.one_of(name, value, &Approve::NAMES)?;
                    self.loaded.settings.approve.set(Some(approve), origin);
                }
                "providers" => self.providers(self.table(name, value)?)?,
                "terminal" => self.terminal(self.table(name, value)?)?,
                _ => self.extensions(self.table(name, value)?)?,
            }
        }
        Ok(())
    }

    fn extensions(&mut self, table: &DeTable<'_>) -> Result<(), ConfigError> {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let full = format!("extensions.{name}");
            let origin = self.origin(key.span());
            match name {
                "disabled" => {
                    let names = self.texts(&full, value)?;
                    self.loaded.settings.extensions.disabled.set(names, origin);
                }
                "locked" => {
                    let locked = self.one_of(&full, value, &Locked::NAMES)?;
                    self.loaded.settings.extensions.locked.set(locked, origin);
                }
                "limits" => self.limits(self.table(&full, value)?)?,
                "on_failure" => self.on_failure(self.table(&full, value)?)?,
                _ => self.unknown(key.span(), name, "extensions.", EXTENSIONS.iter().copied()),
            }
        }
        Ok(())
    }

    fn terminal(&mut self, table: &DeTable<'_>) -> Result<(), ConfigError> {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let full = format!("terminal.{name}");
            let origin = self.origin(key.span());
            if name == "theme" {
                let theme = self.text(&full, value)?;
                self.loaded.settings.terminal.theme.set(Some(theme), origin);
            } else if Terminal::KEYS.contains(&name) {
                let is_on = self.switch(&full, value)?;
                if let Some(switch) = self.loaded.settings.terminal.switch(name) {
                    switch.set(Some(is_on), origin);
                }
            } else {
                self.unknown(key.span(), name, "terminal.", Terminal::KEYS);
            }
        }
        Ok(())
    }

    fn limits(&mut self, table: &DeTable<'_>) -> Result<(), ConfigError> {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let Some(limit) = LIMIT_KEYS.iter().find(|limit| limit.name == name) else {
                let known = LIMIT_KEYS.iter().map(|limit| limit.name);
                self.unknown(key.span(), name, "extensions.limits.", known);
                continue;
            };
            let bounds = ms(limit.min)..=ms(limit.max);
            let value = self.integer(&format!("extensions.limits.{name}"), value, bounds)?;
            *(limit.field)(&mut self.loaded.settings.extensions.limits) =
                std::time::Duration::from_millis(value);
        }
        Ok(())
    }

    fn on_failure(&mut self, table: &DeTable<'_>) -> Result<(), ConfigError> {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let full = format!("extensions.on_failure.{name}");
            let setting = Setting {
                value: self.one_of(&full, value, &ON_FAILURE)?,
                origin: self.origin(key.span()),
            };
            let all = &mut self.loaded.settings.extensions.on_failure;
            all.insert(name.to_owned(), setting);
        }
        Ok(())
    }

    fn origin(&self, span: Range<usize>) -> Origin {
        Origin::File {
            file: self.source.file.to_owned(),
            line: self.source.line(span),
        }
    }

    fn warn(&mut self, span: Range<usize>, message: String) {
        let warning = Warning {
            file: self.source.file.to_owned(),
            line: self.source.line(span),
            message,
        };
        self.loaded.warnings.push(warning);
    }

    fn unknown<'k>(
        &mut self,
        span: Range<usize>,
        name: &str,
        table: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) {
        let mut message = format!("unknown key {table}{name} is ignored");
        if let Some(near) = nearest(name, known) {
            let _ = write!(message, "; did you mean {table}{near}?");
        }
        self.warn(span, message);
    }

    fn not_from_a_project(&mut self, span: Range<usize>, name: &str) {
        let why = match name {
            "terminal" => "how your terminal looks is for you to say",
            _ => "a project must not change what protects you",
        };
        let message =
            format!("{name} is ignored here: {why}; set it in the config.toml of zeug's home");
        self.warn(span, message);
    }
}

fn ms(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
