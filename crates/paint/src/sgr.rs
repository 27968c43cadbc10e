//! Colours and attributes from SGR sequences, the only escapes that are read at all.

use ratatui_core::style::{Color, Modifier, Style};
use ratatui_core::text::{Line, Span};
use zeug_stdx::text;

use crate::safe;
use crate::theme::Depth;

const ESCAPE: char = '\u{1b}';
const RESET: &str = "\u{1b}[0m";
/// The most spans of one line; what follows keeps the last one's colours.
const MAX_SPANS: usize = 512;

/// Reads lines one after the other and keeps the colours that are on.
#[derive(Debug)]
pub(crate) struct Pen {
    base: Style,
    now: Style,
    depth: Depth,
}

impl Pen {
    pub(crate) fn new(base: Style, depth: Depth) -> Self {
        Self {
            base,
            now: base,
            depth,
        }
    }

    /// One line, without its line feed.
    pub(crate) fn line(&mut self, raw: &str) -> Line<'static> {
        if !raw.contains(['\u{1b}', '\u{9b}']) {
            return self.spans([(raw.to_owned(), self.now)]);
        }
        let clean = text::coloured_line(raw);
        // It ends with a reset of its own; the colours run on.
        let clean = clean.strip_suffix(RESET).unwrap_or(&clean);
        let mut parts = Vec::new();
        let mut rest = clean;
        while let Some(at) = rest.find(ESCAPE) {
            parts.push((rest[..at].to_owned(), self.now));
            let Some(end) = rest[at..].find('m') else {
                break;
            };
            self.apply(&rest[at + 2..at + end]);
            rest = &rest[at + end + 1..];
        }
        parts.push((rest.to_owned(), self.now));
        self.spans(parts)
    }

    fn spans(&self, parts: impl IntoIterator<Item = (String, Style)>) -> Line<'static> {
        let mut spans: Vec<Span<'static>> = Vec::new();
        for (text, style) in parts {
            let text = safe::plain_line(&text).into_owned();
            if text.is_empty() {
                continue;
            }
            let is_full = spans.len() >= MAX_SPANS;
            match spans.last_mut() {
                Some(last) if last.style == style || is_full => {
                    last.content.to_mut().push_str(&text);
                }
                _ => spans.push(Span::styled(text, style)),
            }
        }
        Line::from(spans)
    }

    /// The parameters of one sequence, such as `1;38;5;204`.
    fn apply(&mut self, parameters: &str) {
        // `38:2::255:0:0` is one parameter with parts; an empty part is the colour space.
        let mut numbers = parameters.split(';');
        while let Some(parameter) = numbers.next() {
            let mut parts = parameter.split(':');
            let code = number(parts.next().unwrap_or_default());
            match code {
                Some(target @ (38 | 48 | 58)) => {
                    let color = if parameter.contains(':') {
                        extended(&mut parts.filter(|part| !part.is_empty()))
                    } else {
                        extended(&mut numbers)
                    };
                    self.colour(target, color);
                }
                Some(code) if !parameter.contains(':') => self.simple(code),
                // `4:3` is a curly underline.
                Some(4) if parameter.ends_with(":0") => self.simple(24),
                Some(4) => self.simple(4),
                _ => {}
            }
        }
    }

    fn colour(&mut self, target: u16, color: Option<Color>) {
        let Some(color) = color.and_then(|color| self.depth.show(color)) else {
            return;
        };
        match target {
            38 => self.now.fg = Some(color),
            48 => self.now.bg = Some(color),
            _ => {}
        }
    }

    fn simple(&mut self, code: u16) {
        let on = |style: Style, modifier| style.add_modifier(modifier);
        let off = |style: Style, modifier| style.remove_modifier(modifier);
        self.now = match code {
            0 => self.base,
            1 => on(self.now, Modifier::BOLD),
            2 => on(self.now, Modifier::DIM),
            3 => on(self.now, Modifier::ITALIC),
            4 | 21 => on(self.now, Modifier::UNDERLINED),
            7 => on(self.now, Modifier::REVERSED),
            9 => on(self.now, Modifier::CROSSED_OUT),
            22 => off(self.now, Modifier::BOLD | Modifier::DIM),
            23 => off(self.now, Modifier::ITALIC),
            24 => off(self.now, Modifier::UNDERLINED),
            27 => off(self.now, Modifier::REVERSED),
            29 => off(self.now, Modifier::CROSSED_OUT),
            30..=37 => return self.colour(38, palette(code - 30)),
            39 => Style {
                fg: self.base.fg,
                ..self.now
            },
            40..=47 => return self.colour(48, palette(code - 40)),
            49 => Style {
                bg: self.base.bg,
                ..self.now
            },
            90..=97 => return self.colour(38, palette(code - 90 + 8)),
            100..=107 => return self.colour(48, palette(code - 100 + 8)),
            _ => self.now,
        };
    }
}

