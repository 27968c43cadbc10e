//! How much to reason and how long to answer, in the words of each provider.

use serde_json::{Value, json};
use zeug_provider::Effort;
use zeug_providers::Connect;
use zeug_providers::http::Memory;

use crate::kit::grammar::Grammar;
use crate::kit::{Talk, described, last_body, saying};

async fn asked(grammar: Grammar, provider: &str, model: &str, effort: Option<Effort>) -> Value {
    let memory = Memory::new([saying(grammar, "ok")]);
    let mut talk = Talk::new(provider, model, &memory).user("Go.");
    talk.request.reasoning = effort;
    talk.answer().await;
    last_body(&memory)
}

/// Which word of a body says what for which level.
async fn check(table: &[(Grammar, &str, &str, &str, &str)]) {
    for (grammar, provider, model, path, words) in table {
        let words: serde_json::Map<String, Value> = serde_json::from_str(words).unwrap();
        for (word, expect) in words {
            let effort = Effort::parse(&word);
            assert!(effort.is_some(), "{word}");
            let body = asked(*grammar, provider, model, effort).await;
            let found = body.pointer(path).cloned().unwrap_or_default();
            assert_eq!(found, expect, "{provider} {model} {word}: {body}");
        }
    }
}

const EFFORT: &str = "/output_config/effort";
const LEVEL: &str = "/generationConfig/thinkingConfig/thinkingLevel";
const BUDGET: &str = "/thinking/budget_tokens";
const GEMINI_BUDGET: &str = "/generationConfig/thinkingConfig/thinkingBudget";

#[rustfmt::skip]
const WORDS: [(Grammar, &str, &str, &str, &str); 7] = [
    (Grammar::Anthropic, "anthropic", "claude-opus-5", EFFORT,
        r#"{"minimum": "low", "medium": "medium", "max": "max"}"#),
    (Grammar::Responses, "openai", "gpt-5.2", "/reasoning/effort",
        r#"{"off": "none", "minimum": "low", "xhigh": "xhigh", "max": "xhigh"}"#),
    (Grammar::Gemini, "gemini", "gemini-3-flash-preview", LEVEL,
        r#"{"minimum": "minimal", "high": "high", "max": "high"}"#),
    (Grammar::Chat, "deepseek", "deepseek-v4-pro", "/reasoning_effort",
        r#"{"minimum": "low", "medium": "low", "high": "high", "max": "max"}"#),
    (Grammar::Chat, "deepseek", "deepseek-v4-pro", "/thinking/type",
        r#"{"off": "disabled", "high": "enabled"}"#),
    (Grammar::Ollama, "ollama", "qwen3", "/think",
        r#"{"off": false, "minimum": "low", "max": "max"}"#),
    (Grammar::Chat, "openrouter", "x/y", "/reasoning/effort",
        r#"{"off": "none", "high": "high"}"#),
];

#[rustfmt::skip]
const BUDGETS: [(Grammar, &str, &str, &str, &str); 2] = [
    (Grammar::Anthropic, "anthropic", "claude-haiku-4-5", BUDGET,
        r#"{"minimum": 1024, "low": 4096, "high": 16384, "off": null}"#),
    (Grammar::Gemini, "gemini", "gemini-2.5-flash", GEMINI_BUDGET,
        r#"{"off": 0, "medium": 8192, "max": 24576}"#),
];

#[tokio::test]
async fn each_provider_gets_its_own_word_or_the_nearest() {
    check(&WORDS).await;
}

#[tokio::test]
async fn a_model_with_a_budget_gets_one() {
    check(&BUDGETS).await;
    let body = asked(
        Grammar::Anthropic,
        "anthropic",
        "claude-haiku-4-5",
        Some(Effort::Max),
    )
    .await;
    let answer = body["max_tokens"].as_u64().unwrap();
    let budget = body["thinking"]["budget_tokens"].as_u64().unwrap();
    assert!(answer > budget, "{body}");
}

#[tokio::test]
async fn a_model_that_does_not_reason_is_not_asked_to() {
    let body = asked(Grammar::Responses, "openai", "gpt-4.1", Some(Effort::High)).await;
    assert_eq!(body.get("reasoning"), None, "{body}");
    assert_eq!(body.get("include"), None, "{body}");
    assert_eq!(body["store"], false);
}

#[tokio::test]
async fn without_a_level_nothing_is_said_about_it() {
    for (grammar, provider, model) in Grammar::ALL {
        let body = asked(grammar, provider, model, None).await;
        let said = body.to_string();
        for word in ["effort", "thinking_budget", "thinkingLevel", "\"think\""] {
            assert!(!said.contains(word), "{provider}: {word} in {said}");
        }
    }
    let body = asked(Grammar::Gemini, "gemini", "gemini-3-flash-preview", None).await;
    let shown = &body["generationConfig"]["thinkingConfig"];
    assert_eq!(*shown, json!({"includeThoughts": true}));
}

#[tokio::test]
async fn a_server_of_ones_own_gets_the_customary_word() {
    for (effort, expect) in [
        (Effort::Off, Value::Null),
        (Effort::Minimum, json!("minimal")),
        (Effort::Max, json!("high")),
    ] {
        let memory = Memory::new([saying(Grammar::Chat, "ok")]);
        let mut talk = Talk::of(Connect {
            base_url: Some("http://h".into()),
            ..described("mine", "m", &memory)
        })
        .user("Go.");
        talk.request.reasoning = Some(effort);
        talk.answer().await;
        let found = last_body(&memory).get("reasoning_effort").cloned();
        assert_eq!(found.unwrap_or_default(), expect);
    }
}

#[tokio::test]
async fn the_length_of_an_answer_is_said_in_each_grammar() {
    for ((grammar, provider, model), path) in Grammar::ALL.into_iter().zip([
        "/max_tokens",
        "/max_output_tokens",
        "/max_tokens",
        "/generationConfig/maxOutputTokens",
        "/options/num_predict",
    ]) {
        let memory = Memory::new([saying(grammar, "ok"), saying(grammar, "ok")]);
        let mut talk = Talk::of(Connect {
            max_output_tokens: Some(777),
            ..described(provider, model, &memory)
        })
        .user("Go.");
        talk.answer().await;
        assert_eq!(
            last_body(&memory).pointer(path),
            Some(&json!(777)),
            "{provider}"
        );
        talk.request.max_output_tokens = Some(99);
        talk.answer().await;
        assert_eq!(
            last_body(&memory).pointer(path),
            Some(&json!(99)),
            "{provider}"
        );
    }
    let unknown = asked(Grammar::Anthropic, "anthropic", "claude-of-tomorrow", None).await;
    assert_eq!(unknown["max_tokens"], 8192);
}
