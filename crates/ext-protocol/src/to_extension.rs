//! Everything the host may say, and writing it as a line.

use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use crate::BadFrame;
use crate::command::CommandInvoked;
use crate::event::Event;
use crate::from_extension::frames;
use crate::gateway::CallToolResult;
use crate::greeting::HelloAck;
use crate::intercept::EventIntercept;
use crate::limits::FRAME_BYTES;
use crate::panel::{PanelClose, PanelKey, PanelResize};
use crate::tool::{Cancel, ToolCall};

frames! {
    /// A frame from the host to an extension.
    ToExtension {
        HelloAck(HelloAck) = "hello_ack",
        CommandInvoked(CommandInvoked) = "command_invoked",
        ToolCall(ToolCall) = "tool_call",
        ToolCancel(Cancel) = "tool_cancel",
        Event(Event) = "event",
        EventIntercept(EventIntercept) = "event_intercept",
        PanelKey(PanelKey) = "panel_key",
        PanelClose(PanelClose) = "panel_close",
        PanelResize(PanelResize) = "panel_resize",
        ToolResult(CallToolResult) = "tool_result",
        ; unit {
            Shutdown = "shutdown",
        }
    }
}

/// A frame over the limit; it is not sent.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind} frame of {bytes} bytes is over the limit of {FRAME_BYTES} bytes (4 MiB)")]
pub struct FrameTooLong {
    /// Its `type`.
    pub kind: String,
    /// Its size.
    pub bytes: usize,
}

impl ToExtension {
    /// The frame as one compact line without its line end: `type` first, `id` second.
    ///
    /// # Errors
    /// When it is longer than a frame may be.
    pub fn encode(&self) -> Result<Vec<u8>, FrameTooLong> {
        // Frames consist of strings, numbers and JSON that was parsed before: writing them to
        // memory has no way to fail.
        let line = serde_json::to_vec(self).unwrap_or_default();
        if line.len() > FRAME_BYTES {
            return Err(FrameTooLong {
                kind: self.kind().to_owned(),
                bytes: line.len(),
            });
        }
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeug_stdx::json::RawJson;

    #[test]
    fn type_is_first_and_id_second() {
        let call = ToExtension::ToolCall(crate::tool::ToolCall {
            id: "call-1".into(),
            name: "weather".into(),
            args: RawJson::parse(r#"{"city":"Berlin"}"#).unwrap(),
        });
        let line = String::from_utf8(call.encode().unwrap()).unwrap();
        assert_eq!(
            line,
            r#"{"type":"tool_call","id":"call-1","name":"weather","args":{"city":"Berlin"}}"#
        );
        assert_eq!(ToExtension::decode(&line).unwrap(), call);
        assert_eq!(
            ToExtension::Shutdown.encode().unwrap(),
            br#"{"type":"shutdown"}"#
        );
    }

    #[test]
    fn pretty_printed_arguments_leave_on_one_line() {
        let check = |args: &str, expect: &str| {
            let call = ToExtension::ToolCall(crate::tool::ToolCall {
                id: "call-1".into(),
                name: "write".into(),
                args: RawJson::parse(args).unwrap(),
            });
            let line = String::from_utf8(call.encode().unwrap()).unwrap();
            let start = r#"{"type":"tool_call","id":"call-1","name":"write","args":"#;
            assert_eq!(line, format!("{start}{expect}}}"));
        };
        check("{\n  \"a b\": [ 1, 2.50 ]\r\n}", r#"{"a b":[1,2.50]}"#);
        check(r#"{ "q": "say \" x \\" }"#, r#"{"q":"say \" x \\"}"#);
        check(
            r#"{"n" : "a\n b", "big": 1e400}"#,
            r#"{"n":"a\n b","big":1e400}"#,
        );
    }

    #[test]
    fn a_frame_over_the_limit_is_not_written() {
        let frame = |len: usize| {
            ToExtension::ToolCancel(Cancel {
                id: "x".repeat(len),
            })
        };
        let rest = frame(0).encode().unwrap().len();
        assert!(frame(FRAME_BYTES - rest).encode().is_ok());
        let err = frame(FRAME_BYTES - rest + 1).encode().unwrap_err();
        assert_eq!(err.bytes, FRAME_BYTES + 1);
    }
}
