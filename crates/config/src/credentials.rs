//! Which environment variables are credentials of zeug's own, and what a credential looks like
//! from outside; does not know what they open.

use std::fmt;

/// The variables that zeug takes credentials from: model providers' keys, and the token that a
/// client of `zeug rpc` must show.
///
/// A child does not inherit them unless its manifest lists them under `permissions.env`
/// (`protocol/SPEC.md`, "Process"). [`Settings::withheld`](crate::Settings::withheld) adds those
/// that the user named.
pub const CREDENTIALS: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "AZURE_API_KEY",
    "AZURE_OPENAI_API_KEY",
    "CEREBRAS_API_KEY",
    "COHERE_API_KEY",
    "DEEPSEEK_API_KEY",
    "DOUBLEWORD_API_KEY",
    "FIREWORKS_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "GROQ_API_KEY",
    "HF_TOKEN",
    "HUGGINGFACE_API_KEY",
    "KIMI_API_KEY",
    "LLAMACPP_API_KEY",
    "MINIMAX_API_KEY",
    "MISTRAL_API_KEY",
    "MOONSHOT_API_KEY",
    "OLLAMA_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "PERPLEXITY_API_KEY",
    "TOGETHER_API_KEY",
    "VENICE_API_KEY",
    "XAI_API_KEY",
    "XIAOMI_MIMO_API_KEY",
    "ZAI_API_KEY",
    "ZEUG_API_KEY",
    "ZEUG_RPC_TOKEN",
    "ZOTCORE_RPC_TOKEN",
    "ZUTCORE_RPC_TOKEN",
];

/// A text that no log and no panic message shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// A key as people hand it over: white space around it is no part of it, and what cannot be
    /// one is `None`: nothing at all, several lines, or control characters.
    #[must_use]
    pub fn key(text: &str) -> Option<Self> {
        let text = text.trim();
        let fine = !text.is_empty() && !text.chars().any(char::is_control);
        fine.then(|| Self::new(text))
    }

    /// The text, for whoever sends it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_one_line_without_the_space_around_it() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(
                Secret::key(text).as_ref().map(Secret::reveal),
                expect,
                "{text:?}"
            );
        };
        check(" sk-1\n", Some("sk-1"));
        check("sk 1", Some("sk 1"));
        for nothing in ["", " \n", "a\nb", "a\u{1b}[31mb"] {
            check(nothing, None);
        }
    }

    #[test]
    fn the_list_is_sorted_and_has_no_twins() {
        assert!(CREDENTIALS.is_sorted_by(|a, b| a < b));
    }
}
