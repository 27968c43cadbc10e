//! Panels: a stack with owners, and keys that go out one after the other. Pure.
//!
//! The one on top is visible and gets the keys. Does not know who draws it or how a key reaches
//! its owner.
//!
//! # Order
//! Extensions may handle each key on a thread of its own. So that fast typing stays in order, the
//! next key goes out when the panel was drawn again, or after [`KEY_PACE`].

use std::collections::{HashSet, VecDeque};

use tokio::time::Instant;
use zeug_ext_protocol::limits::{KEY_PACE, PANEL_KEYS, PANELS};
use zeug_stdx::text::{coloured_line, plain};

/// What a panel shows, clean: of all escapes only colours are left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panel {
    /// Whose it is.
    pub extension: String,
    /// Its name within the extension.
    pub id: String,
    /// The headline, without colours.
    pub title: String,
    /// The body.
    pub lines: Vec<String>,
    /// A muted line below the body.
    pub footer: Option<String>,
}

/// A key for a panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// `rune`, or one of [`Key::NAMES`].
    pub name: String,
    /// The character of a `rune`.
    pub text: Option<String>,
}

impl Key {
    /// The keys beside `rune`; `unknown` is any that has no name.
    pub const NAMES: [&str; 13] = [
        "up",
        "down",
        "left",
        "right",
        "enter",
        "tab",
        "backspace",
        "delete",
        "home",
        "end",
        "pageup",
        "pagedown",
        "unknown",
    ];

    /// A character that was typed.
    #[must_use]
    pub fn rune(character: impl Into<String>) -> Self {
        Self {
            name: "rune".to_owned(),
            text: Some(character.into()),
        }
    }

    /// A key with a name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: None,
        }
    }

    /// A text that was pasted, as the run of characters that it is.
    #[must_use]
    pub fn paste(text: &str) -> Vec<Self> {
        text.replace("\r\n", "\n")
            .chars()
            .filter(|c| *c == '\n' || *c == '\t' || !c.is_control())
            .map(Self::rune)
            .collect()
    }
}

/// What the owner of a panel is to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
    Key(Key),
    Closed,
    Size(u16, u16),
}

/// A word for the owner of a panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tell {
    pub(crate) extension: String,
    pub(crate) panel_id: String,
    pub(crate) word: Word,
}

#[derive(Debug)]
struct Open {
    panel: Panel,
    /// Keys that wait, the oldest first.
    keys: VecDeque<Key>,
    /// Until then the last key is being handled.
    busy_until: Option<Instant>,
    /// The calls that ran when it was opened.
    during: HashSet<String>,
}

/// The open panels.
#[derive(Debug, Default)]
pub(crate) struct Panels {
    /// The visible one last.
    stack: Vec<Open>,
    /// Columns and lines that a body has, when a face said so.
    size: Option<(u16, u16)>,
}

impl Panels {
    /// Opens a panel on top of the others. One that is open already comes to the top, and its
    /// waiting keys are dropped. `Err` is what its owner is told when it has too many.
    pub(crate) fn open(
        &mut self,
        panel: Panel,
        during: HashSet<String>,
    ) -> Result<Option<Tell>, Tell> {
        self.remove(&panel.extension, &panel.id);
        let mine = |open: &&Open| open.panel.extension == panel.extension;
        if self.stack.iter().filter(mine).count() >= PANELS {
            return Err(tell(&panel, Word::Closed));
        }
        let size = self.size.map(|(w, h)| tell(&panel, Word::Size(w, h)));
        self.stack.push(Open {
            panel,
            keys: VecDeque::new(),
            busy_until: None,
            during,
        });
        Ok(size)
    }

    /// Draws a panel again: replaces the body and the footer, and the title unless it is empty.
    /// `None` when it is not open. The next key goes out.
    pub(crate) fn render(
        &mut self,
        (extension, id): (&str, &str),
        title: Option<&str>,
        lines: Vec<String>,
        footer: Option<String>,
        now: Instant,
    ) -> Option<(Panel, Option<Tell>)> {
        let open = self.find(extension, id)?;
        if let Some(title) = title.filter(|title| !title.trim().is_empty()) {
            open.panel.title = headline(title);
        }
        open.panel.lines = lines;
        open.panel.footer = footer;
        open.busy_until = None;
        let next = open.next_key(now);
        Some((open.panel.clone(), next))
    }

