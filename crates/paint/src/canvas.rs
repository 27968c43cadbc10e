//! What everything is painted with: a theme and the highlighter of code.

use std::sync::Arc;

use ratatui_core::style::Style;
use ratatui_core::text::Span;

use crate::code::Highlighter;
use crate::theme::{Role, Symbols, Theme};

/// A theme and the highlighter of code; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Canvas {
    /// How things look.
    pub theme: Arc<Theme>,
    /// What colours code, once it is loaded.
    pub code: Highlighter,
}

impl Canvas {
    /// A canvas whose code stays plain.
    #[must_use]
    pub fn new(theme: Theme) -> Self {
        Self {
            theme: Arc::new(theme),
            code: Highlighter::default(),
        }
    }

    /// How a role looks.
    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// Text in a role.
    pub fn span(&self, role: Role, text: impl Into<String>) -> Span<'static> {
        Span::styled(text.into(), self.style(role))
    }

    /// Characters that draw something.
    #[must_use]
    pub fn symbols(&self) -> &Symbols {
        &self.theme.symbols
    }

    /// What painted lines depend on besides their text; when it differs, they are old.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        Stamp {
            theme: Arc::clone(&self.theme),
            is_code_ready: self.code.is_ready(),
        }
    }
}

/// See [`Canvas::stamp`].
#[derive(Debug, Clone)]
pub struct Stamp {
    theme: Arc<Theme>,
    is_code_ready: bool,
}

impl PartialEq for Stamp {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.theme, &other.theme) && self.is_code_ready == other.is_code_ready
    }
}
