//! How a part of code looks, written as words: `#81a1c1 bold`.

use super::Color;

/// A style; what is `None` is left to the style below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// The text.
    pub color: Option<Color>,
    /// Behind it.
    pub background: Option<Color>,
    /// Bold.
    pub bold: Option<bool>,
    /// Italic.
    pub italic: Option<bool>,
    /// Underlined.
    pub underline: Option<bool>,
}

/// The names that the format has for the terminal's 16 colours, in the palette's order.
const ANSI: [&str; 16] = [
    "black",
    "darkred",
    "darkgreen",
    "brown",
    "darkblue",
    "purple",
    "teal",
    "lightgray",
    "darkgray",
    "red",
    "green",
    "yellow",
    "blue",
    "fuchsia",
    "turquoise",
    "white",
];

impl Style {
    /// Reads the words.
    ///
    /// # Errors
    /// A sentence about the first word that is none.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut style = Self::default();
        for word in text.split_whitespace() {
            style.word(word).ok_or_else(|| {
                format!(
                    "{word:?} is no part of a style; write for example \"#81a1c1 bold\", with bold, italic, underline (or nobold …) and bg:#rrggbb"
                )
            })?;
        }
        Ok(style)
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let (yes, flag) = match word.strip_prefix("no") {
            Some(flag) => (false, flag),
            None => (true, word),
        };
        match flag {
            "bold" => self.bold = Some(yes),
            "italic" => self.italic = Some(yes),
            "underline" => self.underline = Some(yes),
            // Every style rests on the one below it.
            "inherit" => {}
            _ => match word.split_once(':') {
                None => self.color = Some(color(word)?),
                Some(("bg", value)) => self.background = some_color(value)?,
                // No terminal draws one around a word.
                Some(("border", value)) => drop(some_color(value)?),
                Some(_) => return None,
            },
        }
        Some(())
    }
}

fn color(word: &str) -> Option<Color> {
    if let Some(name) = word.strip_prefix("#ansi") {
        let at = ANSI.iter().position(|known| *known == name)?;
        return u8::try_from(at).ok().map(Color::Palette);
    }
    word.starts_with('#').then(|| Color::hex(word)).flatten()
}

/// `bg:` alone takes a background away.
fn some_color(value: &str) -> Option<Option<Color>> {
    if value.is_empty() {
        Some(None)
    } else {
        color(value).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_a_style() {
        let check = |text: &str, expect: Style| assert_eq!(Style::parse(text), Ok(expect));
        check("", Style::default());
        check(
            "#81a1c1 bold nounderline",
            Style {
                color: Some(Color::Rgb(0x81, 0xa1, 0xc1)),
                bold: Some(true),
                underline: Some(false),
                ..Style::default()
            },
        );
        check(
            "noinherit italic bg:#000 border:#fff #ansired",
            Style {
                color: Some(Color::Palette(9)),
                background: Some(Color::Rgb(0, 0, 0)),
                italic: Some(true),
                ..Style::default()
            },
        );
        for bad in ["red", "#12", "bold,italic", "fg:#fff", "#ansipink"] {
            assert!(Style::parse(bad).is_err(), "{bad}");
        }
    }
}
