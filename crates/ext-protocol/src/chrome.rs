//! What an extension shows around the conversation: notes, status items, widgets, alerts; and
//! text it submits.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lenient::null_as_default;

/// `{"type":"notify","level":"info","message":"refreshed cache"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Notify {
    /// `info`, `success`, `warn` or `error`; any other counts as `info`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub level: String,
    /// Possibly several lines.
    #[serde(default, deserialize_with = "null_as_default")]
    pub message: String,
}

/// `{"type":"status","key":"progress","level":"success","text":"2/4"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Status {
    /// The item.
    pub key: String,
    /// As in [`Notify`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Empty or absent clears the item.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "String::is_empty"
    )]
    pub text: String,
}

/// `{"type":"widget","id":"progress","position":"above_input","title":"…","lines":["…"]}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Widget {
    /// The widget.
    pub id: String,
    /// Only a wish; unknown ones count as `above_input`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Its headline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its body.
    #[serde(default, deserialize_with = "null_as_default")]
    pub lines: Vec<String>,
}

/// `{"type":"widget_clear","id":"progress"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WidgetClear {
    /// The widget.
    pub id: String,
}

/// `{"type":"alert","kind":"bell","reason":"question_ready"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Alert {
    /// Only `bell` is known.
    pub kind: String,
    /// For programs; not shown.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "String::is_empty"
    )]
    pub reason: String,
}

/// `{"type":"submit","text":"…"}` and `{"type":"submit_slash","text":"/clear"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Submit {
    /// A prompt, or a slash command.
    #[serde(default, deserialize_with = "null_as_default")]
    pub text: String,
}
