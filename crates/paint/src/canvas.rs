//! What everything is painted with: a theme and the highlighter of code.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    /// How much code may be coloured before somebody waits.
    pub(crate) allowance: Allowance,
}

/// Bytes of code that may still be coloured in this frame; a clone has no bound.
///
/// Colours cost some microseconds a byte, so that a listing of a thousand lines would be seen as
/// a halt. Lines past the allowance stay plain until a later frame.
#[derive(Debug)]
pub(crate) struct Allowance(AtomicUsize);

impl Allowance {
    pub(crate) fn set(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    /// Takes so much of it; `false` when nothing is left.
    pub(crate) fn take(&self, bytes: usize) -> bool {
        // One thread paints; a lost update would cost a frame some microseconds.
        let left = self.0.load(Ordering::Relaxed);
        if left == 0 {
            return false;
        }
        if left < usize::MAX {
            self.set(left.saturating_sub(bytes));
        }
        true
    }
}

impl Default for Allowance {
    fn default() -> Self {
        Self(AtomicUsize::new(usize::MAX))
    }
}

impl Clone for Allowance {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Canvas {
    /// A canvas whose code stays plain.
    #[must_use]
    pub fn new(theme: Theme) -> Self {
        Self {
            theme: Arc::new(theme),
            code: Highlighter::default(),
            allowance: Allowance::default(),
        }
    }

    /// With something that colours code.
    #[must_use]
    pub fn with_code(self, code: Highlighter) -> Self {
        Self { code, ..self }
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
