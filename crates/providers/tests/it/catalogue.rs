//! Which models there are.

use serde_json::json;
use zeug_provider::{Effort, FailureKind};
use zeug_providers::catalog::{self, Match, ModelInfo};
use zeug_providers::http::{Memory, Reply};
use zeug_providers::{Connect, known_providers, live_models};

use crate::kit::{described, usage};

#[test]
fn the_catalogue_knows_what_matters() {
    let opus = catalog::model("anthropic", "claude-opus-4-6").unwrap();
    assert!(opus.context_window.unwrap() >= 200_000);
    assert!(opus.input.images && opus.tools == Some(true) && opus.reasons == Some(true));
    assert!(opus.efforts.contains(&Effort::High), "{opus:?}");
    let cost = opus.cost(&usage(1_000_000, 0, 0, 0)).unwrap();
    assert_eq!(
        cost.total(),
        zeug_transcript::Usd::of(opus.price.unwrap().input)
    );
    let dated = catalog::model("claude", "claude-opus-4-6-20990101").unwrap();
    assert_eq!(dated.name, "claude-opus-4-6");
    assert!(catalog::model("openai-chat", "gpt-5.2").is_some());
    assert_eq!(catalog::model("anthropic", "gpt-5.2"), None);
    assert_eq!(catalog::model("nobody", "m"), None);
}

#[test]
fn the_known_providers_have_models_where_the_library_knows_any() {
    let with_models = |key: &str| catalog::models().iter().any(|model| model.provider == key);
    for known in known_providers() {
        let none = [
            "openai-chat",
            "openai-responses",
            "cerebras",
            "fireworks",
            "lmstudio",
            "vllm",
        ];
        assert_eq!(
            with_models(known.key),
            !none.contains(&known.key),
            "{}",
            known.key
        );
    }
    assert!(catalog::models().len() > 500, "{}", catalog::models().len());
}

#[test]
fn a_word_finds_a_model_of_the_real_catalogue() {
    let Match::One(model) = catalog::find("openai/gpt-5.2", &[]) else {
        panic!()
    };
    assert_eq!(model.full_name(), "openai/gpt-5.2");
    let Match::Many(models) = catalog::find("haiku", &[]) else {
        panic!()
    };
    assert!(
        models.iter().any(|model| model.provider == "anthropic"),
        "{models:?}"
    );
    let Match::None(nearest) = catalog::find("anthropic/claude-opus-4-66", &[]) else {
        panic!()
    };
    assert!(
        nearest.iter().all(|model| model.name.contains("opus")),
        "{nearest:?}"
    );
    let own = ModelInfo::new("mine", "homemade-7b");
    assert_eq!(
        catalog::find("homemade", std::slice::from_ref(&own)),
        Match::One(own)
    );
}

async fn listed(connect: Connect) -> Vec<ModelInfo> {
    live_models(connect).await.unwrap()
}

#[tokio::test]
async fn servers_tell_what_they_have() {
    let names =
        |models: &[ModelInfo]| -> Vec<String> { models.iter().map(ModelInfo::full_name).collect() };
    let openai = json!({"object": "list", "data": [{"id": "gpt-5.2", "object": "model"},
        {"id": "new-one", "object": "model"}]});
    let memory = Memory::new([Reply::json(200, openai.to_string())]);
    let models = listed(described("openai", "", &memory)).await;
    assert_eq!(names(&models), ["openai/gpt-5.2", "openai/new-one"]);
    assert!(models[0].price.is_some() && models[1].price.is_none());
    assert_eq!(memory.seen()[0].url, "https://api.openai.com/v1/models");

    let anthropic = json!({"data": [{"type": "model", "id": "claude-opus-4-6",
        "display_name": "Claude Opus 4.6", "created_at": "2026-01-01T00:00:00Z"}],
        "has_more": false, "first_id": "claude-opus-4-6", "last_id": "claude-opus-4-6"});
    let memory = Memory::new([Reply::json(200, anthropic.to_string())]);
    let models = listed(described("anthropic", "", &memory)).await;
    assert_eq!(names(&models), ["anthropic/claude-opus-4-6"]);

    let gemini = json!({"models": [{"name": "models/gemini-9", "displayName": "Nine",
        "inputTokenLimit": 12345, "outputTokenLimit": 678}]});
    let memory = Memory::new([Reply::json(200, gemini.to_string())]);
    let models = listed(described("gemini", "", &memory)).await;
    assert_eq!(names(&models), ["gemini/gemini-9"]);
    assert_eq!(models[0].context_window, Some(12_345));
    assert!(
        !memory.seen()[0].url.contains("secret"),
        "{}",
        memory.seen()[0].url
    );

    let ollama = json!({"models": [{"name": "qwen3:4b", "model": "qwen3:4b", "size": 1,
        "modified_at": "2026-01-01T00:00:00Z", "digest": "d", "details": {}}]});
    let memory = Memory::new([Reply::json(200, ollama.to_string())]);
    let models = listed(described("ollama", "", &memory)).await;
    assert_eq!(names(&models), ["ollama/qwen3:4b"]);
}

#[tokio::test]
async fn a_server_without_a_list_is_a_failure_as_any() {
    let memory = Memory::new([Reply::json(401, r#"{"error":{"message":"no"}}"#)]);
    let failure = live_models(described("openai", "", &memory))
        .await
        .unwrap_err();
    assert_eq!(failure.kind, FailureKind::Authentication);
    assert_eq!(failure.message, "no");
    let failure = live_models(Connect::new("nobody", "")).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::BadRequest);
}
