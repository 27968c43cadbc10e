//! What a user or a tool can say: text and images.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// One block of a user message or a tool result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Content {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    Image(Image),
}

/// An image, still in its base64 form: it comes in and goes out like that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// For example `image/png`.
    pub mime_type: String,
    /// Standard base64 with padding.
    pub data: Arc<str>,
}

impl Image {
    /// Encodes raw image bytes.
    #[must_use]
    pub fn from_bytes(mime_type: impl Into<String>, bytes: &[u8]) -> Self {
        use base64::Engine as _;
        Self {
            mime_type: mime_type.into(),
            data: base64::engine::general_purpose::STANDARD
                .encode(bytes)
                .into(),
        }
    }

    /// Takes over base64 that came from outside.
    ///
    /// # Errors
    /// When `data` is not standard base64.
    pub fn from_base64(
        mime_type: impl Into<String>,
        data: &str,
    ) -> Result<Self, base64::DecodeError> {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD.decode(data)?;
        Ok(Self {
            mime_type: mime_type.into(),
            data: data.into(),
        })
    }

    /// The decoded image; `None` when it is not base64 after all.
    #[must_use]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD
            .decode(&*self.data)
            .ok()
    }

    /// The number of bytes of the decoded image.
    #[must_use]
    pub fn byte_len(&self) -> usize {
        let padding = self.data.bytes().rev().take_while(|b| *b == b'=').count();
        (self.data.len() / 4 * 3).saturating_sub(padding)
    }
}

impl Content {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// The text of a text block.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            Self::Image(_) => None,
        }
    }

    /// The text blocks of `content`, joined by line feeds.
    #[must_use]
    pub fn joined(content: &[Self]) -> String {
        content
            .iter()
            .filter_map(Self::as_text)
            .collect::<Vec<_>>()
            .join("\n")
    }
}
