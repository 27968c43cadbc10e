//! How the face looks and behaves, as the user wants it. Plain values; reads no file and asks no
//! terminal.

use zeug_paint::{Canvas, Depth, Highlighter, Mode, Theme};

/// How the face looks and behaves.
#[derive(Debug, Clone)]
pub struct Look {
    /// The colours, as for a terminal that shows all of them.
    pub theme: Theme,
    /// The theme that the user named; without one, it follows the background.
    pub wanted: Option<String>,
    /// The background of the terminal.
    pub mode: Mode,
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
    /// Whether what was loaded is listed at the start.
    pub resources: bool,
    /// What colours code.
    pub code: Highlighter,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            theme: Theme::dark(),
            wanted: None,
            mode: Mode::Dark,
            themes: vec![Theme::dark(), Theme::light()],
            depth: Depth::Rgb,
            unicode: true,
            calm: false,
            mouse: true,
            bell: true,
            resources: false,
            code: Highlighter::default(),
        }
    }
}

impl Look {
    /// The same with the theme of this name, in any spelling; `auto` follows the background. `None`
    /// when there is none of this name.
    #[must_use]
    pub fn themed(&self, name: &str) -> Option<Self> {
        let mut look = self.clone();
        if name.eq_ignore_ascii_case("auto") {
            look.wanted = None;
            look.theme = Theme::builtin(self.mode);
            return Some(look);
        }
        let fits = |theme: &&Theme| theme.name.eq_ignore_ascii_case(name);
        look.theme = self.themes.iter().find(fits)?.clone();
        look.wanted = Some(look.theme.name.clone());
        Some(look)
    }

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
