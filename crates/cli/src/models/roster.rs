//! Who can be asked: the known providers, and those of the user's `config.toml`, under one roof.

use zeug_config::{OwnModel, ProviderSettings, Providers, Wanted};
use zeug_providers::catalog::{self, ModelInfo, Price};
use zeug_providers::{KnownProvider, known_provider, known_providers};

use super::defaults::default_model;

/// All providers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Roster<'a> {
    own: &'a Providers,
}

/// One provider.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    /// Its key.
    pub(super) name: &'a str,
    /// When it needs no description.
    pub(super) known: Option<&'static KnownProvider>,
    /// The name of its `[providers.NAME]`, which may be an alias, and what that says.
    pub(super) own: Option<(&'a str, &'a ProviderSettings)>,
}

impl<'a> Roster<'a> {
    pub(super) fn new(own: &'a Providers) -> Self {
        Self { own }
    }

    /// The provider that a word names.
    pub(super) fn find(&self, word: &str) -> Option<Entry<'a>> {
        if let Some(known) = known_provider(word) {
            return Some(self.known(known));
        }
        let (name, settings) = self.own.get_key_value(word)?;
        Some(Entry {
            name,
            known: None,
            own: Some((name, settings)),
        })
    }

    /// The user's own servers by name, then the known providers in their order.
    pub(super) fn all(&self) -> Vec<Entry<'a>> {
        let own = self
            .own
            .keys()
            .filter(|name| known_provider(name).is_none());
        let own = own.filter_map(|name| self.find(name));
        let known = known_providers().iter().map(|known| self.known(known));
        own.chain(known).collect()
    }

    fn known(&self, known: &'static KnownProvider) -> Entry<'a> {
        let exact = self.own.get_key_value(known.key);
        let by_alias = || {
            let mut own = self.own.iter();
            own.find(|(name, _)| known_provider(name).is_some_and(|it| it.key == known.key))
        };
        Entry {
            name: known.key,
            known: Some(known),
            own: exact
                .or_else(by_alias)
                .map(|(name, settings)| (name.as_str(), settings)),
        }
    }
}

