//! What a word means among some models, cautiously: a wrong guess costs money.

use zeug_providers::catalog::{Match, ModelInfo, find_in};

/// A date at the end of a name has at least this many characters: `20250929`, `2025-08-07`.
const DATE: usize = 8;

/// What a word means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Guess {
    /// This model.
    One(ModelInfo),
    /// One of these.
    Many(Vec<ModelInfo>),
    /// None; these resemble it.
    Vague(Vec<ModelInfo>),
}

/// Looks for the model of that name, else for those with the word's parts in a row in their name.
///
/// Parts are what dots, dashes and spaces are between, so `opus 5` is in `claude-opus-5` and in
/// `claude-opus-5-5`, and not in `claude-opus-4-5`. One that ends with the word comes before those
/// that go on; a dated name, or a retired model, does not count beside others.
pub(super) fn guess(word: &str, among: &[ModelInfo]) -> Guess {
    let exact = among
        .iter()
        .filter(|model| model.name.eq_ignore_ascii_case(word));
    let exact: Vec<ModelInfo> = exact.cloned().collect();
    if !exact.is_empty() {
        return some(exact);
    }
    // A full name may name anything; a guess must be something that works.
    let able = || among.iter().filter(|model| model.tools != Some(false));
    let wanted = parts(word);
    if wanted.is_empty() {
        return Guess::Vague(Vec::new());
    }
    let in_a_row = |model: &&ModelInfo| {
        let name = parts(&model.name);
        name.windows(wanted.len()).any(|window| window == wanted)
    };
    let mut found: Vec<ModelInfo> = able().filter(in_a_row).cloned().collect();
    if found.iter().any(|model| !model.deprecated) {
        found.retain(|model| !model.deprecated);
    }
    let all = found.clone();
    found.retain(|model| !all.iter().any(|other| is_dated(model, other)));
    let at_end = |model: &&ModelInfo| parts(&model.name).ends_with(&wanted);
    let mut ends = found.iter().filter(at_end);
    match (ends.next(), ends.next()) {
        (Some(one), None) => Guess::One(one.clone()),
        _ if found.is_empty() => Guess::Vague(match find_in(word, able()) {
            Match::One(one) => vec![one],
            Match::Many(models) | Match::None(models) => models,
        }),
        _ => some(found),
    }
}

fn some(mut models: Vec<ModelInfo>) -> Guess {
    match models.len() {
        1 => Guess::One(models.remove(0)),
        _ => Guess::Many(models),
    }
}

fn parts(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric());
    parts
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether a model is the other one as it was on some day.
fn is_dated(model: &ModelInfo, other: &ModelInfo) -> bool {
    let rest = model
        .name
        .strip_prefix(&other.name)
        .and_then(|rest| rest.strip_prefix('-'));
    model.provider == other.provider
        && rest.is_some_and(|rest| {
            rest.len() >= DATE
                && rest
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || byte == b'-')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 9] = [
        "claude-opus-4-5",
        "claude-opus-5",
        "claude-opus-5-5",
        "claude-sonnet-4-5",
        "claude-sonnet-4-5-20250929",
        "gpt-5",
        "gpt-5-2025-08-07",
        "gpt-5.2-codex",
        "old-opus-5",
    ];

    /// `=name`, or the names among which it is, or `~` and those that resemble it.
    fn check(word: &str, expect: &str) {
        let mut models = NAMES.map(|name| ModelInfo::new("p", name));
        models[8].deprecated = true;
        let mut blind = ModelInfo::new("p", "opus-embed");
        blind.tools = Some(false);
        let models = [&models[..], &[blind]].concat();
        let names = |models: Vec<ModelInfo>| {
            let names: Vec<String> = models.into_iter().map(|model| model.name).collect();
            names.join(" ")
        };
        let found = match guess(word, &models) {
            Guess::One(model) => format!("={}", model.name),
            Guess::Many(models) => names(models),
            Guess::Vague(models) => format!("~{}", names(models)),
        };
        assert_eq!(found, expect, "{word}");
    }

    #[test]
    fn a_name_is_taken_and_a_part_of_one_is_asked_about_when_it_is_not_clear() {
        check("Claude-Opus-5", "=claude-opus-5");
        check("old-opus-5", "=old-opus-5");
        check("opus-embed", "=opus-embed");
        check("opus 5", "=claude-opus-5");
        check("opus 5.5", "=claude-opus-5-5");
        check("sonnet", "=claude-sonnet-4-5");
        check("opus", "claude-opus-4-5 claude-opus-5 claude-opus-5-5");
        check("codex", "=gpt-5.2-codex");
        check("gpt", "gpt-5 gpt-5.2-codex");
    }

    #[test]
    fn a_newer_name_is_not_taken_for_an_older_one() {
        check("gpt-6", "~gpt-5 gpt-5.2-codex");
        check("opus 4", "=claude-opus-4-5");
        check(
            "claude-5",
            "~claude-opus-5 claude-opus-4-5 claude-opus-5-5 claude-sonnet-4-5",
        );
        check("x", "~gpt-5.2-codex");
        check("--", "~");
    }
}
