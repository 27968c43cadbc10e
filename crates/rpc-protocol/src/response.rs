//! The one answer to a request.
//!
//! Does not know what the data of a command is; those shapes are in `data`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;

use crate::BadRequest;

/// `{"type":"response","id":"1","command":"ping","success":true,"data":{"pong":true}}`, or with
/// `"success":false,"error":"…"`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Response {
    /// Always `response`.
    #[serde(rename = "type")]
    pub kind: ResponseKind,
    /// The `id` of the request, when it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The command; empty when it could not be read.
    pub command: String,
    /// Whether it was done.
    pub success: bool,
    /// What came of it, when there is something to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<RawJson>,
    /// Why it was not done, and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What tells a response from an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResponseKind {
    /// The only word there is.
    Response,
}

impl Response {
    /// The answer to a request that was done, or was not.
    #[must_use]
    pub fn new(
        id: Option<String>,
        command: impl Into<String>,
        result: Result<Option<RawJson>, String>,
    ) -> Self {
        let (success, data, error) = match result {
            Ok(data) => (true, data, None),
            Err(error) => (false, None, Some(error)),
        };
        Self {
            kind: ResponseKind::Response,
            id,
            command: command.into(),
            success,
            data,
            error,
        }
    }

    /// The response as compact JSON, `type` first, without a line feed.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| {
            // Only a raw value that is no JSON could come here, and none can be built.
            serde_json::json!({
                "type": "response",
                "id": self.id,
                "command": self.command,
                "success": false,
                "error": error.to_string(),
            })
            .to_string()
        })
    }
}

impl From<BadRequest> for Response {
    fn from(bad: BadRequest) -> Self {
        Self::new(bad.id, bad.command, Err(bad.error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_has_data_or_an_error_and_only_the_id_it_was_given() {
        let check = |response: Response, line: &str| {
            assert_eq!(response.to_line(), line);
            assert_eq!(serde_json::from_str::<Response>(line).unwrap(), response);
        };
        let data = RawJson::parse(r#"{"pong":true}"#).unwrap();
        check(
            Response::new(Some("1".into()), "ping", Ok(Some(data))),
            r#"{"type":"response","id":"1","command":"ping","success":true,"data":{"pong":true}}"#,
        );
        check(
            Response::new(None, "abort", Ok(None)),
            r#"{"type":"response","command":"abort","success":true}"#,
        );
        check(
            Response::from(BadRequest {
                id: None,
                command: String::new(),
                error: "no".into(),
            }),
            r#"{"type":"response","command":"","success":false,"error":"no"}"#,
        );
    }
}
