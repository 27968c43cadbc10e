//! The lines between `---` and `---` at the top of a `SKILL.md`, and the text below them.
//!
//! Tolerant on purpose: these files were written for several programs, some of which read them
//! line by line and never noticed that `description: Use when: it fits` is no YAML. Whatever can
//! be understood is, and what was wrong is said with its line.

mod lines;
mod values;

use yaml_serde::{Mapping, Value};

/// What a file says about its skill.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct FrontMatter {
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) disable_model_invocation: bool,
    pub(crate) allowed_tools: Vec<String>,
}

/// Something wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flaw {
    /// Counted from 1.
    pub(crate) line: usize,
    pub(crate) what: String,
}

/// A file taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document<'a> {
    pub(crate) head: FrontMatter,
    /// What was wrong and could be read all the same.
    pub(crate) flaws: Vec<Flaw>,
    /// Trimmed.
    pub(crate) body: &'a str,
}

/// The most bytes between the two `---` (a few lines are usual; what is larger is no head).
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// The line of the head's first line: it stands below the opening `---`.
const FIRST_LINE: usize = 2;

/// Takes a file apart.
///
/// # Errors
/// When there is no head, or no end of it.
pub(crate) fn parse(text: &str) -> Result<Document<'_>, Flaw> {
    let (head, body) = split(text)?;
    let mut flaws = Vec::new();
    let head = match yaml_serde::from_str::<Value>(head) {
        Ok(Value::Null) => FrontMatter::default(),
        Ok(Value::Mapping(keys)) => understand(&keys, head, &mut flaws),
        Ok(_) => {
            let what = "expected keys such as `description: …`; read line by line".to_owned();
            flaws.push(Flaw {
                line: FIRST_LINE,
                what,
            });
            lines::read(head)
        }
        Err(error) => {
            let at = error.location().map_or(1, |place| place.line().max(1));
            flaws.push(Flaw {
                line: at - 1 + FIRST_LINE,
                what: format!(
                    "no YAML ({}); read line by line, put a value with `: ` or `#` in quotes",
                    without_place(&error.to_string())
                ),
            });
            lines::read(head)
        }
    };
    Ok(Document { head, flaws, body })
}

/// The body alone, for a file whose head was read before.
///
/// # Errors
/// When the head is gone.
pub(crate) fn body(text: &str) -> Result<&str, Flaw> {
    split(text).map(|(_, body)| body)
}

fn split(text: &str) -> Result<(&str, &str), Flaw> {
    let flaw = |line, what: &str| Flaw {
        line,
        what: what.to_owned(),
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some((first, rest)) = text.split_once('\n') else {
        return Err(flaw(1, NO_HEAD));
    };
    if first.trim_end() != "---" {
        return Err(flaw(1, NO_HEAD));
    }
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return Ok((&rest[..end], rest[end + line.len()..].trim()));
        }
        end += line.len();
        if end > MAX_HEAD_BYTES {
            return Err(flaw(
                1,
                "the head between the two `---` lines is longer than 16 KiB",
            ));
        }
    }
    Err(flaw(1, "the head has no end: add a line `---` below it"))
}

const NO_HEAD: &str =
    "no head: begin the file with `---`, a line `description: …` and another `---`";

fn understand(keys: &Mapping, head: &str, flaws: &mut Vec<Flaw>) -> FrontMatter {
    let mut get = |key: &str, expected: &str, read: &mut dyn FnMut(&Value) -> Option<()>| {
        let Some(value) = keys.get(key) else { return };
        if !value.is_null() && read(value).is_none() {
            flaws.push(Flaw {
                line: line_of(head, key),
                what: format!("{key} must be {expected}"),
            });
        }
    };
    let mut matter = FrontMatter::default();
    get("name", "text", &mut |value| {
        matter.name = Some(values::text(value)?);
        Some(())
    });
    get("description", "text", &mut |value| {
        matter.description = Some(values::text(value)?);
        Some(())
    });
    get("disable-model-invocation", "true or false", &mut |value| {
        // Whoever wrote the key wanted to keep the model away.
        matter.disable_model_invocation = true;
        matter.disable_model_invocation = values::switch(value)?;
        Some(())
    });
    get("allowed-tools", "a list of names", &mut |value| {
        matter.allowed_tools = values::list(value)?;
        Some(())
    });
    matter
}

/// The line of the file on which a top-level key stands.
fn line_of(head: &str, key: &str) -> usize {
    let stands = |line: &str| {
        let line = line.trim_start_matches(['"', '\'']);
        line.strip_prefix(key)
            .is_some_and(|rest| rest.starts_with([':', '"', '\'', ' ']))
    };
    head.lines().position(stands).unwrap_or(0) + FIRST_LINE
}

/// The message without ` at line 2 column 5`: that counts from the head, not from the file.
fn without_place(message: &str) -> &str {
    let end = message.find(" at line ").unwrap_or(message.len());
    &message[..end]
}

#[cfg(test)]
mod tests;
