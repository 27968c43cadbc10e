//! What the host announces to its owner.

use zeug_ext_protocol::chrome::Widget;
use zeug_ext_protocol::panel::{PanelRender, PanelSpec};

/// One announcement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// An extension could not be started.
    Failed {
        /// Its name.
        extension: String,
        /// What happened, where to look, what to do. May have several lines.
        message: String,
    },
    /// A running extension went away without being asked to.
    Gone {
        /// Its name.
        extension: String,
        /// How.
        message: String,
    },
    /// A new instance of an extension takes the place of the old one, and everything that one
    /// showed is gone.
    Replaced {
        /// Its name.
        extension: String,
    },
    /// Something about an extension that the user should know although it goes on.
    Remark {
        /// Its name.
        extension: String,
        /// What.
        message: String,
    },
    /// `notify`.
    Note {
        /// Who says it.
        extension: String,
        /// How serious.
        level: Level,
        /// As it came: not yet cleaned for a terminal.
        text: String,
    },
    /// `clear_notes`.
    ClearNotes {
        /// Whose notes.
        extension: String,
    },
    /// `status`.
    Status {
        /// Whose.
        extension: String,
        /// Which item.
        key: String,
        /// How serious.
        level: Level,
        /// As it came, shortened; empty clears the item.
        text: String,
    },
    /// `widget`.
    Widget {
        /// Whose.
        extension: String,
        /// What it shows, as it came, shortened.
        widget: Widget,
    },
    /// `widget_clear`.
    WidgetClear {
        /// Whose.
        extension: String,
        /// Which.
        id: String,
    },
    /// `alert`.
    Alert {
        /// Whose.
        extension: String,
        /// For programs; not shown.
        reason: String,
    },
    /// `open_panel`, also as the answer to a command.
    PanelOpen {
        /// Whose.
        extension: String,
        /// What it shows, as it came, shortened.
        panel: PanelSpec,
    },
    /// `panel_render`.
    PanelRender {
        /// Whose.
        extension: String,
        /// What it shows now, as it came, shortened.
        render: PanelRender,
    },
    /// `panel_close`.
    PanelClose {
        /// Whose.
        extension: String,
        /// Which.
        panel_id: String,
    },
    /// `submit`: a prompt, not empty.
    Submit {
        /// Who.
        extension: String,
        /// The prompt.
        text: String,
    },
    /// `submit_slash`: a slash command, with its slash.
    SubmitSlash {
        /// Who.
        extension: String,
        /// The line.
        text: String,
    },
    /// Tools or commands changed after the start.
    Registered {
        /// Whose.
        extension: String,
    },
}

/// How serious a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// For information.
    Info,
    /// Good news.
    Success,
    /// A warning.
    Warn,
    /// An error.
    Error,
}

impl Level {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Success => "success",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }

    /// The level of the word on the wire; unknown words count as `info`.
    pub(crate) fn of(word: &str) -> Self {
        match word {
            "success" => Self::Success,
            "warn" => Self::Warn,
            "error" => Self::Error,
            _ => Self::Info,
        }
    }
}