impl<'a> Entry<'a> {
    /// The first of the providers that share a key, such as OpenAI's two grammars; the key is
    /// stored under this name, and the catalogue lists the models under it.
    pub(super) fn main(&self) -> &'a str {
        let Some(known) = self.known else {
            return self.name;
        };
        let variable = known.key_env.first();
        let mut all = known_providers().iter();
        let first = all.find(|other| variable.is_some() && other.key_env.first() == variable);
        first.unwrap_or(known).key
    }

    pub(super) fn is_main(&self) -> bool {
        self.main() == self.name
    }

    /// What to look for when its key is wanted.
    pub(super) fn wanted(&self) -> Wanted<'a> {
        Wanted {
            provider: self.own.map_or(self.name, |(table, _)| table),
            login: self.main(),
            variables: self.known.map_or(&[], |known| known.key_env),
        }
    }

    pub(super) fn settings(&self) -> Option<&'a ProviderSettings> {
        self.own.map(|(_, settings)| settings)
    }

    /// Where the user says it is, if it is not where it is known to be.
    pub(super) fn own_url(&self) -> Option<&'a str> {
        self.settings()?.base_url.value.as_deref()
    }

    /// Whether it answers nobody without a key.
    pub(super) fn needs_key(&self) -> bool {
        self.own_url().is_none() && self.known.is_some_and(|known| known.needs_key)
    }

    /// The model to take when none is named: the first of the user's own, else the usual one.
    pub(super) fn default_model(&self) -> Option<&'a str> {
        let own = self.settings().and_then(|settings| settings.models.first());
        own.map(|model| model.name.as_str())
            .or_else(|| default_model(self.main()))
    }

    /// Its models: the user's own, then those of the catalogue.
    pub(super) fn models(&self) -> Vec<ModelInfo> {
        let mut models: Vec<ModelInfo> = Vec::new();
        for own in self
            .settings()
            .map(|own| own.models.as_slice())
            .unwrap_or_default()
        {
            models.push(self.info(own));
        }
        let main = self.main();
        for model in catalog::models()
            .iter()
            .filter(|model| model.provider == main)
        {
            if !models.iter().any(|own| own.name == model.name) {
                let provider = self.name.to_owned();
                models.push(ModelInfo {
                    provider,
                    ..model.clone()
                });
            }
        }
        models
    }

    /// What the user says about a model.
    pub(super) fn own_model(&self, name: &str) -> Option<&'a OwnModel> {
        self.settings()?
            .models
            .iter()
            .find(|model| model.name == name)
    }

    /// What is known about a model, with the user's word over the catalogue's.
    fn info(&self, own: &OwnModel) -> ModelInfo {
        let catalogued = catalog::model(self.name, &own.name).cloned();
        let mut info = catalogued.unwrap_or_default();
        info.provider = self.name.to_owned();
        info.name.clone_from(&own.name);
        info.context_window = own.context_window.or(info.context_window);
        info.max_output_tokens = own.max_output.or(info.max_output_tokens);
        info.input.images = own.images.unwrap_or(info.input.images);
        let known = info.price;
        let input = own.input_price.or(known.map(|price| price.input));
        let output = own.output_price.or(known.map(|price| price.output));
        // With half of a price nobody knows what anything costs.
        info.price = input.zip(output).map(|(input, output)| Price {
            input,
            output,
            cache_read: own.cache_read_price.or(known.and_then(|p| p.cache_read)),
            cache_write: own.cache_write_price.or(known.and_then(|p| p.cache_write)),
        });
        info
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeug_config::CREDENTIALS;

    #[test]
    fn no_variable_with_a_known_providers_key_reaches_a_child() {
        for known in known_providers() {
            for variable in known.key_env {
                assert!(CREDENTIALS.contains(variable), "{variable}");
            }
        }
    }

    #[test]
    fn a_table_may_use_another_word_for_a_known_provider() {
        let own = Providers::from([
            ("google".to_owned(), ProviderSettings::default()),
            ("shed".to_owned(), ProviderSettings::default()),
        ]);
        let roster = Roster::new(&own);
        let gemini = roster.find("Gemini").unwrap();
        assert_eq!(
            (gemini.name, gemini.wanted().provider),
            ("gemini", "google")
        );
        assert_eq!(roster.find("shed").unwrap().wanted().login, "shed");
        assert!(roster.find("nobody").is_none());
        assert_eq!(roster.all()[0].name, "shed");
        assert_eq!(roster.all().len(), known_providers().len() + 1);
    }

    #[test]
    fn providers_with_one_key_have_one_login_and_one_list_of_models() {
        let own = Providers::new();
        let roster = Roster::new(&own);
        let chat = roster.find("openai-chat").unwrap();
        assert_eq!(chat.wanted().login, "openai");
        assert!(!chat.is_main() && roster.find("openai").unwrap().is_main());
        assert!(
            chat.models()
                .iter()
                .all(|model| model.provider == "openai-chat")
        );
        assert_eq!(
            chat.default_model(),
            roster.find("openai").unwrap().default_model()
        );
        let vllm = roster.find("vllm").unwrap();
        assert!(vllm.is_main() && !vllm.needs_key());
    }

    #[test]
    fn own_facts_lie_over_those_of_the_catalogue() {
        let mut own = Providers::new();
        let name = default_model("anthropic").unwrap();
        let model = OwnModel {
            name: name.to_owned(),
            context_window: Some(5),
            input_price: Some(0.5),
            ..OwnModel::default()
        };
        let settings = ProviderSettings {
            models: vec![model],
            ..ProviderSettings::default()
        };
        own.insert("anthropic".to_owned(), settings);
        let models = Roster::new(&own).find("anthropic").unwrap().models();
        let info = &models[0];
        assert_eq!((info.name.as_str(), info.context_window), (name, Some(5)));
        assert_eq!(info.price.unwrap().input, 0.5);
        assert!(info.max_output_tokens.is_some(), "from the catalogue");
        assert_eq!(models.iter().filter(|model| model.name == name).count(), 1);
    }
}
