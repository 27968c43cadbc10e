//! The providers that need no description: their addresses, and where their keys are customarily
//! found.
//!
//! Reads no environment: it names the variables, somebody else looks.

/// The grammar that a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Api {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's Responses.
    OpenAiResponses,
    /// OpenAI's Chat Completions, as everybody's compatible servers speak it.
    OpenAiChat,
    /// Google's GenerateContent.
    Gemini,
    /// Ollama's own chat.
    Ollama,
}

impl Api {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Anthropic,
        Self::OpenAiResponses,
        Self::OpenAiChat,
        Self::Gemini,
        Self::Ollama,
    ];

    /// The word for configuration files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAiResponses => "openai-responses",
            Self::OpenAiChat => "openai-chat",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// The grammar that a word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|api| api.as_str() == word)
    }
}

/// A provider that needs no description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownProvider {
    /// Its key, for flags and configuration.
    pub key: &'static str,
    /// Its name, for people.
    pub label: &'static str,
    /// Other words for it.
    pub aliases: &'static [&'static str],
    /// The variables its key is customarily found in, the usual one first.
    pub key_env: &'static [&'static str],
    /// Whether it answers nobody without a key.
    pub needs_key: bool,
    /// Where it is; `None` when everybody has an address of their own.
    pub base_url: Option<&'static str>,
    /// What it speaks.
    pub api: Api,
    /// What the library's catalogue calls it; empty when it is not there.
    pub(crate) vendor: &'static str,
}

const fn chat(
    key: &'static str,
    label: &'static str,
    key_env: &'static [&'static str],
    base_url: &'static str,
) -> KnownProvider {
    KnownProvider {
        key,
        label,
        aliases: &[],
        key_env,
        needs_key: true,
        base_url: Some(base_url),
        api: Api::OpenAiChat,
        vendor: key,
    }
}

const OPENAI: KnownProvider = KnownProvider {
    api: Api::OpenAiResponses,
    ..chat(
        "openai",
        "OpenAI",
        &["OPENAI_API_KEY"],
        "https://api.openai.com/v1",
    )
};

