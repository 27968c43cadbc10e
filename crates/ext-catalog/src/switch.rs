//! The `enabled` key of a manifest: only its value is written, every other byte stays.

use std::fmt;
use std::path::Path;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use zeug_ext_protocol::manifest::FILE;

use crate::installed::Entry;
use crate::{CatalogError, file};

/// Switches an extension on or off; false when it already was so.
///
/// Takes effect when extensions are loaded the next time.
///
/// # Errors
/// When the manifest is broken or cannot be written.
pub fn set_enabled(entry: &Entry, enabled: bool) -> Result<bool, CatalogError> {
    match &entry.manifest {
        Ok(manifest) if manifest.is_enabled() == enabled => Ok(false),
        Ok(_) => write(&entry.dir, enabled).map(|()| true),
        Err(message) => Err(CatalogError::unusable(&entry.dir, message)),
    }
}

pub(crate) fn write(dir: &Path, enabled: bool) -> Result<(), CatalogError> {
    let path = dir.join(FILE);
    let text = file::read(&path)?.unwrap_or_default();
    let new = with_enabled(&text, enabled)
        .ok_or_else(|| CatalogError::unusable(dir, format!("{FILE} is no JSON object")))?;
    file::replace(&path, &new)
}

/// The value as the manifest says it; `None` when it does not.
pub(crate) fn read(text: &str) -> Option<bool> {
    #[derive(Deserialize)]
    struct Switch {
        enabled: Option<bool>,
    }
    let switch = serde_json::from_str::<Switch>(text.trim_start_matches('\u{feff}'));
    switch.ok()?.enabled
}

fn with_enabled(text: &str, enabled: bool) -> Option<String> {
    let Members(members) = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    let start_of = |value: &RawValue| value.get().as_ptr().addr() - text.as_ptr().addr();
    let switch = members.iter().rev().find(|(key, _)| key == "enabled");
    let (at, end, new) = if let Some((_, value)) = switch {
        let at = start_of(value);
        (at, at + value.get().len(), enabled.to_string())
    } else {
        let open = text.find('{')? + 1;
        let (at, comma) = match members.last() {
            Some((_, value)) => (start_of(value) + value.get().len(), ","),
            None => (open, ""),
        };
        let space: String = text[open..]
            .chars()
            .take_while(|c| c.is_whitespace())
            .collect();
        (at, at, format!("{comma}{space}\"enabled\": {enabled}"))
    };
    Some(format!("{}{new}{}", &text[..at], &text[end..]))
}

/// The members of an object in the order of the text, values unread.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_switch_is_written() {
        let check = |text: &str, expect: &str| {
            assert_eq!(with_enabled(text, false).as_deref(), Some(expect));
        };
        check(
            "{\n  \"z\": 1.50,\n  \"enabled\" : true,\n  \"a\": 1e9\n}\n",
            "{\n  \"z\": 1.50,\n  \"enabled\" : false,\n  \"a\": 1e9\n}\n",
        );
        check(
            "{\n\t\"name\": \"x\",\n\t\"y\": {\"enabled\": true}\n}",
            "{\n\t\"name\": \"x\",\n\t\"y\": {\"enabled\": true},\n\t\"enabled\": false\n}",
        );
        check("{\"name\":\"x\"}", "{\"name\":\"x\",\"enabled\": false}");
        check("{}", "{\"enabled\": false}");
        check("\u{feff}{\"enabled\":null}", "\u{feff}{\"enabled\":false}");
        assert_eq!(with_enabled("[1]", true), None);
    }

    #[test]
    fn the_switch_is_read() {
        assert_eq!(read("{\"enabled\":false}"), Some(false));
        assert_eq!(read("{}"), None);
        assert_eq!(read("x"), None);
    }
}
