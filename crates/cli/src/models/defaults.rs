//! The model that is taken when a provider is chosen and none of its models is.
//!
//! One that codes well and costs a middling price, by its name in the catalogue; a test notices
//! when it is not there any more. A provider that is missing here is never chosen unasked, such as
//! those whose key is often around for other reasons, or whose models everybody names differently.

const DEFAULTS: [(&str, &str); 13] = [
    ("anthropic", "claude-sonnet-5-5"),
    ("openai", "gpt-6.1-sol"),
    ("gemini", "gemini-3.8-flash"),
    ("openrouter", "anthropic/claude-sonnet-5.5"),
    ("deepseek", "deepseek-v4-pro"),
    ("groq", "openai/gpt-oss-120b"),
    ("mistral", "mistral-medium-latest"),
    ("xai", "grok-4.7"),
    ("together", "zai-org/GLM-5.3"),
    ("moonshot", "kimi-k3"),
    ("zai", "glm-5.3"),
    ("minimax", "MiniMax-M3"),
    ("xiaomi", "mimo-v2.6-pro"),
];

/// The usual model of a provider, by the provider's main key.
pub(super) fn default_model(provider: &str) -> Option<&'static str> {
    let found = DEFAULTS.iter().find(|(key, _)| *key == provider);
    found.map(|(_, model)| *model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeug_providers::catalog::models;

    #[test]
    fn every_default_is_in_the_catalogue_and_calls_tools() {
        for (provider, name) in DEFAULTS {
            let model = models()
                .iter()
                .find(|model| model.provider == provider && model.name == name)
                .unwrap_or_else(|| panic!("{provider}/{name}"));
            assert_eq!(model.tools, Some(true), "{provider}/{name}");
            assert!(!model.deprecated, "{provider}/{name}");
        }
    }
}
