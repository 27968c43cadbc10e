//! Raw JSON inside a tagged event: serde hands such fields over already parsed, so reading them
//! needs a way of its own.
//!
//! Does not look at the values.

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use zeug_stdx::json::RawJson;

/// Reads a raw value: the text is written anew; the order of keys stays.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RawJson, D::Error> {
    Value::deserialize(deserializer).map(|value| RawJson::from_value(&value))
}

/// The same for a value that may be absent; `null` is one that is there.
pub(crate) fn optional<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<RawJson>, D::Error> {
    deserialize(deserializer).map(Some)
}