    /// The owner closes a panel; whether it was open.
    pub(crate) fn close(&mut self, extension: &str, id: &str) -> bool {
        self.remove(extension, id).is_some()
    }

    /// The user closes a panel; its owner is told.
    pub(crate) fn dismiss(&mut self, extension: &str, id: &str) -> Option<Tell> {
        let open = self.remove(extension, id)?;
        Some(tell(&open.panel, Word::Closed))
    }

    /// A key for a panel. `Ok(None)` when it waits for its turn.
    ///
    /// # Errors
    /// When the panel is not open, or too many keys wait for it.
    pub(crate) fn key(
        &mut self,
        extension: &str,
        id: &str,
        key: Key,
        now: Instant,
    ) -> Result<Option<Tell>, String> {
        let open = self
            .find(extension, id)
            .ok_or_else(|| format!("extension {extension} has no panel {id:?} open (any more)"))?;
        if open.keys.len() >= PANEL_KEYS {
            return Err(format!(
                "{PANEL_KEYS} keys wait for the panel of extension {extension} already"
            ));
        }
        open.keys.push_back(key);
        Ok(open.next_key(now))
    }

    /// The keys whose turn has come with time.
    pub(crate) fn due(&mut self, now: Instant) -> Vec<Tell> {
        let late = self.stack.iter_mut().filter(|open| !open.keys.is_empty());
        late.filter_map(|open| open.next_key(now)).collect()
    }

    /// When [`Panels::due`] has something to say next.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let waiting = self.stack.iter().filter(|open| !open.keys.is_empty());
        waiting.filter_map(|open| open.busy_until).min()
    }

    /// Bodies have so much room from now on.
    pub(crate) fn resize(&mut self, width: u16, height: u16) -> Vec<Tell> {
        if self.size.replace((width, height)) == Some((width, height)) {
            return Vec::new();
        }
        let size = |open: &Open| tell(&open.panel, Word::Size(width, height));
        self.stack.iter().map(size).collect()
    }

    /// Closes the panels for which this holds; their owners are told.
    fn dismiss_if(&mut self, mut which: impl FnMut(&Open) -> bool) -> Vec<Tell> {
        let gone = self.stack.extract_if(.., |open| which(open));
        gone.map(|open| tell(&open.panel, Word::Closed)).collect()
    }

    /// A call of an extension was given up: what it opened for it closes.
    pub(crate) fn given_up(&mut self, extension: &str, call_id: &str) -> Vec<Tell> {
        self.dismiss_if(|open| open.panel.extension == extension && open.during.contains(call_id))
    }

    /// Closes everything.
    pub(crate) fn dismiss_all(&mut self) -> Vec<Tell> {
        self.dismiss_if(|_| true)
    }

    /// An extension is gone, and with it its panels; their ids.
    pub(crate) fn gone(&mut self, extension: &str) -> Vec<String> {
        let gone = self
            .stack
            .extract_if(.., |open| open.panel.extension == extension);
        gone.map(|open| open.panel.id).collect()
    }

    /// The open panels, the visible one last.
    pub(crate) fn stack(&self) -> Vec<Panel> {
        self.stack.iter().map(|open| open.panel.clone()).collect()
    }

    fn find(&mut self, extension: &str, id: &str) -> Option<&mut Open> {
        self.stack
            .iter_mut()
            .find(|open| open.panel.extension == extension && open.panel.id == id)
    }

    fn remove(&mut self, extension: &str, id: &str) -> Option<Open> {
        let is = |open: &Open| open.panel.extension == extension && open.panel.id == id;
        let at = self.stack.iter().position(is)?;
        Some(self.stack.remove(at))
    }
}

impl Open {
    fn next_key(&mut self, now: Instant) -> Option<Tell> {
        if self.busy_until.is_some_and(|until| now < until) {
            return None;
        }
        let key = self.keys.pop_front()?;
        self.busy_until = Some(now + KEY_PACE);
        Some(tell(&self.panel, Word::Key(key)))
    }
}

fn tell(panel: &Panel, word: Word) -> Tell {
    Tell {
        extension: panel.extension.clone(),
        panel_id: panel.id.clone(),
        word,
    }
}

/// A headline: one line without colours.
pub(super) fn headline(title: &str) -> String {
    plain(title).replace('\n', " ↩ ")
}

/// A body or a footer, clean.
pub(super) fn body(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| coloured_line(line)).collect()
}

#[cfg(test)]
mod tests;