/// In the order in which they are offered. The addresses are those of the library's dialects; a
/// test compares them.
const KNOWN: [KnownProvider; 26] = [
    KnownProvider {
        api: Api::Anthropic,
        aliases: &["claude"],
        ..chat(
            "anthropic",
            "Anthropic",
            &["ANTHROPIC_API_KEY"],
            "https://api.anthropic.com",
        )
    },
    OPENAI,
    KnownProvider {
        key: "openai-responses",
        label: "OpenAI (Responses)",
        ..OPENAI
    },
    KnownProvider {
        key: "openai-chat",
        label: "OpenAI (Chat Completions)",
        api: Api::OpenAiChat,
        ..OPENAI
    },
    KnownProvider {
        api: Api::Gemini,
        aliases: &["google"],
        vendor: "gcp.gemini",
        ..chat(
            "gemini",
            "Google Gemini",
            &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            "https://generativelanguage.googleapis.com",
        )
    },
    KnownProvider {
        api: Api::Ollama,
        needs_key: false,
        ..chat(
            "ollama",
            "Ollama",
            &["OLLAMA_API_KEY"],
            "http://localhost:11434",
        )
    },
    chat(
        "openrouter",
        "OpenRouter",
        &["OPENROUTER_API_KEY"],
        "https://openrouter.ai/api/v1",
    ),
    chat(
        "deepseek",
        "DeepSeek",
        &["DEEPSEEK_API_KEY"],
        "https://api.deepseek.com",
    ),
    chat(
        "groq",
        "Groq",
        &["GROQ_API_KEY"],
        "https://api.groq.com/openai/v1",
    ),
    chat(
        "mistral",
        "Mistral",
        &["MISTRAL_API_KEY"],
        "https://api.mistral.ai",
    ),
    KnownProvider {
        api: Api::OpenAiResponses,
        aliases: &["grok"],
        ..chat("xai", "xAI", &["XAI_API_KEY"], "https://api.x.ai")
    },
    KnownProvider {
        base_url: None,
        vendor: "azure.openai",
        ..chat(
            "azure",
            "Azure OpenAI",
            &["AZURE_OPENAI_API_KEY", "AZURE_API_KEY"],
            "",
        )
    },
    chat(
        "together",
        "Together AI",
        &["TOGETHER_API_KEY"],
        "https://api.together.xyz",
    ),
    KnownProvider {
        aliases: &["kimi", "moonshotai"],
        ..chat(
            "moonshot",
            "Moonshot",
            &["MOONSHOT_API_KEY", "KIMI_API_KEY"],
            "https://api.moonshot.ai/v1",
        )
    },
    chat(
        "zai",
        "Z.AI",
        &["ZAI_API_KEY"],
        "https://api.z.ai/api/paas/v4",
    ),
    chat(
        "minimax",
        "MiniMax",
        &["MINIMAX_API_KEY"],
        "https://api.minimax.io/v1",
    ),
    KnownProvider {
        vendor: "xiaomimimo",
        ..chat(
            "xiaomi",
            "Xiaomi MiMo",
            &["XIAOMI_MIMO_API_KEY"],
            "https://api.xiaomimimo.com/v1",
        )
    },
    chat(
        "cohere",
        "Cohere",
        &["COHERE_API_KEY"],
        "https://api.cohere.ai/compatibility/v1",
    ),
    chat(
        "huggingface",
        "Hugging Face",
        &["HF_TOKEN", "HUGGINGFACE_API_KEY"],
        "https://router.huggingface.co",
    ),
    chat(
        "venice",
        "Venice",
        &["VENICE_API_KEY"],
        "https://api.venice.ai/api/v1",
    ),
    chat(
        "doubleword",
        "Doubleword",
        &["DOUBLEWORD_API_KEY"],
        "https://api.doubleword.ai/v1",
    ),
    KnownProvider {
        vendor: "",
        ..chat(
            "cerebras",
            "Cerebras",
            &["CEREBRAS_API_KEY"],
            "https://api.cerebras.ai/v1",
        )
    },
    KnownProvider {
        vendor: "",
        ..chat(
            "fireworks",
            "Fireworks AI",
            &["FIREWORKS_API_KEY"],
            "https://api.fireworks.ai/inference/v1",
        )
    },
    KnownProvider {
        needs_key: false,
        aliases: &["llama.cpp"],
        ..chat(
            "llamacpp",
            "llama.cpp",
            &["LLAMACPP_API_KEY"],
            "http://localhost:8080/v1",
        )
    },
    KnownProvider {
        needs_key: false,
        vendor: "",
        ..chat("lmstudio", "LM Studio", &[], "http://localhost:1234/v1")
    },
    KnownProvider {
        needs_key: false,
        vendor: "",
        ..chat("vllm", "vLLM", &[], "http://localhost:8000/v1")
    },
];

/// The providers that need no description, the usual ones first.
#[must_use]
pub fn known_providers() -> &'static [KnownProvider] {
    &KNOWN
}

/// The provider that a word names.
#[must_use]
pub fn known_provider(word: &str) -> Option<&'static KnownProvider> {
    KNOWN.iter().find(|known| {
        known.key.eq_ignore_ascii_case(word)
            || known
                .aliases
                .iter()
                .any(|alias| alias.eq_ignore_ascii_case(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_go_by_one_name() {
        let mut names = HashSet::new();
        for known in known_providers() {
            assert!(names.insert(known.key), "{}", known.key);
            for alias in known.aliases {
                assert!(names.insert(alias), "{alias}");
            }
        }
        assert_eq!(
            known_provider("Google").map(|known| known.key),
            Some("gemini")
        );
        assert_eq!(known_provider("nobody"), None);
    }

    #[test]
    fn a_grammar_is_named_by_its_word() {
        for api in Api::ALL {
            assert_eq!(Api::parse(api.as_str()), Some(api));
        }
        assert_eq!(Api::parse("soap"), None);
    }
}
