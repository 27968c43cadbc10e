//! How things look: a style for each role and each part of code, symbols, a spinner. All data.
//!
//! A theme is built in or comes as a checked file (`zeug_skills::theme`), and is fitted to what
//! the terminal can show: fewer colours, none, or no Unicode. Does not ask the terminal.

mod builtin;
mod depth;
mod file;
mod role;
mod symbols;
mod syntax;

use std::time::Duration;

use ratatui_core::style::{Color, Style};

pub use depth::{Depth, palette};
pub use role::Role;
pub use symbols::Symbols;
pub use zeug_skills::theme::{Mode, Token};

/// What moves while the agent works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spinner {
    /// One after the other; never empty.
    pub frames: Vec<String>,
    /// What it says meanwhile, one of these a turn; empty when it says nothing of its own.
    pub messages: Vec<String>,
    /// How long a frame stands.
    pub interval: Duration,
}

impl Spinner {
    /// The frame at a time since the start.
    #[must_use]
    pub fn frame(&self, since: Duration) -> &str {
        let step = since.as_millis() / self.interval.as_millis().max(1);
        let count = self.frames.len().max(1) as u128;
        let at = usize::try_from(step % count).unwrap_or_default();
        self.frames.get(at).map_or("", String::as_str)
    }
}

/// The look of everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// What lists call it.
    pub name: String,
    /// The background that it is made for.
    pub mode: Mode,
    /// The colours that may be used.
    pub depth: Depth,
    /// Characters that draw something.
    pub symbols: Symbols,
    /// What moves while the agent works.
    pub spinner: Spinner,
    styles: [Style; Role::COUNT],
    code: [Style; Token::ALL.len()],
}

impl Theme {
    /// The built-in theme for a background.
    #[must_use]
    pub fn builtin(mode: Mode) -> Self {
        builtin::theme(mode)
    }

    /// The built-in theme for a dark background.
    #[must_use]
    pub fn dark() -> Self {
        Self::builtin(Mode::Dark)
    }

    /// The built-in theme for a light background.
    #[must_use]
    pub fn light() -> Self {
        Self::builtin(Mode::Light)
    }

    /// The built-in theme for a background with everything on top that a file changes.
    ///
    /// Themes of extensions and users come this way; `name` is used when the file has none.
    #[must_use]
    pub fn from_file(file: &zeug_skills::theme::Theme, name: &str, mode: Mode) -> Self {
        file::theme(file, name, mode)
    }

    /// The names that a theme file's `syntax_base_style` may have, in any spelling. Others are
    /// passed over: the built-in colours stay.
    pub fn code_styles() -> impl Iterator<Item = &'static str> {
        syntax::names()
    }

    /// The theme with no more colours than `depth` has. Without colours, what would be lost is
    /// shown by bold, underlined or reversed text.
    #[must_use]
    pub fn at_depth(mut self, depth: Depth) -> Self {
        self.depth = depth;
        let plain = builtin::without_colour();
        for role in Role::ALL {
            let at = role.at();
            self.styles[at] = if depth == Depth::None {
                plain.styles[at]
            } else {
                depth.style(self.styles[at])
            };
        }
        for style in &mut self.code {
            *style = depth.style(*style);
        }
        self
    }

    /// The theme with characters of ASCII only.
    #[must_use]
    pub fn in_ascii(mut self) -> Self {
        self.symbols = Symbols::ascii();
        if !self.spinner.frames.iter().all(|frame| frame.is_ascii()) {
            self.spinner.frames = ["|", "/", "-", "\\"].map(str::to_owned).to_vec();
        }
        self
    }

    /// How a role looks.
    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        self.styles[role.at()]
    }

    /// How a part of code looks, on top of [`Role::CodeBlock`].
    #[must_use]
    pub fn code(&self, token: Token) -> Style {
        self.code[token_at(token)]
    }

    /// A colour that came from outside, as this theme may show it.
    #[must_use]
    pub fn show(&self, color: Color) -> Option<Color> {
        self.depth.show(color)
    }

    fn set(&mut self, role: Role, style: Style) {
        self.styles[role.at()] = style;
    }

    fn patch(&mut self, role: Role, style: Style) {
        let at = role.at();
        self.styles[at] = self.styles[at].patch(style);
    }

    fn set_code(&mut self, token: Token, style: Style) {
        self.code[token_at(token)] = style;
    }

    fn patch_code(&mut self, token: Token, style: Style) {
        let at = token_at(token);
        self.code[at] = self.code[at].patch(style);
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::dark()
    }
}

/// The place of a token among all: they are declared in that order.
const fn token_at(token: Token) -> usize {
    token as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_lists() {
        for (at, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(role.at(), at, "{role:?}");
        }
        for (at, token) in Token::ALL.iter().enumerate() {
            assert_eq!(token_at(*token), at, "{token:?}");
        }
    }

    #[test]
    fn without_colour_nothing_has_one() {
        for theme in [Theme::dark(), Theme::light()] {
            let theme = theme.at_depth(Depth::None);
            let styles = theme.styles.iter().chain(&theme.code);
            for style in styles {
                assert_eq!((style.fg, style.bg), (None, None));
            }
            // What only a colour told apart must still be told apart.
            for role in [Role::Selection, Role::SearchHit, Role::SearchCurrent] {
                assert_ne!(theme.style(role), Style::new(), "{role:?}");
            }
            assert_ne!(
                theme.style(Role::SearchHit),
                theme.style(Role::SearchCurrent)
            );
        }
    }

    #[test]
    fn a_spinner_turns() {
        let spinner = Theme::dark().in_ascii().spinner;
        let at = |steps: u32| spinner.frame(spinner.interval * steps).to_owned();
        assert_eq!([at(0), at(1), at(4)], ["|", "/", "|"]);
    }
}
