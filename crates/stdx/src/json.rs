//! JSON that travels unopened: validated once, then passed on as the bytes that came in.
//!
//! Deliberately offers no tree: whoever needs to look inside asks for a typed view.

use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A complete JSON value kept as text. Cheap to clone; equality compares the text.
#[derive(Clone)]
pub struct RawJson(Arc<RawValue>);

impl RawJson {
    /// Takes over a text that must be one JSON value.
    ///
    /// # Errors
    /// The parse error when `text` is not exactly one JSON value.
    pub fn parse(text: impl Into<String>) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text.into()).map(Self::from)
    }

    /// The JSON text of any serialisable value.
    ///
    /// # Errors
    /// Only what the value's own `Serialize` raises (a map with non-string keys, for example).
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(value).map(Self::from)
    }

    /// `{}`.
    #[must_use]
    pub fn empty_object() -> Self {
        Self::from_value(&serde_json::Value::Object(serde_json::Map::new()))
    }

    /// `null`.
    #[must_use]
    pub fn null() -> Self {
        Self(RawValue::NULL.to_owned().into())
    }

    /// The text of a tree, which always has one.
    #[must_use]
    pub fn from_value(value: &serde_json::Value) -> Self {
        Self::parse(value.to_string()).unwrap_or_else(|_| Self::null())
    }

    /// The JSON text, as it came.
    #[must_use]
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// A typed view of the value.
    ///
    /// # Errors
    /// When the value has another shape than `T`.
    pub fn view<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.get())
    }

    /// The value as a tree.
    #[must_use]
    pub fn to_value(&self) -> serde_json::Value {
        self.view().unwrap_or(serde_json::Value::Null)
    }

    /// Whether the value is a JSON object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.get().trim_start().starts_with('{')
    }

    /// Whether the value is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.get().trim() == "null"
    }
}

impl From<Box<RawValue>> for RawJson {
    fn from(raw: Box<RawValue>) -> Self {
        Self(raw.into())
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for RawJson {}

impl Default for RawJson {
    fn default() -> Self {
        Self::null()
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self::from)
    }
}

impl schemars::JsonSchema for RawJson {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AnyJson".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "description": "Any JSON value." })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_json_keeps_the_text_as_it_came() {
        let raw: RawJson = serde_json::from_str(r#"{"b":1, "a":"\u003e"}"#).unwrap();
        assert_eq!(raw.get(), r#"{"b":1, "a":"\u003e"}"#);
        assert_eq!(serde_json::to_string(&raw).unwrap(), raw.get());
    }

    #[test]
    fn two_values_are_not_one() {
        assert!(RawJson::parse("{} {}").is_err());
        assert!(RawJson::parse("").is_err());
    }
}
