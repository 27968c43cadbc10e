//! Raw JSON inside an event: always on one line, whatever the model's or the tool's layout was.
//!
//! Does not look at the values; numbers and escapes stay as they were written.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use zeug_stdx::json::RawJson;

/// `json` without the white space between its tokens.
fn compact(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut in_string = false;
    let mut escaped = false;
    for c in json.chars() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if c.is_ascii_whitespace() {
            continue;
        } else {
            in_string = c == '"';
        }
        out.push(c);
    }
    out
}

/// Writes a raw value on one line.
pub(crate) fn serialize<S: Serializer>(raw: &RawJson, serializer: S) -> Result<S::Ok, S::Error> {
    if raw.get().bytes().any(|b| b.is_ascii_whitespace()) {
        RawJson::parse(compact(raw.get()))
            .map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    } else {
        raw.serialize(serializer)
    }
}

/// Reads a raw value. A tagged enum hands its fields over already parsed, so the text is written
/// anew; the order of keys stays.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RawJson, D::Error> {
    Value::deserialize(deserializer).map(|value| RawJson::from_value(&value))
}

/// The same for a value that may be absent.
pub(crate) mod optional {
    use super::{Deserializer, RawJson, Serializer};

    /// Writes the value; an absent one is skipped before it comes here.
    pub(crate) fn serialize<S: Serializer>(
        raw: &Option<RawJson>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match raw {
            Some(raw) => super::serialize(raw, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a value that is there; `null` is one.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<RawJson>, D::Error> {
        super::deserialize(deserializer).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_white_space_between_tokens_goes() {
        let check = |input: &str, expect: &str| assert_eq!(compact(input), expect, "{input}");
        check("{\n  \"a b\": [1, 2.50]\r\n}", r#"{"a b":[1,2.50]}"#);
        check(r#"{"q": "say \" x"}"#, r#"{"q":"say \" x"}"#);
        check(r#"{"end": "\\" , "n": 1e400}"#, r#"{"end":"\\","n":1e400}"#);
        check(" null ", "null");
    }
}
