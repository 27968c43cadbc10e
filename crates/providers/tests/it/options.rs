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

async fn check(
    grammar: Grammar,
    provider: &str,
    model: &str,
    path: &str,
    expect: &[(Effort, Value)],
) {
    for (effort, expect) in expect {
        let body = asked(grammar, provider, model, Some(*effort)).await;
        let found = body.pointer(path).cloned().unwrap_or_default();
        assert_eq!(found, *expect, "{provider} {model} {effort:?}: {body}");
    }
}

use Effort::{High, Low, Max, Medium, Minimum, Off, Xhigh};

#[tokio::test]
async fn each_provider_gets_its_own_word_or_the_nearest() {
    let effort = "/output_config/effort";
    check(
        Grammar::Anthropic,
        "anthropic",
        "claude-opus-5",
        effort,
        &[
            (Minimum, json!("low")),
            (Medium, json!("medium")),
            (Max, json!("max")),
        ],
    )
    .await;
    check(
        Grammar::Responses,
        "openai",
        "gpt-5.2",
        "/reasoning/effort",
        &[
            (Off, json!("none")),
            (Minimum, json!("low")),
            (Xhigh, json!("xhigh")),
            (Max, json!("xhigh")),
        ],
    )
    .await;
    let level = "/generationConfig/thinkingConfig/thinkingLevel";
    check(
        Grammar::Gemini,
        "gemini",
        "gemini-3-flash-preview",
        level,
        &[
            (Minimum, json!("minimal")),
            (High, json!("high")),
            (Max, json!("high")),
        ],
    )
    .await;
    check(
        Grammar::Chat,
        "deepseek",
        "deepseek-v4-pro",
        "/reasoning_effort",
        &[
            (Minimum, json!("low")),
            (Medium, json!("low")),
            (High, json!("high")),
            (Max, json!("max")),
        ],
    )
    .await;
    check(
        Grammar::Chat,
        "deepseek",
        "deepseek-v4-pro",
        "/thinking/type",
        &[(Off, json!("disabled")), (High, json!("enabled"))],
    )
    .await;
    check(
        Grammar::Ollama,
        "ollama",
        "qwen3",
        "/think",
        &[
            (Off, json!(false)),
            (Minimum, json!("low")),
            (Max, json!("max")),
        ],
    )
    .await;
    check(
        Grammar::Chat,
        "openrouter",
        "x/y",
        "/reasoning/effort",
        &[(Off, json!("none")), (High, json!("high"))],
    )
    .await;
}

#[tokio::test]
async fn a_model_with_a_budget_gets_one() {
    let budget = "/thinking/budget_tokens";
    check(
        Grammar::Anthropic,
        "anthropic",
        "claude-haiku-4-5",
        budget,
        &[
            (Minimum, json!(1024)),
            (Low, json!(4096)),
            (High, json!(16_384)),
            (Off, Value::Null),
        ],
    )
    .await;
    let budget = "/generationConfig/thinkingConfig/thinkingBudget";
    check(
        Grammar::Gemini,
        "gemini",
        "gemini-2.5-flash",
        budget,
        &[(Off, json!(0)), (Medium, json!(8192)), (Max, json!(24_576))],
    )
    .await;
    let body = asked(
        Grammar::Anthropic,
        "anthropic",
        "claude-haiku-4-5",
        Some(Max),
    )
    .await;
    let answer = body["max_tokens"].as_u64().unwrap();
    assert!(
        answer > body["thinking"]["budget_tokens"].as_u64().unwrap(),
        "{body}"
    );
}

#[tokio::test]
async fn a_model_that_does_not_reason_is_not_asked_to() {
    let body = asked(Grammar::Responses, "openai", "gpt-4.1", Some(High)).await;
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
        (Off, Value::Null),
        (Minimum, json!("minimal")),
        (Max, json!("high")),
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
