//! What a manifest says it needs, against what is here.

use std::ffi::OsStr;
use std::path::Path;

use zeug_ext_protocol::manifest::Requires;

/// What is missing, as one message; `None` when nothing is.
pub(crate) fn missing(
    requires: &Requires,
    dir: &Path,
    path: Option<&OsStr>,
    version: &str,
) -> Option<String> {
    let absent: Vec<&str> = requires
        .commands
        .iter()
        .map(String::as_str)
        .filter(|command| !on_path(command, path, dir))
        .collect();
    if !absent.is_empty() {
        return Some(format!(
            "it requires {}, not found on PATH; install it",
            absent.join(", ")
        ));
    }
    let condition = requires.zeug.as_deref()?;
    match meets(version, condition) {
        Some(true) => None,
        Some(false) => Some(format!(
            "it requires zeug {condition} and this is {version}; update zeug or use another \
             version of the extension"
        )),
        None => Some(format!(
            "requires.zeug is {condition:?}; write a condition such as \">=0.1\""
        )),
    }
}

/// Whether a bare name is a program on `path`.
pub(crate) fn on_path(command: &str, path: Option<&OsStr>, dir: &Path) -> bool {
    which::which_in(command, path, dir).is_ok()
}

/// Whether `version` meets a condition such as `>=0.1, <1`; `None` when it is no condition.
fn meets(version: &str, condition: &str) -> Option<bool> {
    let version = numbers(version.split(['-', '+']).next()?)?;
    condition
        .split(',')
        .map(|part| meets_one(version, part.trim()))
        .try_fold(true, |all, one| Some(all & one?))
}

fn meets_one(version: [u64; 3], part: &str) -> Option<bool> {
    let number_at = part.find(|c: char| c.is_ascii_digit())?;
    let (operator, text) = part.split_at(number_at);
    let wanted = numbers(text)?;
    let given = text.split('.').count();
    Some(match operator.trim() {
        ">=" => version >= wanted,
        ">" => version > wanted,
        "<=" => version[..given] <= wanted[..given],
        "<" => version < wanted,
        "=" | "==" => version[..given] == wanted[..given],
        // As cargo reads it: nothing left of the first number that is not zero may change.
        "^" | "" => version >= wanted && compatible(version, wanted),
        "~" => version >= wanted && version[..given.min(2)] == wanted[..given.min(2)],
        _ => return None,
    })
}

fn compatible(version: [u64; 3], wanted: [u64; 3]) -> bool {
    let fixed = wanted.iter().position(|n| *n != 0).unwrap_or(2) + 1;
    version[..fixed] == wanted[..fixed]
}

fn numbers(text: &str) -> Option<[u64; 3]> {
    let mut numbers = [0; 3];
    for (at, part) in text.trim().split('.').enumerate() {
        *numbers.get_mut(at)? = part.parse().ok()?;
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_conditions_are_understood() {
        let check = |condition: &str, expect: Option<bool>| {
            assert_eq!(meets("0.3.2", condition), expect, "{condition}");
        };
        check(">=0.1", Some(true));
        check(">=0.4", Some(false));
        check(">= 0.3.2, <1", Some(true));
        check(">0.3.2", Some(false));
        check("<=0.3", Some(true));
        check("=0.3", Some(true));
        check("^0.2", Some(false));
        check("0.3.1", Some(true));
        check("~0.3.5", Some(false));
        check("new", None);
        check(">=1.x", None);
        check("!1", None);
        check("", None);
        assert_eq!(meets("0.3.2-dev+1", ">=0.3"), Some(true));
    }
}
