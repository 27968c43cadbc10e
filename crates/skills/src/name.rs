//! What a skill may be called; does not know who else is called so.

use std::path::{Component, Path};

use zeug_stdx::text;

/// The most bytes of a name (as for tools and extensions).
pub(crate) const MAX_NAME_BYTES: usize = 64;

/// Whether a name can be typed after `/skill:` and stands on one line.
pub(crate) fn is_valid(name: &str) -> bool {
    (1..=MAX_NAME_BYTES).contains(&name.len())
        && name.starts_with(char::is_alphanumeric)
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'))
}

/// Two names with one key are one name: what is typed has no reliable case.
pub(crate) fn key(name: &str) -> String {
    name.to_lowercase()
}

/// The valid name nearest to a text: lower case, words joined by hyphens.
pub(crate) fn kebab(text: &str) -> Option<String> {
    let mut name = String::new();
    for c in text.trim().chars() {
        if c.is_alphanumeric() || matches!(c, '.' | ':') {
            name.extend(c.to_lowercase());
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    let start = name.trim_start_matches(|c: char| !c.is_alphanumeric());
    let name = text::prefix(start, MAX_NAME_BYTES).trim_end_matches(['-', '.', ':']);
    is_valid(name).then(|| name.to_owned())
}

/// A path as a name: `Git Tools/commit` is `git-tools-commit`.
pub(crate) fn of_path(path: &Path) -> Option<String> {
    kebab(&slashed(path))
}

/// A relative path with `/` between its parts on every system.
pub(crate) fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_string_lossy()),
            _ => None,
        })
        .collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_typed_as_one_word() {
        for good in ["a", "code-review", "git-tools:commit", "v1.2_x", "größe"] {
            assert!(is_valid(good), "{good}");
        }
        let long = "a".repeat(65);
        for bad in ["", "a b", "-a", ":a", "a/b", "a\n", "../x", "[x]", &long] {
            assert!(!is_valid(bad), "{bad}");
        }
    }

    #[test]
    fn texts_and_paths_become_names() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(of_path(Path::new(text)).as_deref(), expect, "{text}");
        };
        check("Code Review", Some("code-review"));
        check("git/Commit_Message", Some("git-commit-message"));
        check("./a//b/", Some("a-b"));
        check("!!!", None);
        check("", None);
        assert_eq!(kebab("a - b --").as_deref(), Some("a-b"));
        assert_eq!(kebab(&"é".repeat(60)).unwrap().len(), 64);
    }
}
