//! JSON Schemas of the frames and of the manifest, made from the types.

use serde_json::Value;

use crate::manifest::Manifest;
use crate::{FromExtension, ToExtension};

/// Every schema with its file name below `protocol/schemas/`.
#[must_use]
pub fn all() -> Vec<(&'static str, Value)> {
    let text = |schema: schemars::Schema| serde_json::to_value(schema).unwrap_or(Value::Null);
    vec![
        (
            "from-extension.schema.json",
            text(schemars::schema_for!(FromExtension)),
        ),
        (
            "to-extension.schema.json",
            text(schemars::schema_for!(ToExtension)),
        ),
        (
            "extension-manifest.schema.json",
            text(schemars::schema_for!(Manifest)),
        ),
    ]
}
