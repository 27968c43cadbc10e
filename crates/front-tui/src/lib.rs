//! The terminal face: a conversation, an editor, and everything that extensions show.
//!
//! Elm-like. `model` is plain state: what happens goes in (`word::Input`) and what is to be done
//! comes out (`word::Effect`). `view` paints it. `run` owns the terminal, the clock and the agent.
//! Nothing here waits for an extension or the turn machine: what waits comes back as an answer.
//!
//! | room | what |
//! |---|---|
//! | `word` | what happens, what is to be done, what came of it |
//! | `model` | all state, and what becomes of what happens |
//! | `chat` | the conversation as entries of a list |
//! | `editor` | the text that is being written: pieces, undo, history |
//! | `layer` | what lies on top: approvals, panels, texts, lists to choose from, search, selection |
//! | `view` | the model on the screen |
//! | `look` | how it looks and behaves, as the user wants it |
//! | `outside` | what the face wants of the world beyond the agent |
//! | `run` | the loop |
//! | `hands` | effects, carried out on the agent |
//! | `help` | the keys, as help shows them |
//! | `elsewhere` | the user's own editor |
//! | `files` | the project's files, and images |
//! | `terminal` | the terminal, taken and given back |

mod chat;
mod editor;
mod elsewhere;
mod files;
mod hands;
mod help;
#[cfg(test)]
mod kit;
mod layer;
mod look;
mod model;
mod outside;
mod run;
mod terminal;
mod view;
mod word;

pub use look::Look;
pub use outside::{Kept, Outside, Stranger};
pub use run::{Setup, run};
pub use terminal::{is_lent, restore};
// What a look is made of, so that the door need not know who paints.
pub use zeug_paint::{Depth, Highlighter, Mode, Theme};
