//! Panels: boxes that an extension draws as lines and that get the keys while they are open.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lenient::null_as_default;

/// What a panel shows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PanelSpec {
    /// Unique within the extension.
    pub id: String,
    /// The extension's name when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The body.
    #[serde(default, deserialize_with = "null_as_default")]
    pub lines: Vec<String>,
    /// A muted line below the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footer: Option<String>,
}

/// `{"type":"open_panel","panel":{"id":"todos","lines":["…"]}}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenPanel {
    /// The panel.
    pub panel: PanelSpec,
}

/// `{"type":"panel_render","panel_id":"todos","lines":["…"]}`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PanelRender {
    /// The open panel.
    pub panel_id: String,
    /// Keeps the old one when absent or empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Replaces the body.
    #[serde(default, deserialize_with = "null_as_default")]
    pub lines: Vec<String>,
    /// Replaces the footer; absent clears it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footer: Option<String>,
}

/// `{"type":"panel_close","panel_id":"todos"}`, in both directions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PanelClose {
    /// The panel.
    pub panel_id: String,
}

/// `{"type":"panel_key","panel_id":"todos","key":"rune","text":"x"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PanelKey {
    /// The panel that has the focus.
    pub panel_id: String,
    /// `up down left right enter esc tab backspace delete home end pageup pagedown rune unknown`.
    pub key: String,
    /// The character of a `rune`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// `{"type":"panel_resize","panel_id":"todos","width":60,"height":18}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PanelResize {
    /// The panel.
    pub panel_id: String,
    /// Columns for a line of the body.
    pub width: u16,
    /// Lines of the body that are visible.
    pub height: u16,
}
