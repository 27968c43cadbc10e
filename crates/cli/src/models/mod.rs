//! Which model answers, with whose key, and what there is to choose from.
//!
//! `roster` knows who there is, `choose` decides, `connect` carries it out; `list` and `login` are
//! the commands beside. What a key looks like on the wire, and what a model costs, is known to
//! `zeug-providers`; where settings and keys lie, to `zeug-config`.

mod choose;
mod connect;
mod defaults;
mod list;
mod login;
mod prompt;
mod roster;
mod shelf;

pub(crate) use connect::{Brain, connect};
pub(crate) use list::run as list;
pub(crate) use login::{login, logout};
pub(crate) use shelf::Shelf;

/// The provider that is always there.
const PUPPET: &str = "puppet";
