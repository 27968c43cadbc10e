//! Which models there are, what they can do and what they cost.
//!
//! The facts are the library's; whoever has models of their own lays them beside.

mod find;
mod live;
mod model;

use std::sync::OnceLock;

use rig_core::catalog::Catalog;

use crate::known::known_providers;

pub use find::{Match, find, find_in};
pub use live::live_models;
pub use model::{Cost, Modalities, ModelInfo, Price};

/// The models of the known providers, by provider in the order these are offered, then by name.
#[must_use]
pub fn models() -> &'static [ModelInfo] {
    static MODELS: OnceLock<Vec<ModelInfo>> = OnceLock::new();
    MODELS.get_or_init(|| {
        let mut models = Vec::new();
        for known in known_providers() {
            // The other doors to a provider have no models of their own.
            let first = known_providers()
                .iter()
                .find(|other| other.vendor == known.vendor);
            if known.vendor.is_empty() || first.map(|first| first.key) != Some(known.key) {
                continue;
            }
            let listed = Catalog::builtin().iter();
            let own = listed.filter(|spec| spec.provider.vendor() == known.vendor);
            models.extend(own.map(|spec| ModelInfo::of(known.key, spec)));
        }
        models
    })
}

/// What is known about a model of a provider, also by a dated name of it.
#[must_use]
pub fn model(provider: &str, name: &str) -> Option<&'static ModelInfo> {
    let known = crate::known_provider(provider)?;
    let exact = |name: &str| {
        models().iter().find(|model| {
            let same = crate::known_provider(&model.provider);
            model.name == name && same.is_some_and(|same| same.vendor == known.vendor)
        })
    };
    exact(name).or_else(|| exact(find::undated(name)?))
}
