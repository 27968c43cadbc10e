//! What the app tells a face. A face paints these and knows nothing else of the two machines.

use zeug_engine::{DoneOutcome, PromptId};
use zeug_ext_host::Level;
use zeug_rpc_protocol::Event;

use crate::surface::{Panel, StatusItem, Widget};

/// One thing to show.
#[derive(Debug, Clone)]
pub enum Notice {
    /// Something of the run, as JSON mode prints it.
    Event(Event),
    /// A prompt's turn has come; its `user_message` follows.
    Started(PromptId),
    /// A prompt is over, behind its `done`. One that never started ends, too.
    Ended(PromptId, DoneOutcome),
    /// A note of an extension; its text is already plain (no escapes, no control characters).
    Note {
        /// Who says it.
        extension: String,
        /// How serious.
        level: Level,
        /// Possibly several lines.
        text: String,
    },
    /// Text that a slash command of an extension wants shown; plain like a note.
    Display {
        /// Who says it.
        extension: String,
        /// Possibly several lines.
        text: String,
    },
    /// The extension takes its notes back.
    ClearNotes {
        /// Whose notes.
        extension: String,
    },
    /// A status item of an extension; an empty text takes it away.
    Status(StatusItem),
    /// A widget of an extension, new or changed.
    Widget(Widget),
    /// A widget is gone.
    WidgetCleared {
        /// Whose.
        extension: String,
        /// Which.
        id: String,
    },
    /// An extension wants to be noticed: ring the bell, once.
    Alert {
        /// Which.
        extension: String,
        /// For programs; not to be shown.
        reason: String,
    },
    /// A panel is on top of the others from now on.
    PanelOpened(Panel),
    /// A panel shows something else.
    PanelDrawn(Panel),
    /// A panel closed by itself; the one below it is visible now.
    PanelClosed {
        /// Whose.
        extension: String,
        /// Which.
        id: String,
    },
    /// All notes, status items and widgets of an extension are gone.
    ChromeCleared {
        /// Whose.
        extension: String,
    },
    /// An extension wants a slash command to run as if it had been typed.
    SlashSubmitted {
        /// Which.
        extension: String,
        /// The line, with its slash.
        text: String,
    },
    /// An extension could not be started.
    ExtensionFailed {
        /// Which: its name, or its directory when it has none yet.
        extension: String,
        /// What happened and what to do.
        message: String,
    },
    /// A running extension went away without being asked to.
    ExtensionGone {
        /// Which.
        extension: String,
        /// How, and what to do.
        message: String,
    },
    /// An extension was found but not started, on purpose.
    ExtensionSkipped {
        /// Which.
        extension: String,
        /// Why, and what to do.
        reason: String,
    },
    /// Something the user should know that concerns no extension.
    Remark(String),
}
