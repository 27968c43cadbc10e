//! What goes into the model and what comes out of it, as values.

use std::path::PathBuf;

use crossterm::event::Event as TerminalEvent;
use zeug_app::{
    BuiltIn, Consent, Key, Listing, ModelFacts, Notice, Prompt, PromptId, Reloaded, Slashed, State,
    TreeNode, Unslashed,
};
use zeug_paint::Picture;
use zeug_transcript::{Image, Message};

use crate::chat::Source;
use crate::outside::{Kept, Stranger};

/// Something happened.
#[derive(Debug)]
pub(crate) enum Input {
    /// The terminal says something: a key, the mouse, a paste, a size.
    Terminal(TerminalEvent),
    /// The agent says something.
    Notice(Notice),
    /// Time has passed.
    Tick,
    /// What came of an effect.
    Answer(Answer),
}

/// What came of an effect.
#[derive(Debug)]
pub(crate) enum Answer {
    /// Every extension is ready or has failed.
    Ready,
    /// A prompt was taken, or not, and why.
    Prompted(Result<PromptId, String>),
    /// A line was done, or not.
    Slashed {
        by: By,
        line: String,
        result: Result<Slashed, Unslashed>,
    },
    /// Extensions were started anew, or not, and why.
    Reloaded(Result<Reloaded, String>),
    /// The conversation that is open, and how the agent stands.
    Conversation(Box<State>, Vec<Message>),
    /// How the agent stands.
    State(Box<State>),
    /// Slash commands of extensions: name and description.
    Commands(Vec<(String, String)>),
    /// The project's files, relative to it.
    Files(Vec<String>),
    /// The models there are.
    Models(Vec<ModelFacts>),
    /// The sessions there are.
    Sessions(Result<Listing, String>),
    /// Where the session can be forked.
    Tree(Result<Vec<TreeNode>, String>),
    /// The branches of the session: id, and what to call it.
    Branches(Result<Vec<zeug_app::Branch>, String>),
    /// A branch was begun before something that the user said.
    Forked(Result<Option<String>, String>),
    /// What was loaded, for the conversation.
    Resources(String),
    /// A text to look at.
    Text { title: String, text: String },
    /// Extensions of the project that wait for trust.
    Strangers(Result<Vec<Stranger>, String>),
    /// Extensions are trusted, or not, and why.
    Trusted(Result<(), String>),
    /// Images of this number are decoded, those that can be.
    Pictures(u64, Vec<Picture>),
    /// Something is kept, or why it is not.
    Kept(Result<(), String>),
    /// The user's editor has ended: the text, or why there is none.
    Edited(Result<String, String>),
    /// A file was read as an image.
    Image(PathBuf, Result<Image, String>),
}

/// Who wants a line done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum By {
    /// The user.
    User,
    /// An extension.
    Extension(String),
}

/// What is to be done outside. Effects are carried out in order; those that wait go on beside the
/// others.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    /// Give the model something to do.
    Prompt(Prompt),
    /// Give the running prompt up.
    Abort,
    /// Answer a question about a call.
    Approve(String, Consent),
    /// Give a key to a panel.
    PanelKey {
        extension: String,
        id: String,
        key: Key,
    },
    /// Close a panel.
    ClosePanel { extension: String, id: String },
    /// Panels have so much room.
    PanelSize(u16, u16),
    /// Do a line.
    Slash { by: By, line: String },
    /// Start extensions anew: all, or this one.
    Reload(Option<String>),
    /// Show the text of a command that only lists something.
    List {
        command: &'static BuiltIn,
        args: String,
    },
    /// Show the conversation that is open.
    Replay,
    /// Look how the agent stands.
    Look,
    /// Say which slash commands extensions have.
    Commands,
    /// List the project's files.
    Files,
    /// List the models.
    Models,
    /// List the sessions; `true` for those of every project.
    Sessions(bool),
    /// List where the session can be forked.
    Tree,
    /// List the branches of the session.
    Branches,
    /// Begin a branch before this message.
    Fork(String),
    /// Read a file as an image.
    Attach(PathBuf),
    /// Decode images, which come back under this number.
    Pictures(u64, Source),
    /// Look which extensions of the project wait for trust.
    Strangers,
    /// Trust extensions of the project.
    Trust(Vec<Stranger>),
    /// Say what was loaded.
    Resources,
    /// Keep a setting for the next start.
    Keep(&'static str, Kept),
    /// Keep something that was sent.
    Remember(String),
    /// Let the user's editor change a text.
    Edit(String),
    /// Put this into the clipboard.
    Copy(String),
    /// Ring the bell.
    Bell,
    /// Whether the terminal reports the mouse.
    Mouse(bool),
    /// Draw everything anew.
    Redraw,
    /// Leave.
    Quit,
}
