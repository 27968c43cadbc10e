//! What extensions show beside the conversation: notes, status items, widgets. Pure.

use std::collections::{BTreeMap, VecDeque};

use zeug_app::{Level, Shown, StatusItem, Widget};
use zeug_rpc_protocol::NoteLevel;

/// The most notes that are kept; older ones go.
const MAX_NOTES: usize = 64;

/// A note above the editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    /// The extension that says it; `None` for zeug.
    pub(crate) owner: Option<String>,
    pub(crate) level: NoteLevel,
    pub(crate) text: String,
}

/// Notes above the editor, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Notes(VecDeque<Note>);

impl Notes {
    pub(crate) fn push(&mut self, level: NoteLevel, owner: Option<String>, text: String) {
        if self.0.len() >= MAX_NOTES {
            self.0.pop_front();
        }
        self.0.push_back(Note { owner, level, text });
    }

    /// An extension takes its notes back.
    pub(crate) fn clear_of(&mut self, extension: &str) {
        self.0
            .retain(|note| note.owner.as_deref() != Some(extension));
    }

    /// Takes all away; whether there were some.
    pub(crate) fn clear(&mut self) -> bool {
        let had_some = !self.0.is_empty();
        self.0.clear();
        had_some
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Note> {
        self.0.iter()
    }
}

/// Status items and widgets, by extension and name.
#[derive(Debug, Default)]
pub(crate) struct Chrome {
    status: BTreeMap<(String, String), StatusItem>,
    widgets: BTreeMap<(String, String), Widget>,
}

impl Chrome {
    /// Everything that is shown by now.
    pub(crate) fn take_over(&mut self, shown: &Shown) {
        shown.status.iter().cloned().for_each(|item| self.set(item));
        let widgets = shown.widgets.iter().cloned();
        widgets.for_each(|widget| self.put(widget));
    }

    /// A status item is there, or gone when its text is empty.
    pub(crate) fn set(&mut self, item: StatusItem) {
        let name = (item.extension.clone(), item.key.clone());
        if item.text.is_empty() {
            self.status.remove(&name);
        } else {
            self.status.insert(name, item);
        }
    }

    pub(crate) fn put(&mut self, widget: Widget) {
        let name = (widget.extension.clone(), widget.id.clone());
        self.widgets.insert(name, widget);
    }

    pub(crate) fn remove(&mut self, extension: String, id: String) {
        self.widgets.remove(&(extension, id));
    }

    /// Everything of an extension is gone.
    pub(crate) fn clear_of(&mut self, extension: &str) {
        self.status.retain(|name, _| name.0 != extension);
        self.widgets.retain(|name, _| name.0 != extension);
    }

    pub(crate) fn status(&self) -> impl Iterator<Item = &StatusItem> {
        self.status.values()
    }

    pub(crate) fn widgets(&self) -> impl Iterator<Item = &Widget> {
        self.widgets.values()
    }
}

/// The level of an extension, as it is painted.
pub(crate) fn level(level: Level) -> NoteLevel {
    match level {
        Level::Info => NoteLevel::Info,
        Level::Success => NoteLevel::Success,
        Level::Warn => NoteLevel::Warn,
        Level::Error => NoteLevel::Error,
    }
}
