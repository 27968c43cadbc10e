//! How the face looks and behaves, as the user wants it. Plain values; reads no file and asks no
//! terminal.

use zeug_paint::{Canvas, Depth, Highlighter, Theme};

/// How the face looks and behaves.
#[derive(Debug, Clone)]
pub struct Look {
    /// The colours, as for a terminal that shows all of them.
    pub theme: Theme,
    /// The themes that may be chosen instead.
    pub themes: Vec<Theme>,
    /// The colours that the terminal shows.
    pub depth: Depth,
    /// Whether boxes and marks may be more than ASCII.
    pub unicode: bool,
    /// Whether nothing moves that need not.
    pub calm: bool,
    /// Whether the terminal reports the mouse.
    pub mouse: bool,
    /// Whether extensions may ring the bell.
    pub bell: bool,
    /// What colours code.
    pub code: Highlighter,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            theme: Theme::dark(),
            themes: vec![Theme::dark(), Theme::light()],
            depth: Depth::Rgb,
            unicode: true,
            calm: false,
            mouse: true,
            bell: true,
            code: Highlighter::default(),
        }
    }
}

impl Look {
    /// What to paint with.
    pub(crate) fn canvas(&self) -> Canvas {
        let theme = self.theme.clone().at_depth(self.depth);
        let theme = if self.unicode {
            theme
        } else {
            theme.in_ascii()
        };
        Canvas::new(theme).with_code(self.code)
    }
}
