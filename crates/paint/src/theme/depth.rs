//! Fewer colours than a theme asks for: the nearest that there is.

use ratatui_core::style::{Color, Style};

/// How many colours a terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// None: bold, underlined and reversed text must do.
    None,
    /// The 16 of the terminal's own palette.
    Ansi,
    /// The 256 of xterm.
    Indexed,
    /// All: red, green and blue in 8 bits each.
    Rgb,
}

/// The names that ratatui has for the terminal's own palette.
const ANSI: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

/// What xterm takes for these 16 when nobody changed them.
const ANSI_RGB: [[u8; 3]; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];

/// The steps of each channel in xterm's cube of 216 colours.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// A colour of the terminal's own palette, 0 to 15; larger numbers are those of xterm's 256.
#[must_use]
pub fn palette(index: u8) -> Color {
    ANSI.get(usize::from(index))
        .copied()
        .unwrap_or(Color::Indexed(index))
}

impl Depth {
    /// The colour itself or the nearest there is; `None` when there are no colours.
    #[must_use]
    pub fn show(self, color: Color) -> Option<Color> {
        match (self, color) {
            (Self::None, _) => None,
            (_, Color::Reset) | (Self::Rgb, _) => Some(color),
            (Self::Indexed, Color::Rgb(r, g, b)) => Some(Color::Indexed(nearest_256([r, g, b]))),
            (Self::Ansi, Color::Rgb(r, g, b)) => Some(nearest_16([r, g, b])),
            (Self::Ansi, Color::Indexed(index)) => Some(match index {
                0..=15 => palette(index),
                _ => nearest_16(rgb_of(index)),
            }),
            _ => Some(color),
        }
    }

    /// The style with what can be shown of its colours.
    #[must_use]
    pub fn style(self, style: Style) -> Style {
        Style {
            fg: style.fg.and_then(|color| self.show(color)),
            bg: style.bg.and_then(|color| self.show(color)),
            ..style
        }
    }
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    let part = |at: usize| u32::from(a[at].abs_diff(b[at])).pow(2);
    // Eyes see green best and blue worst.
    2 * part(0) + 4 * part(1) + part(2)
}

fn nearest_16(rgb: [u8; 3]) -> Color {
    let nearest = ANSI_RGB
        .iter()
        .zip(ANSI)
        .min_by_key(|(known, _)| distance(**known, rgb));
    nearest.map_or(Color::Reset, |(_, color)| color)
}

fn nearest_256(rgb: [u8; 3]) -> u8 {
    // The first 16 are the user's own and may look like anything.
    let nearest = (16..=255_u8).min_by_key(|index| distance(rgb_of(*index), rgb));
    nearest.unwrap_or(15)
}

fn rgb_of(index: u8) -> [u8; 3] {
    match index {
        0..=15 => ANSI_RGB[usize::from(index)],
        16..=231 => {
            let at = usize::from(index - 16);
            [CUBE[at / 36], CUBE[at / 6 % 6], CUBE[at % 6]]
        }
        232..=255 => [8 + (index - 232) * 10; 3],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_colour_is_taken() {
        let check = |depth: Depth, color, expect| assert_eq!(depth.show(color), expect);
        let orange = Color::Rgb(255, 135, 0);
        check(Depth::Rgb, orange, Some(orange));
        check(Depth::Indexed, orange, Some(Color::Indexed(208)));
        check(Depth::Ansi, Color::Rgb(250, 5, 5), Some(Color::LightRed));
        check(Depth::Ansi, Color::Indexed(196), Some(Color::LightRed));
        check(Depth::Ansi, Color::Indexed(3), Some(Color::Yellow));
        check(Depth::Ansi, Color::Reset, Some(Color::Reset));
        check(
            Depth::Indexed,
            Color::Rgb(8, 8, 8),
            Some(Color::Indexed(232)),
        );
        check(Depth::None, orange, None);
    }
}
