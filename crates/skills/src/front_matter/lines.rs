//! A head that is no YAML, read line by line: `key: value` at the left edge counts, what is
//! indented below belongs to it.

use super::FrontMatter;
use super::values::{names, switch_word, unquoted};

/// What can be understood.
pub(super) fn read(head: &str) -> FrontMatter {
    let mut matter = FrontMatter::default();
    let mut lines = head.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((key, value)) = pair(line) else {
            continue;
        };
        let mut below = Vec::new();
        while let Some(more) = lines.next_if(|next| belongs(next)) {
            below.push(more.trim());
        }
        match key {
            "name" => matter.name = filled(unquoted(value)),
            "description" => matter.description = filled(&running(value, &below)),
            "disable-model-invocation" => {
                matter.disable_model_invocation = switch_word(unquoted(value)).unwrap_or(true);
            }
            "allowed-tools" => matter.allowed_tools = tools(value, &below),
            _ => {}
        }
    }
    matter
}

/// `key: value` at the left edge.
fn pair(line: &str) -> Option<(&str, &str)> {
    if line.starts_with([' ', '\t', '#', '-']) {
        return None;
    }
    let (key, value) = line.split_once(':')?;
    Some((unquoted(key), value.trim()))
}

/// Whether a line goes on with the value above it.
fn belongs(line: &str) -> bool {
    line.starts_with([' ', '\t', '-']) && !line.trim().is_empty()
}

fn filled(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// A value over several lines as running text; `>` and `|` only announce it.
fn running(value: &str, below: &[&str]) -> String {
    let announces = value.starts_with(['>', '|']) && value.len() <= 3;
    let first = if announces { "" } else { value };
    let parts = std::iter::once(first).chain(below.iter().copied());
    let joined: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    unquoted(&joined.join(" ")).to_owned()
}

fn tools(value: &str, below: &[&str]) -> Vec<String> {
    if !value.is_empty() {
        return names(value);
    }
    let items = below.iter().filter_map(|line| line.strip_prefix('-'));
    items.filter_map(|item| filled(unquoted(item))).collect()
}
