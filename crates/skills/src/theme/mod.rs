//! Colour themes: `theme.json` as plain, checked values.
//!
//! A theme changes what it names and leaves everything else to the face. The format is the one
//! that zot and zut read, so a theme made for them works here. Knows no terminal: which colours
//! one can show, and what each role looks like by default, is for a face to say.
//!
//! ```json
//! {"name":"pink","colors":{"accent":204,"dark":{"error":"#ff5f87"},"light":{"error":161}}}
//! ```

mod check;
mod color;
mod find;
mod style;
mod words;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use thiserror::Error;

pub use check::parse;
pub use color::Color;
pub use find::{Found, Listed, Problem, ThemePlaces, find, load};
pub use style::Style;
pub use words::{Role, Token};

/// The most bytes of a theme's file.
pub const MAX_THEME_BYTES: u64 = 1024 * 1024;

/// What a terminal's background is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Light text on a dark background.
    Dark,
    /// Dark text on a light background.
    Light,
}

/// A theme.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Theme {
    /// What lists call it.
    pub name: Option<String>,
    /// One line for lists.
    pub description: Option<String>,
    /// What holds on any background.
    pub both: Overrides,
    /// What holds on a dark background.
    pub dark: Option<Overrides>,
    /// What holds on a light background.
    pub light: Option<Overrides>,
}

/// What a theme changes; everything that is absent stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overrides {
    /// Colours.
    pub colors: BTreeMap<Role, Color>,
    /// What moves while the agent works, one character or so at a time; never empty.
    pub spinner_frames: Option<Vec<String>>,
    /// What it says meanwhile, one of these a turn; never empty.
    pub spinner_messages: Option<Vec<String>>,
    /// How long a frame stands: 10 ms to 10 s.
    pub spinner_interval: Option<Duration>,
    /// The name of a syntax style that the entries of `syntax` change. Which there are, a face
    /// knows.
    pub syntax_base_style: Option<String>,
    /// How parts of code look.
    pub syntax: BTreeMap<Token, Style>,
}

impl Theme {
    /// Everything that it changes on this background. A theme made for one kind of background
    /// serves the other, too.
    #[must_use]
    pub fn on(&self, mode: Mode) -> Overrides {
        let (this, other) = match mode {
            Mode::Dark => (&self.dark, &self.light),
            Mode::Light => (&self.light, &self.dark),
        };
        let mut all = self.both.clone();
        if let Some(more) = this.as_ref().or(other.as_ref()) {
            all.extend(more.clone());
        }
        all
    }
}

impl Overrides {
    /// Puts `more` on top.
    pub fn extend(&mut self, more: Self) {
        self.colors.extend(more.colors);
        self.syntax.extend(more.syntax);
        let Self {
            spinner_frames,
            spinner_messages,
            spinner_interval,
            syntax_base_style,
            ..
        } = more;
        self.spinner_frames = spinner_frames.or(self.spinner_frames.take());
        self.spinner_messages = spinner_messages.or(self.spinner_messages.take());
        self.spinner_interval = spinner_interval.or(self.spinner_interval);
        self.syntax_base_style = syntax_base_style.or(self.syntax_base_style.take());
    }
}

/// Something in a theme that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// Where: a JSON pointer such as `/colors/dark/accent`, `/` for the whole, or a line.
    pub at: String,
    /// What is wrong and what would be right.
    pub what: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.what)
    }
}

/// A theme that can be used, and what in it has no effect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// The theme.
    pub theme: Theme,
    /// What was ignored.
    pub warnings: Vec<Flaw>,
}

/// A theme that cannot be used: a face keeps the one it has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", listed(.0))]
pub struct BadTheme(pub Vec<Flaw>);

/// The most flaws that a message names.
const NAMED_FLAWS: usize = 5;

fn listed(flaws: &[Flaw]) -> String {
    let mut parts: Vec<String> = flaws
        .iter()
        .take(NAMED_FLAWS)
        .map(Flaw::to_string)
        .collect();
    if flaws.len() > NAMED_FLAWS {
        parts.push(format!("and {} more", flaws.len() - NAMED_FLAWS));
    }
    parts.join("; ")
}
