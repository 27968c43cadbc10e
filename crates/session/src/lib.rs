//! Conversations on disk: a journal of entries, the tree they form, and what extensions keep there.
//!
//! A session is a file of lines to which one [`Journal`] appends. Each line is an [`Entry`] with an
//! id and a parent, so the entries form a tree: a [`Branch`] is a line through it, a fork copies
//! nothing, and the last line of the file is where the work goes on. A [`View`] keeps places of
//! entries in memory and reads what they say when it is wanted; its [`Context`] is what the model
//! is told on a branch. The [`Catalog`] knows which sessions there are.
//!
//! A damaged line costs at most itself. Whatever is in a file, it opens when one of its lines is an
//! entry, and what had to be passed over is a [`Problem`].
//!
//! Knows no engine, no extension host and no user; asks no model for a summary.

mod catalog;
mod context;
mod entry;
mod error;
mod files;
mod id;
mod index;
mod journal;
mod lock;
mod row;
mod scan;
mod tree;
mod view;

pub use catalog::{Catalog, Copied, Filter, Hit, Listing, Summary};
pub use context::{Context, Item, Source};
pub use entry::{
    ActivatedTools, Body, BranchMark, Compaction, Decision, Descent, Entry, ExtensionState, FORMAT,
    Head, Kind, Meta, Origin, Other, Rename, Role, STATE_BYTES, UsageRecord,
};
pub use error::{Located, Problem, SessionError, Trouble};
pub use id::{BranchId, EntryId, NoEntryId, SessionId};
pub use journal::{Closed, Journal, NewSession};
pub use tree::{Branch, ForkAt, Node};
pub use view::View;
