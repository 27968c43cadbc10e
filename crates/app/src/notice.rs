//! What the app tells a face. A face paints these and knows nothing else of the two machines.

use zeug_engine::{DoneOutcome, PromptId};
use zeug_ext_host::Level;
use zeug_rpc_protocol::Event;

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
