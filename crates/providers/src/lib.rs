//! The models: the puppet, which does exactly what the prompt says.
//!
//! Who asks a model, and what is done about its failures, is not known here.

mod puppet;

use std::sync::Arc;

use zeug_provider::Provider;

/// The model that plays the script in the last user message: deterministic, offline, free.
#[must_use]
pub fn puppet() -> Arc<dyn Provider> {
    Arc::new(puppet::Puppet::default())
}
