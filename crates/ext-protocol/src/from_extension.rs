//! Everything an extension may say, and reading it from a line.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::BadFrame;
use crate::chrome::{Alert, Notify, Status, Submit, Widget, WidgetClear};
use crate::command::CommandResponse;
use crate::gateway::CallTool;
use crate::greeting::Hello;
use crate::intercept::EventInterceptResponse;
use crate::panel::{OpenPanel, PanelClose, PanelRender};
use crate::register::{RegisterCommand, RegisterTool, Subscribe, Unregister, Unsubscribe};
use crate::tool::{Cancel, ToolProgress, ToolResult};

/// Only what tells one frame from another; the rest of the line is not looked at.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(rename = "type", borrow, default)]
    kind: Option<Cow<'a, str>>,
    // Raw, so that an `id` of a wrong type does not hide which frame it is.
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
}

/// The type and id of a frame.
pub(crate) fn head(line: &str) -> Result<(Cow<'_, str>, Option<String>), BadFrame> {
    // A derived `Deserialize` would take `["ready"]` for an object with its fields in order.
    if !line.trim_ascii_start().starts_with('{') {
        return Err(BadFrame::Malformed {
            reason: "a frame is a JSON object".to_owned(),
        });
    }
    let head: Head<'_> = serde_json::from_str(line).map_err(|e| BadFrame::Malformed {
        reason: e.to_string(),
    })?;
    let id = head.id.and_then(|raw| serde_json::from_str(raw.get()).ok());
    Ok((head.kind.ok_or(BadFrame::Untyped)?, id))
}

/// Defines an enum of frames with its two directions from one list.
macro_rules! frames {
    ($(#[$doc:meta])* $name:ident { $($variant:ident($body:ty) = $kind:literal,)* ; unit { $($unit:ident = $unit_kind:literal,)* } }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
        #[serde(tag = "type")]
        #[allow(clippy::large_enum_variant)] // frames are read and handed on one at a time
        pub enum $name {
            $(#[doc = concat!("`", $kind, "`")] #[serde(rename = $kind)] $variant($body),)*
            $(#[doc = concat!("`", $unit_kind, "`, without fields")] #[serde(rename = $unit_kind)] $unit,)*
            /// A type that is not known here; newer peers may send it, nobody minds.
            #[serde(skip)]
            #[schemars(skip)]
            Unknown(String),
        }

        impl $name {
            /// Every known `type`.
            pub const KINDS: &[&str] = &[$($kind,)* $($unit_kind,)*];

            /// The frame's `type`.
            #[must_use]
            pub fn kind(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $kind,)*
                    $(Self::$unit => $unit_kind,)*
                    Self::Unknown(kind) => kind,
                }
            }

            /// Reads one line (without its line end).
            ///
            /// # Errors
            /// When the line is no JSON object with a `type`, or a known frame has a wrong field.
            pub fn decode(line: &str) -> Result<Self, BadFrame> {
                let (kind, id) = $crate::from_extension::head(line)?;
                let wrong = |reason| BadFrame::WrongShape {
                    kind: kind.clone().into_owned(),
                    id: id.clone(),
                    reason,
                };
                if let Some(at) = $crate::escape::lone_surrogate(line)
                    && Self::KINDS.contains(&kind.as_ref())
                {
                    return Err(wrong(format!("half of a surrogate pair at byte {at}")));
                }
                Ok(match kind.as_ref() {
                    $($kind => Self::$variant(serde_json::from_str(line).map_err(|e| wrong(e.to_string()))?),)*
                    $($unit_kind => Self::$unit,)*
                    _ => Self::Unknown(kind.into_owned()),
                })
            }
        }
    };
}
pub(crate) use frames;

frames! {
    /// A frame from an extension to the host.
    FromExtension {
        Hello(Hello) = "hello",
        RegisterCommand(RegisterCommand) = "register_command",
        RegisterTool(RegisterTool) = "register_tool",
        UnregisterCommand(Unregister) = "unregister_command",
        UnregisterTool(Unregister) = "unregister_tool",
        Subscribe(Subscribe) = "subscribe",
        Unsubscribe(Unsubscribe) = "unsubscribe",
        CommandResponse(CommandResponse) = "command_response",
        ToolResult(ToolResult) = "tool_result",
        ToolProgress(ToolProgress) = "tool_progress",
        EventInterceptResponse(EventInterceptResponse) = "event_intercept_response",
        Notify(Notify) = "notify",
        Submit(Submit) = "submit",
        SubmitSlash(Submit) = "submit_slash",
        OpenPanel(OpenPanel) = "open_panel",
        PanelRender(PanelRender) = "panel_render",
        PanelClose(PanelClose) = "panel_close",
        Status(Status) = "status",
        Widget(Widget) = "widget",
        WidgetClear(WidgetClear) = "widget_clear",
        Alert(Alert) = "alert",
        CallTool(CallTool) = "call_tool",
        CallToolCancel(Cancel) = "call_tool_cancel",
        ; unit {
            Ready = "ready",
            ClearNotes = "clear_notes",
            ShutdownAck = "shutdown_ack",
        }
    }
}
