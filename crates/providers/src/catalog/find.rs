//! From what somebody typed to a model.

use std::cmp::Reverse;

use super::{ModelInfo, models};
use crate::known::known_provider;

/// The most models that are offered instead of one that does not exist.
const NEAREST: usize = 3;
/// Less alike than this is not alike (Jaro-Winkler, 0 to 1).
const ALIKE: f64 = 0.75;

/// What a word means.
#[derive(Debug, Clone, PartialEq)]
pub enum Match {
    /// This model.
    One(ModelInfo),
    /// One of these, the most probable first.
    Many(Vec<ModelInfo>),
    /// None; these resemble it.
    None(Vec<ModelInfo>),
}

/// What a word means among the models of the catalogue and `extra`; one in `extra` hides one of
/// the same name.
///
/// `provider/name` and exact names come first; else all that have each of the words in their name,
/// or the provider's. A dated name is no choice of its own beside the one without a date.
#[must_use]
pub fn find(query: &str, extra: &[ModelInfo]) -> Match {
    let hidden = |model: &&ModelInfo| {
        let same = |own: &&ModelInfo| own.provider == model.provider && own.name == model.name;
        !extra.iter().any(|own| same(&own))
    };
    find_in(query, extra.iter().chain(models().iter().filter(hidden)))
}

/// What a word means among these models.
#[must_use]
pub fn find_in<'a>(query: &str, among: impl IntoIterator<Item = &'a ModelInfo>) -> Match {
    let among: Vec<&ModelInfo> = among.into_iter().collect();
    let query = query.trim();
    if let Some((provider, name)) = query.split_once('/') {
        let provider = known_provider(provider).map_or(provider, |known| main_key(known.key));
        let full = |model: &&&ModelInfo| {
            model.provider.eq_ignore_ascii_case(provider) && model.name.eq_ignore_ascii_case(name)
        };
        if let Some(model) = among.iter().find(full) {
            return Match::One((*model).clone());
        }
    }
    let exact: Vec<&ModelInfo> = among
        .iter()
        .filter(|model| model.name.eq_ignore_ascii_case(query))
        .copied()
        .collect();
    if !exact.is_empty() {
        return some(exact);
    }
    let words = words(query);
    if words.is_empty() {
        return Match::None(Vec::new());
    }
    let mut alike: Vec<&ModelInfo> = among
        .iter()
        .filter(|model| has(model, &words))
        .copied()
        .collect();
    if alike.is_empty() {
        return Match::None(nearest(query, &among));
    }
    let undated = alike.clone();
    alike.retain(|model| {
        undated_of(model).is_none_or(|name| {
            !undated
                .iter()
                .any(|other| other.provider == model.provider && other.name == name)
        })
    });
    alike.sort_by_key(|model| {
        let begins = model.name.to_lowercase().starts_with(&words[0]);
        (model.deprecated, Reverse(begins), model.name.len())
    });
    some(alike)
}

/// The key under which the models of a provider with several doors stand.
fn main_key(key: &str) -> &str {
    match key {
        "openai-chat" | "openai-responses" => "openai",
        key => key,
    }
}

fn some(models: Vec<&ModelInfo>) -> Match {
    match models.as_slice() {
        [one] => Match::One((*one).clone()),
        _ => Match::Many(models.into_iter().cloned().collect()),
    }
}

fn words(query: &str) -> Vec<String> {
    query
        .to_lowercase()
        .split(|c: char| !(c.is_alphanumeric() || c == '.'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether each word is in the name or the provider, and at least one in the name.
fn has(model: &ModelInfo, words: &[String]) -> bool {
    let name = model.name.to_lowercase();
    let provider = model.provider.to_lowercase();
    words
        .iter()
        .all(|word| name.contains(word) || provider.contains(word))
        && words.iter().any(|word| name.contains(word))
}

fn nearest(query: &str, among: &[&ModelInfo]) -> Vec<ModelInfo> {
    let query = query.to_lowercase();
    let mut ranked: Vec<(f64, &ModelInfo)> = among
        .iter()
        .map(|model| {
            let name = strsim::jaro_winkler(&query, &model.name.to_lowercase());
            let full = strsim::jaro_winkler(&query, &model.full_name().to_lowercase());
            (name.max(full), *model)
        })
        .filter(|(score, model)| *score >= ALIKE && !model.deprecated)
        .collect();
    ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let nearest = ranked.into_iter().take(NEAREST);
    nearest.map(|(_, model)| model.clone()).collect()
}

fn undated_of(model: &ModelInfo) -> Option<&str> {
    undated(&model.name)
}

/// A name without the date at its end: `-20250929`, `-2025-08-07`.
pub(crate) fn undated(name: &str) -> Option<&str> {
    let digits = |text: &str, len: usize| {
        text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (rest, last) = name.rsplit_once('-')?;
    if digits(last, 8) {
        return Some(rest);
    }
    let (rest, month) = rest.rsplit_once('-')?;
    let (rest, year) = rest.rsplit_once('-')?;
    (digits(year, 4) && digits(month, 2) && digits(last, 2)).then_some(rest)
}

#[cfg(test)]
mod tests;
