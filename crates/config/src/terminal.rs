//! `[terminal]`: how the terminal face looks and behaves, read, and changed from within it.

use std::io;
use std::path::Path;

use toml_edit::{DocumentMut, Item, Table};

use crate::replace::replace;
use crate::{ConfigError, Paths, Setting};

const TABLE: &str = "terminal";
/// The permissions of a file that is made here.
const MODE: u32 = 0o644;

/// `[terminal]` of the user's own file. What is not set is as the terminal and the face want it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terminal {
    /// `theme`: `"dark"`, `"light"`, or the name of a theme file; unset, it follows the background.
    pub theme: Setting<Option<String>>,
    /// `mouse`: the wheel scrolls; off, the terminal selects text.
    pub mouse: Setting<Option<bool>>,
    /// `bell`: extensions may ring it.
    pub bell: Setting<Option<bool>>,
    /// `calm`: nothing moves that need not.
    pub calm: Setting<Option<bool>>,
    /// `unicode`: boxes and marks beyond ASCII; unset, the locale decides.
    pub unicode: Setting<Option<bool>>,
    /// `resources`: what was loaded is listed at the start.
    pub resources: Setting<Option<bool>>,
}

impl Terminal {
    pub(crate) const KEYS: [&'static str; 6] =
        ["theme", "mouse", "bell", "calm", "unicode", "resources"];

    /// The switch of this name.
    pub(crate) fn switch(&mut self, name: &str) -> Option<&mut Setting<Option<bool>>> {
        match name {
            "mouse" => Some(&mut self.mouse),
            "bell" => Some(&mut self.bell),
            "calm" => Some(&mut self.calm),
            "unicode" => Some(&mut self.unicode),
            "resources" => Some(&mut self.resources),
            _ => None,
        }
    }
}

/// A value of `[terminal]`, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// A switch.
    Switch(bool),
    /// A name.
    Name(String),
}

impl Terminal {
    /// Writes one value into the user's `config.toml` and leaves everything else there as it is,
    /// comments too.
    ///
    /// # Errors
    /// When the file is no TOML, has something else in the table's place, or cannot be written; it
    /// is then as it was.
    pub fn keep(paths: &Paths, key: &str, value: &Kept) -> Result<(), ConfigError> {
        let file = paths.config();
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(cause) => return Err(ConfigError::Read { file, cause }),
        };
        let text = with(&file, &text, key, value)?;
        replace(&file, &text, MODE).map_err(|cause| ConfigError::Write { file, cause })
    }
}

/// The text with one value changed.
fn with(file: &Path, text: &str, key: &str, value: &Kept) -> Result<String, ConfigError> {
    let mut document: DocumentMut = text.parse().map_err(|e: toml_edit::TomlError| {
        let at = e.span().map_or(0, |span| span.start).min(text.len());
        ConfigError::Syntax {
            file: file.to_owned(),
            line: text.as_bytes()[..at]
                .iter()
                .filter(|b| **b == b'\n')
                .count()
                + 1,
            message: e.message().to_owned(),
        }
    })?;
    let table = document
        .entry(TABLE)
        .or_insert_with(|| Item::Table(Table::new()));
    let Some(table) = table.as_table_like_mut() else {
        return Err(ConfigError::Value {
            file: file.to_owned(),
            line: 1,
            key: TABLE.to_owned(),
            expected: "a table".to_owned(),
            found: "something else".to_owned(),
        });
    };
    let mut item = match value {
        Kept::Switch(is_on) => toml_edit::Value::from(*is_on),
        Kept::Name(name) => toml_edit::Value::from(name.as_str()),
    };
    // What stands behind the old value, as a comment, stays there.
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        *item.decor_mut() = old.decor().clone();
    }
    match table.get_mut(key) {
        Some(old) => *old = Item::Value(item),
        None => drop(table.insert(key, Item::Value(item))),
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, key: &str, value: &Kept, after: &str) {
        let dir = tempfile::tempdir().unwrap();
        let paths = Paths::at(dir.path().join("home"));
        if !before.is_empty() {
            std::fs::create_dir_all(paths.home()).unwrap();
            std::fs::write(paths.config(), before).unwrap();
        }
        Terminal::keep(&paths, key, value).unwrap();
        assert_eq!(std::fs::read_to_string(paths.config()).unwrap(), after);
    }

    #[test]
    fn one_value_changes_and_the_rest_of_the_file_stays() {
        let off = Kept::Switch(false);
        check("", "bell", &off, "[terminal]\nbell = false\n");
        check(
            "# mine\nmodel = \"a\" # good\n\n[terminal]\n# loud\nbell = true # really\nmouse = true\n",
            "bell",
            &off,
            "# mine\nmodel = \"a\" # good\n\n[terminal]\n# loud\nbell = false # really\nmouse = true\n",
        );
        check(
            "terminal = { bell = true }\n",
            "theme",
            &Kept::Name("a\"b".to_owned()),
            "terminal = { bell = true , theme = 'a\"b' }\n",
        );
    }

    #[test]
    fn a_file_that_cannot_be_understood_is_left_alone() {
        let check = |before: &str, expect: &str| {
            let dir = tempfile::tempdir().unwrap();
            let paths = Paths::at(dir.path());
            std::fs::write(paths.config(), before).unwrap();
            let error = Terminal::keep(&paths, "bell", &Kept::Switch(true)).unwrap_err();
            assert!(error.to_string().contains(expect), "{error}");
            assert_eq!(std::fs::read_to_string(paths.config()).unwrap(), before);
        };
        check("model = \"a\"\nbell = = 1", "config.toml:2: ");
        check("terminal = 3", "terminal must be a table");
    }
}
