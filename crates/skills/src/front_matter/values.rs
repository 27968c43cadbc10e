//! YAML values as the few things that a head may hold; does not know which key they stand under.

use yaml_serde::Value;

/// Text, or what was meant as text: `name: 2048` and `name: on` are names.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// Yes or no.
pub(super) fn switch(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => match number.as_u64()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        },
        Value::String(word) => switch_word(word),
        _ => None,
    }
}

/// Yes or no, in the words of YAML's older versions, too.
pub(super) fn switch_word(word: &str) -> Option<bool> {
    match word.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// Names, as a list or as one text.
pub(super) fn list(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Sequence(items) => items
            .iter()
            .map(text)
            .map(|item| item.map(|text| text.trim().to_owned()))
            .collect(),
        other => text(other).map(|text| names(&text)),
    }
}

/// Names in one text: between commas or, without any, between blanks. `Bash(git log, git diff)`
/// is one name.
pub(super) fn names(text: &str) -> Vec<String> {
    let text = text.trim();
    let inner = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .unwrap_or(text);
    let by_commas = split(inner, |c| c == ',');
    let parts = if by_commas.len() > 1 {
        by_commas
    } else {
        split(inner, char::is_whitespace)
    };
    parts
        .into_iter()
        .map(|part| unquoted(part).to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

fn split(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0_usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 && is_separator(c) => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// Without blanks and one pair of quotes around.
pub(super) fn unquoted(text: &str) -> &str {
    let text = text.trim();
    for quote in ['"', '\''] {
        let inner = text
            .strip_prefix(quote)
            .and_then(|text| text.strip_suffix(quote));
        if let Some(inner) = inner {
            return inner;
        }
    }
    text
}
