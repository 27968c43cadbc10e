//! The conversation on disk: what the turn machine announces is written, and another conversation
//! can take the place of the open one.
//!
//! One thread owns everything that blocks ([`Desk`], behind [`Clerk`]); a [`Book`] is one
//! conversation as it is kept. Knows no face and tells extensions nothing.
//!
//! # Order
//! What a face is told was written before. An entry is safe from the end of this process when it
//! was told, and from a loss of power when the `done` of its prompt was.

mod book;
mod changes;
mod clerk;
mod desk;
mod facts;
mod late;
mod opening;
mod subagents;

pub(crate) use book::Book;
pub(crate) use changes::{Change, Turned};
pub(crate) use clerk::Clerk;
pub(crate) use desk::Desk;
pub use facts::{Forked, Keeping, SessionInfo, SessionRefused, TreeNode};
pub use opening::{Access, Opened, Opening, Sessions, Wanted, find_branch};

#[cfg(test)]
mod tests;
