//! The models: vendors' through the chosen library, and the puppet, which does exactly what the
//! prompt says.
//!
//! No type of the library leaves this crate. Who asks a model, what is done about its failures,
//! and where keys and settings come from, is not known here.

mod base_url;
pub mod catalog;
mod connect;
pub mod http;
mod key;
mod known;
mod priced;
mod puppet;
mod wires;

use std::sync::Arc;

use zeug_provider::Provider;

pub use catalog::live_models;
pub use connect::{Connect, ConnectError, connect};
pub use key::Key;
pub use known::{Api, KnownProvider, known_provider, known_providers};
pub use priced::priced;

/// The model that plays the script in the last user message: deterministic, offline, free.
#[must_use]
pub fn puppet() -> Arc<dyn Provider> {
    Arc::new(puppet::Puppet::default())
}
