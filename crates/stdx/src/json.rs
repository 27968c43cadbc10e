//! JSON that travels unopened: validated once, then passed on as it was written, on one line.
//!
//! Deliberately offers no tree: whoever needs to look inside asks for a typed view.

use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A complete JSON value kept as text, without white space between its tokens: a line end in it
/// would cut a frame in two. Numbers, escapes and the order of keys stay as they were written.
/// Cheap to clone; equality compares the text.
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
        match compact(raw.get()).map(RawValue::from_string) {
            Some(Ok(compact)) => Self(compact.into()),
            // Without white space there is nothing to do, and taking it away breaks no JSON.
            None | Some(Err(_)) => Self(raw.into()),
        }
    }
}

/// `json` without the white space between its tokens; `None` when there is none.
///
/// `json` must be valid JSON.
fn compact(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    let mut out = String::new();
    // Up to where `json` was copied or passed over.
    let mut done = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at + 1),
            byte if byte.is_ascii_whitespace() => {
                out.push_str(&json[done..at]);
                at += 1;
                done = at;
            }
            _ => at += 1,
        }
    }
    (done > 0).then(|| out + &json[done..])
}

/// Just behind the string whose first character is at `at`.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(skipped) = memchr::memchr2(b'"', b'\\', &bytes[at..]) {
        at += skipped;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at = (at + 2).min(bytes.len());
    }
    bytes.len()
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
    fn only_the_white_space_between_tokens_goes() {
        let check = |input: &str, expect: &str| {
            let raw: RawJson = serde_json::from_str(input).unwrap();
            assert_eq!(raw.get(), expect, "{input}");
            assert_eq!(RawJson::parse(input).unwrap(), raw);
            assert_eq!(serde_json::to_string(&raw).unwrap(), expect);
        };
        check("{\n  \"a b\": [1, 2.50]\r\n}", r#"{"a b":[1,2.50]}"#);
        check(r#"{"q": "say \" x"}"#, r#"{"q":"say \" x"}"#);
        check(r#"{"end": "\\" , "n": 1e400}"#, r#"{"end":"\\","n":1e400}"#);
        check(r#"{"b":1,"a":"\u003e"}"#, r#"{"b":1,"a":"\u003e"}"#);
        check(" null ", "null");
    }

    #[test]
    fn two_values_are_not_one() {
        assert!(RawJson::parse("{} {}").is_err());
        assert!(RawJson::parse("").is_err());
    }
}
