//! The handshake: `hello` from the extension, `hello_ack` from the host, and the goodbye.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lenient::null_as_default;

/// `{"type":"hello","protocol_version":2,"name":"weather","version":"1.0.0","capabilities":["tools"]}`
///
/// The first line of every extension. A zot extension has no `protocol_version`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// Absent, 0 or 1: version 1. 2: version 2. See [`crate::dialect::Dialect::choose`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol_version: Option<i64>,
    /// The extension's name; should equal the manifest's, which is the one that counts.
    pub name: String,
    /// The extension's own version.
    #[serde(default, deserialize_with = "null_as_default")]
    pub version: String,
    /// What it can do; see [`crate::capability`]. Most are advisory.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub capabilities: Vec<String>,
}

/// `{"type":"hello_ack","protocol_version":2,"zeug_version":"0.1.0","zut_version":"0.1.0",…}`
///
/// The host's first frame, and its answer to [`Hello`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct HelloAck {
    /// The extension's own version, repeated.
    pub protocol_version: u32,
    /// The host's version.
    #[serde(default)]
    pub zeug_version: String,
    /// The same, under the name that version 1 peers look for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zot_version: Option<String>,
    /// The same, under the name that version 2 peers look for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zut_version: Option<String>,
    /// The active provider's key.
    pub provider: String,
    /// The active model.
    pub model: String,
    /// The project directory. The process itself runs in `extension_dir`.
    pub cwd: String,
    /// The extension's directory.
    pub extension_dir: String,
    /// Where the extension may keep files.
    pub data_dir: String,
    /// What the host can do; see [`crate::capability`].
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub capabilities: Vec<String>,
    /// The open session, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Session>,
}

/// A session branch.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// The branch.
    pub id: String,
    /// The branch it was forked from; absent for roots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// The session file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its project directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// How many messages it shares with its parent; absent when 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork_point: Option<u64>,
}
