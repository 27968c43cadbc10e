//! The models of one provider, for faces that switch between them while they run.
//!
//! Asks nobody: the catalogue's, and the user's own.

use zeug_app::{ModelFacts, Models};
use zeug_config::Providers;
use zeug_providers::catalog::{Match, ModelInfo, find_in};

use super::PUPPET;
use super::roster::Roster;

/// The most names that an error offers.
const OFFERED: usize = 12;

/// Every provider's models.
#[derive(Debug)]
pub(crate) struct Shelf(Providers);

impl Shelf {
    /// With the user's own providers and models.
    pub(crate) fn new(own: &Providers) -> Self {
        Self(own.clone())
    }

    fn infos(&self, provider: &str) -> Vec<ModelInfo> {
        match Roster::new(&self.0).find(provider) {
            Some(entry) => entry.models(),
            None if provider == PUPPET => vec![ModelInfo::new(PUPPET, PUPPET)],
            // A server that has an address and no name.
            None => Vec::new(),
        }
    }
}

impl Models for Shelf {
    fn of(&self, provider: &str) -> Vec<ModelFacts> {
        self.infos(provider).into_iter().map(facts).collect()
    }

    fn find(&self, provider: &str, word: &str) -> Result<ModelFacts, String> {
        let name = word.trim();
        if name.is_empty() {
            return Err("which model? Name one of get_models".to_owned());
        }
        match find_in(name, &self.infos(provider)) {
            Match::One(found) => Ok(facts(found)),
            Match::None(_) => Ok(facts(ModelInfo::new(provider, name))),
            Match::Many(found) => {
                let names: Vec<&str> = found.iter().map(|model| model.name.as_str()).collect();
                let more = names.len().checked_sub(OFFERED).filter(|more| *more > 0);
                let more = more.map(|more| format!(" and {more} more"));
                Err(format!(
                    "which model is {name:?}? Name one of {}{}",
                    names[..names.len().min(OFFERED)].join(", "),
                    more.unwrap_or_default()
                ))
            }
        }
    }
}

fn facts(info: ModelInfo) -> ModelFacts {
    ModelFacts {
        name: info.name,
        label: info.label,
        context_window: info.context_window,
        max_output_tokens: info.max_output_tokens,
        reasons: info.reasons,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_chooses_among_the_models_of_its_provider() {
        let shelf = Shelf::new(&Providers::new());
        assert_eq!(shelf.of(PUPPET).len(), 1);
        assert!(shelf.of("http://127.0.0.1:1/v1").is_empty());
        let all = shelf.of("anthropic");
        let first = &all[0];
        assert_eq!(shelf.find("anthropic", &first.name).as_ref(), Ok(first));
        assert!(first.context_window.is_some());
        let new = shelf.find("anthropic", " brand-new-42 ").unwrap();
        assert_eq!(
            (new.name.as_str(), new.context_window),
            ("brand-new-42", None)
        );
        let error = shelf.find("anthropic", "claude").unwrap_err();
        assert!(error.contains("Name one of claude"), "{error}");
        assert!(shelf.find("anthropic", " ").is_err());
    }
}
