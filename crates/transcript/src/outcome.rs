//! How a tool call ended, and the bounded copy of it that observers get.

use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;
use zeug_stdx::text;

use crate::Content;

/// The most bytes of text and base64 an observer gets of one result (spec: 256 KiB).
pub const OBSERVED_BYTES: usize = 256 * 1024;
/// The most blocks an observer gets of one result.
pub const OBSERVED_BLOCKS: usize = 128;

/// The one way a call settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It ran and reported success.
    Completed,
    /// It ran and reported an error, or could not run.
    Failed,
    /// Somebody refused it.
    Blocked,
    /// The user, or whoever waited for it, gave it up.
    Cancelled,
    /// It ran out of time.
    TimedOut,
}

impl Status {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Blocked => "blocked",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
        }
    }

    /// Whether the model is told that the call went wrong.
    #[must_use]
    pub fn is_error(self) -> bool {
        self != Self::Completed
    }
}

/// What came of one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// How it settled.
    pub status: Status,
    /// What the model is told.
    pub content: Vec<Content>,
    /// The tool's own state snapshot, kept by whoever keeps sessions; `null` clears it.
    pub details: Option<RawJson>,
    /// The result as a JSON value, for scripts and JSON clients.
    pub structured: Option<RawJson>,
    /// Names of deferred tools that are available from now on.
    pub activate_tools: Vec<String>,
}

impl Outcome {
    /// An outcome with one text block.
    pub fn text(status: Status, text: impl Into<String>) -> Self {
        Self {
            status,
            content: vec![Content::text(text)],
            details: None,
            structured: None,
            activate_tools: Vec::new(),
        }
    }

    /// A success with one text block.
    pub fn ok(text: impl Into<String>) -> Self {
        Self::text(Status::Completed, text)
    }

    /// A failure with one text block.
    pub fn failed(text: impl Into<String>) -> Self {
        Self::text(Status::Failed, text)
    }
}

/// A bounded copy of a result's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// The blocks that fit.
    pub content: Vec<Content>,
    /// Whether anything was shortened or left out.
    pub truncated: bool,
}

impl Observed {
    /// Copies as much of `content` as an observer may have: text is cut at a character boundary,
    /// an image that does not fit is left out.
    #[must_use]
    pub fn of(content: &[Content]) -> Self {
        let mut left = OBSERVED_BYTES;
        let mut kept = Vec::new();
        let mut truncated = content.len() > OBSERVED_BLOCKS;
        for block in content.iter().take(OBSERVED_BLOCKS) {
            match block {
                Content::Text { text } => {
                    let cut = text::prefix(text, left);
                    truncated |= cut.len() < text.len();
                    left -= cut.len();
                    if !cut.is_empty() || text.is_empty() {
                        kept.push(Content::text(cut));
                    }
                }
                Content::Image(image) => {
                    let cost = image.data.len() + image.mime_type.len();
                    if cost <= left {
                        left -= cost;
                        kept.push(block.clone());
                    } else {
                        truncated = true;
                    }
                }
            }
        }
        Self {
            content: kept,
            truncated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Image;

    #[test]
    fn an_observation_is_cut_at_a_character() {
        let long = "é".repeat(OBSERVED_BYTES);
        let seen = Observed::of(&[Content::text("x"), Content::text(long)]);
        assert!(seen.truncated);
        let total: usize = seen
            .content
            .iter()
            .filter_map(Content::as_text)
            .map(str::len)
            .sum();
        assert_eq!(total, OBSERVED_BYTES - 1);
    }

    #[test]
    fn an_image_that_does_not_fit_is_left_out_whole() {
        let big = Content::Image(Image::from_bytes("image/png", &vec![0; OBSERVED_BYTES]));
        let seen = Observed::of(&[big, Content::text("after")]);
        assert_eq!(seen.content, [Content::text("after")]);
        assert!(seen.truncated);
    }

    #[test]
    fn the_129th_block_is_left_out() {
        let seen = Observed::of(&vec![Content::text("x"); OBSERVED_BLOCKS + 1]);
        assert_eq!(seen.content.len(), OBSERVED_BLOCKS);
        assert!(seen.truncated);
        assert!(!Observed::of(&[Content::text("")]).truncated);
    }
}