/// What follows 38 or 48: `5;N` or `2;R;G;B`.
fn extended<'a>(numbers: &mut impl Iterator<Item = &'a str>) -> Option<Color> {
    let mut byte = || u8::try_from(number(numbers.next()?)?).ok();
    match byte()? {
        5 => byte().map(Color::Indexed),
        2 => Some(Color::Rgb(byte()?, byte()?, byte()?)),
        _ => None,
    }
}

/// A missing number is 0.
fn number(text: &str) -> Option<u16> {
    if text.is_empty() {
        Some(0)
    } else {
        text.parse().ok()
    }
}

fn palette(index: u16) -> Option<Color> {
    u8::try_from(index).ok().map(crate::theme::palette)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expect: &[(&str, Style)]) {
        let lines = safe::coloured(input, Style::new(), Depth::Rgb);
        let spans = lines.iter().flat_map(|line| &line.spans);
        let spans: Vec<(&str, Style)> = spans.map(|s| (&*s.content, s.style)).collect();
        assert_eq!(spans, expect, "{input:?}");
    }

    #[test]
    fn colours_are_read() {
        let red = Style::new().fg(Color::Red);
        let plain = Style::new();
        check(
            "a\u{1b}[31mb\u{1b}[0mc",
            &[("a", plain), ("b", red), ("c", plain)],
        );
        check("\u{1b}[38;5;204mx", &[("x", plain.fg(Color::Indexed(204)))]);
        check(
            "\u{1b}[38;2;1;2;3mx",
            &[("x", plain.fg(Color::Rgb(1, 2, 3)))],
        );
        check(
            "\u{1b}[38:2::1:2:3mx",
            &[("x", plain.fg(Color::Rgb(1, 2, 3)))],
        );
        check(
            "\u{1b}[1;91mx",
            &[("x", plain.fg(Color::LightRed).add_modifier(Modifier::BOLD))],
        );
        check("\u{1b}[31mx\ny", &[("x", red), ("y", red)]);
        check("\u{1b}[31mx\u{1b}[39my", &[("x", red), ("y", plain)]);
    }

    #[test]
    fn nonsense_changes_nothing() {
        let plain = Style::new();
        for bad in [
            "38;5", "38;2;1;2", "38;5;999", "38;7", "99999", "5", "8", ";;", "38:5",
        ] {
            check(&format!("\u{1b}[{bad}mx"), &[("x", plain)]);
        }
        check("\u{1b}[2Kx\u{1b}[31", &[("x", plain)]);
    }

    #[test]
    fn a_flood_of_colours_stays_bounded() {
        let flood: String = (0..5000)
            .map(|n| format!("\u{1b}[{}mx", 31 + n % 2))
            .collect();
        let lines = safe::coloured(&flood, Style::new(), Depth::Rgb);
        assert!(lines[0].spans.len() <= MAX_SPANS);
        assert_eq!(lines[0].to_string().len(), 5000);
    }
}
