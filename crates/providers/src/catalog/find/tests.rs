//! What words mean.

use super::*;

fn among() -> Vec<ModelInfo> {
    let mut models: Vec<ModelInfo> = [
        ("anthropic", "claude-opus-5"),
        ("anthropic", "claude-sonnet-5"),
        ("anthropic", "claude-sonnet-5-20260101"),
        ("anthropic", "claude-sonnet-4-5"),
        ("openai", "gpt-5"),
        ("openai", "gpt-5-mini"),
        ("openai", "gpt-5-2025-08-07"),
        ("openrouter", "anthropic/claude-sonnet-5"),
        ("azure", "gpt-5"),
    ]
    .into_iter()
    .map(|(provider, name)| ModelInfo::new(provider, name))
    .collect();
    models[3].deprecated = true;
    models
}

fn means(query: &str) -> (&'static str, Vec<String>) {
    let names = |models: Vec<ModelInfo>| models.iter().map(ModelInfo::full_name).collect();
    match find_in(query, &among()) {
        Match::One(model) => ("one", vec![model.full_name()]),
        Match::Many(models) => ("many", names(models)),
        Match::None(models) => ("none", names(models)),
    }
}

fn check(query: &str, what: &str, expect: &[&str]) {
    let (found, names) = means(query);
    assert_eq!(
        (found, names),
        (what, expect.iter().map(|s| (*s).to_owned()).collect()),
        "{query}"
    );
}

#[test]
fn a_full_name_is_one_model() {
    check("openai/gpt-5", "one", &["openai/gpt-5"]);
    check("OpenAI/GPT-5", "one", &["openai/gpt-5"]);
    check("openai-chat/gpt-5", "one", &["openai/gpt-5"]);
    check("claude/claude-opus-5", "one", &["anthropic/claude-opus-5"]);
    check(
        "anthropic/claude-sonnet-5",
        "one",
        &["anthropic/claude-sonnet-5"],
    );
    check(
        "openrouter/anthropic/claude-sonnet-5",
        "one",
        &["openrouter/anthropic/claude-sonnet-5"],
    );
}

#[test]
fn an_exact_name_at_two_providers_is_a_question() {
    check("gpt-5", "many", &["openai/gpt-5", "azure/gpt-5"]);
    check("claude-opus-5", "one", &["anthropic/claude-opus-5"]);
}

#[test]
fn words_find_models_and_a_date_is_no_choice() {
    check("opus", "one", &["anthropic/claude-opus-5"]);
    check("gpt mini", "one", &["openai/gpt-5-mini"]);
    check(
        "openrouter sonnet",
        "one",
        &["openrouter/anthropic/claude-sonnet-5"],
    );
    check(
        "sonnet",
        "many",
        &[
            "anthropic/claude-sonnet-5",
            "openrouter/anthropic/claude-sonnet-5",
            "anthropic/claude-sonnet-4-5",
        ],
    );
    check(
        "sonnet-5-2026",
        "one",
        &["anthropic/claude-sonnet-5-20260101"],
    );
}

#[test]
fn a_slip_gets_the_nearest() {
    let (what, names) = means("claud-opsu-5");
    assert_eq!(what, "none");
    assert_eq!(names[0], "anthropic/claude-opus-5");
    assert_eq!(means("zzz"), ("none", Vec::new()));
    assert_eq!(means(" "), ("none", Vec::new()));
}

#[test]
fn models_of_ones_own_hide_those_of_the_catalogue() {
    let known = models().first().unwrap();
    let mut own = ModelInfo::new(known.provider.as_str(), known.name.as_str());
    own.label = Some("mine".into());
    let Match::One(found) = find(&known.full_name(), &[own.clone()]) else {
        panic!("{known:?}");
    };
    assert_eq!(found, own);
}
