//! Values of one kind each, and what is said when they are of another.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use toml::de::{DeTable, DeValue};

use super::{Reader, Value};
use crate::ConfigError;

impl Reader<'_> {
    pub(super) fn wrong(
        &self,
        key: &str,
        value: &Value<'_>,
        expected: impl Into<String>,
    ) -> ConfigError {
        let found = match value.get_ref() {
            DeValue::String(text) => format!("{text:?}"),
            DeValue::Integer(number) => number.to_string(),
            other => format!("a value of type {}", other.type_str()),
        };
        ConfigError::Value {
            file: self.source.file.to_owned(),
            line: self.source.line(value.span()),
            key: key.to_owned(),
            expected: expected.into(),
            found,
        }
    }

    pub(super) fn text(&self, key: &str, value: &Value<'_>) -> Result<String, ConfigError> {
        match value.get_ref().as_str() {
            Some(text) if !text.trim().is_empty() => Ok(text.to_owned()),
            _ => Err(self.wrong(key, value, "a text in quotes that is not empty")),
        }
    }

    pub(super) fn texts(
        &self,
        key: &str,
        value: &Value<'_>,
    ) -> Result<BTreeSet<String>, ConfigError> {
        let expected = "a list of names such as [\"weather\"]";
        let Some(items) = value.get_ref().as_array() else {
            return Err(self.wrong(key, value, expected));
        };
        items
            .iter()
            .map(|item| match item.get_ref().as_str() {
                Some(text) => Ok(text.to_owned()),
                None => Err(self.wrong(key, item, expected)),
            })
            .collect()
    }

    pub(super) fn integer(
        &self,
        key: &str,
        value: &Value<'_>,
        bounds: RangeInclusive<u64>,
    ) -> Result<u64, ConfigError> {
        value
            .get_ref()
            .as_integer()
            .and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok())
            .filter(|number| bounds.contains(number))
            .ok_or_else(|| {
                let (least, most) = (bounds.start(), bounds.end());
                self.wrong(key, value, format!("a whole number from {least} to {most}"))
            })
    }

    pub(super) fn switch(&self, key: &str, value: &Value<'_>) -> Result<bool, ConfigError> {
        value
            .get_ref()
            .as_bool()
            .ok_or_else(|| self.wrong(key, value, "true or false"))
    }

    pub(super) fn one_of<T: Copy>(
        &self,
        key: &str,
        value: &Value<'_>,
        names: &[(&str, T)],
    ) -> Result<T, ConfigError> {
        let text = value.get_ref().as_str();
        match names.iter().find(|(name, _)| Some(*name) == text) {
            Some((_, found)) => Ok(*found),
            None => {
                let names: Vec<_> = names.iter().map(|(name, _)| format!("{name:?}")).collect();
                Err(self.wrong(key, value, names.join(" or ")))
            }
        }
    }

    pub(super) fn table<'v, 'i>(
        &self,
        key: &str,
        value: &'v Value<'i>,
    ) -> Result<&'v DeTable<'i>, ConfigError> {
        value
            .get_ref()
            .as_table()
            .ok_or_else(|| self.wrong(key, value, "a table"))
    }
}
