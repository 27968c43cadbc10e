//! The model on the screen. Reads the model, and changes in it only what painting finds out: sizes,
//! and what is in view.
//!
//! | room | what |
//! |---|---|
//! | `frame` | which part gets which rows |
//! | `bottom` | everything between the conversation and the last row |
//! | `input` | the editor |
//! | `boxes` | what lies on top: panels, dialogs, lists |
//! | `approval` | the question about a call |

mod banner;
mod bottom;
mod boxes;
mod frame;
mod input;
mod question;

#[cfg(test)]
mod tests;

pub(crate) use banner::{banner, farewell};
pub(crate) use frame::view;
