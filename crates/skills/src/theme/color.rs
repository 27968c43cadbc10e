//! A colour and the ways in which a file may write it.

use serde_json::{Map, Value};

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Color {
    /// One of the 16 that the terminal's own palette decides: 0 to 7, and 8 to 15 for the bright
    /// ones.
    Palette(u8),
    /// One of xterm's 256.
    Indexed(u8),
    /// Red, green, blue.
    Rgb(u8, u8, u8),
}

const FORMS: &str = "a color is a number from 0 to 255, \"#rrggbb\", {\"mode\":\"ansi\",\"index\":N} or {\"mode\":\"rgb\",\"r\":N,\"g\":N,\"b\":N}";

impl Color {
    /// A colour as JSON: `204`, `"#ff5f87"`, `{"mode":"256","index":204}`,
    /// `{"mode":"ansi","index":95}`, `{"mode":"rgb","r":255,"g":95,"b":135}`.
    ///
    /// # Errors
    /// A sentence about what would be right.
    pub(crate) fn of(value: &Value) -> Result<Self, String> {
        match value {
            Value::Number(_) => byte(value, "the number").map(Self::Indexed),
            Value::String(text) => {
                Self::hex(text).ok_or_else(|| format!("{text:?} is no color; {FORMS}"))
            }
            Value::Object(parts) => Self::parts(parts),
            _ => Err(FORMS.to_owned()),
        }
    }

    fn parts(parts: &Map<String, Value>) -> Result<Self, String> {
        let mode = match parts.get("mode") {
            None => "256".to_owned(),
            Some(Value::String(mode)) => mode.to_lowercase(),
            Some(_) => return Err(FORMS.to_owned()),
        };
        let part = |name: &str| match parts.get(name) {
            None => Err(format!("{name} is missing; {FORMS}")),
            Some(value) => byte(value, name),
        };
        match mode.as_str() {
            "" | "256" | "color256" | "xterm256" => part("index").map(Self::Indexed),
            "ansi" => Self::ansi(part("index")?),
            "rgb" | "truecolor" => Ok(Self::Rgb(part("r")?, part("g")?, part("b")?)),
            _ => Err(format!("the mode {mode:?} is unknown; {FORMS}")),
        }
    }

    /// The code that a terminal understands, of text or of its background: the role says which.
    fn ansi(code: u8) -> Result<Self, String> {
        match code {
            30..=37 => Ok(Self::Palette(code - 30)),
            40..=47 => Ok(Self::Palette(code - 40)),
            90..=97 => Ok(Self::Palette(code - 90 + 8)),
            100..=107 => Ok(Self::Palette(code - 100 + 8)),
            _ => Err(format!(
                "{code} is no ANSI color; they are 30 to 37, 40 to 47, 90 to 97 and 100 to 107"
            )),
        }
    }

    /// `#rrggbb`, in styles also `#rgb`.
    pub(super) fn hex(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.strip_prefix('#').unwrap_or(text);
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let number = u32::from_str_radix(digits, 16).ok()?;
        match digits.len() {
            6 => {
                let [_, r, g, b] = number.to_be_bytes();
                Some(Self::Rgb(r, g, b))
            }
            3 if text.starts_with('#') => {
                let twice = |shift: u32| u8::try_from((number >> shift) & 0xf).ok().map(|d| d * 17);
                Some(Self::Rgb(twice(8)?, twice(4)?, twice(0)?))
            }
            _ => None,
        }
    }
}

fn byte(value: &Value, name: &str) -> Result<u8, String> {
    let number = value.as_u64().and_then(|number| u8::try_from(number).ok());
    number.ok_or_else(|| format!("{name} must be a whole number from 0 to 255"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_color_has_five_forms() {
        let check = |value: Value, expect: Color| assert_eq!(Color::of(&value), Ok(expect));
        check(json!(254), Color::Indexed(254));
        check(json!("#42454B"), Color::Rgb(0x42, 0x45, 0x4b));
        check(json!("42454b"), Color::Rgb(0x42, 0x45, 0x4b));
        check(json!("#fa0"), Color::Rgb(0xff, 0xaa, 0));
        check(json!({"mode": "256", "index": 1}), Color::Indexed(1));
        check(json!({"index": 1}), Color::Indexed(1));
        check(json!({"mode": "ansi", "index": 100}), Color::Palette(8));
        check(json!({"mode": "ansi", "index": 31}), Color::Palette(1));
        check(
            json!({"mode": "RGB", "r": 66, "g": 69, "b": 75}),
            Color::Rgb(66, 69, 75),
        );
    }

    #[test]
    fn everything_else_is_refused_with_what_would_be_right() {
        let check = |value: Value, part: &str| {
            let said = Color::of(&value).unwrap_err();
            assert!(said.contains(part), "{value}: {said}");
        };
        check(json!(256), "0 to 255");
        check(json!(-1), "0 to 255");
        check(json!(1.5), "0 to 255");
        check(json!("red"), "\"red\" is no color");
        check(json!("#12345"), "#rrggbb");
        check(json!("é12345"), "#rrggbb");
        check(json!(true), "#rrggbb");
        check(json!({"mode": "hsl"}), "\"hsl\" is unknown");
        check(json!({"mode": "rgb", "r": 1, "g": 2}), "b is missing");
        check(json!({"mode": "ansi", "index": 38}), "38 is no ANSI color");
    }
}
