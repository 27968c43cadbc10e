//! `extension.json`: what an extension says about itself before it runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::lenient::null_as_default;

/// The file's name.
pub const FILE: &str = "extension.json";

/// The manifest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// The name that counts everywhere: log, notes, lists, state.
    pub name: String,
    /// The extension's version, for lists.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "String::is_empty"
    )]
    pub version: String,
    /// The program: absolute, relative to the extension's directory when it contains a slash,
    /// else looked up on `PATH`. May be absent when the extension only brings a theme.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "String::is_empty"
    )]
    pub exec: String,
    /// Its arguments, passed as they are: there is no shell.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub args: Vec<String>,
    /// For information.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "String::is_empty"
    )]
    pub language: String,
    /// One line for lists.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "String::is_empty"
    )]
    pub description: String,
    /// `false` keeps it installed without starting it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Relative directories with bundled skills.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub skills: Vec<String>,
    /// Another transport than stdio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport: Option<serde_json::Value>,
    /// `on-crash` asks for a restart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart: Option<String>,
    /// What it may do; absent means everything the user may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Permissions>,
    /// What it needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires: Option<Requires>,
    /// Where to read about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// An SPDX expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Keys nobody here knows; kept when the file is rewritten.
    #[serde(flatten)]
    pub other: serde_json::Map<String, serde_json::Value>,
}

/// What an extension may do.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Permissions {
    /// Names of environment variables it gets although zeug uses them as credentials.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// All other scopes.
    #[serde(flatten)]
    pub other: serde_json::Map<String, serde_json::Value>,
}

/// What an extension needs, checked when it is loaded.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Requires {
    /// Programs that must be on `PATH`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<String>,
    /// A condition on the host's version such as `>=0.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zeug: Option<String>,
}

/// Why a manifest cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadManifest {
    /// Not JSON of the right shape.
    #[error("manifest: {0}")]
    Shape(String),
    /// No name.
    #[error("manifest: name is required")]
    NoName,
    /// A name that could leave its directory, hide, or mislead.
    #[error(
        "manifest: invalid extension name {0:?}: use letters, digits, '.', '_' and '-', start with a letter or digit, at most 64 bytes"
    )]
    BadName(String),
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// When it is no manifest or has an unusable name.
    pub fn parse(text: &str) -> Result<Self, BadManifest> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let manifest: Self = serde_json::from_str(text).map_err(|e| match e.to_string() {
            m if m.starts_with("missing field `name`") => BadManifest::NoName,
            m => BadManifest::Shape(m),
        })?;
        if manifest.name.is_empty() {
            return Err(BadManifest::NoName);
        }
        if !valid_name(&manifest.name) {
            return Err(BadManifest::BadName(manifest.name));
        }
        Ok(manifest)
    }

    /// Whether it should be started.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.enabled.unwrap_or(true)
    }
}

/// Whether an extension may have this name: it becomes a file name and a label.
#[must_use]
pub fn valid_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_are_kept() {
        let text = r#"{"name":"a","exec":"./a","args":null,"x":{"y":1}}"#;
        let manifest = Manifest::parse(text).unwrap();
        assert!(manifest.is_enabled() && manifest.args.is_empty());
        assert!(
            serde_json::to_string(&manifest)
                .unwrap()
                .contains(r#""x":{"y":1}"#)
        );
    }

    #[test]
    fn names_that_escape_are_refused() {
        for name in ["../x", "a/b", ".hidden", "a b", " a", "-a", "a\\b", "é"] {
            let text = serde_json::json!({ "name": name }).to_string();
            assert_eq!(
                Manifest::parse(&text),
                Err(BadManifest::BadName(name.into()))
            );
        }
        assert_eq!(Manifest::parse("{}"), Err(BadManifest::NoName));
        assert_eq!(Manifest::parse(r#"{"name":""}"#), Err(BadManifest::NoName));
        assert!(matches!(Manifest::parse("["), Err(BadManifest::Shape(_))));
    }
}
