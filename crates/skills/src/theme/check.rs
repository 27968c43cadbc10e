//! From JSON to a theme: every flaw is found, each with its place.
//!
//! A value that cannot be meant refuses the theme, so that a slip while editing does not show
//! half a theme. A key that nobody knows is only mentioned: another program may know it.

use std::time::Duration;

use serde_json::{Map, Value};
use zeug_stdx::{suggest, text};

use super::{BadTheme, Checked, Color, Flaw, Overrides, Role, Style, Theme, Token};

/// The most frames or messages of a spinner.
const MAX_FRAMES: usize = 64;
/// The most characters of a frame; usually it is one.
const MAX_FRAME_CHARS: usize = 16;
/// The most characters of a message, so that a status line has room for it.
const MAX_MESSAGE_CHARS: usize = 80;
/// How long a frame may stand, in milliseconds.
const INTERVAL_MS: std::ops::RangeInclusive<u64> = 10..=10_000;
/// The most bytes of a name or description.
const MAX_TEXT_BYTES: usize = 200;

/// Keys that stand beside the overrides.
const TOP_KEYS: [&str; 5] = [
    "$schema",
    "name",
    "description",
    "color_descriptions",
    "colors",
];
const MODE_KEYS: [&str; 2] = ["dark", "light"];
const OTHER_KEYS: [&str; 6] = [
    "spinner_frames",
    "spinner_messages",
    "spinner_interval_ms",
    "syntax_base_style",
    "syntax",
    // An old spelling of `thinking_max`.
    "thinkingMax",
];

/// Checks the text of a `theme.json`.
///
/// # Errors
/// Everything that keeps it from being used.
pub fn parse(json: &str) -> Result<Checked, BadTheme> {
    let json = json.strip_prefix('\u{feff}').unwrap_or(json);
    let tree: Value = serde_json::from_str(json).map_err(|why| {
        let what = why.to_string();
        let end = what.find(" at line ").unwrap_or(what.len());
        BadTheme(vec![Flaw {
            at: format!("line {}", why.line().max(1)),
            what: format!("no JSON: {}", &what[..end]),
        }])
    })?;
    let mut check = Check::default();
    let theme = check.theme(&tree);
    if check.errors.is_empty() {
        let warnings = check.warnings;
        Ok(Checked { theme, warnings })
    } else {
        Err(BadTheme(check.errors))
    }
}

#[derive(Default)]
struct Check {
    errors: Vec<Flaw>,
    warnings: Vec<Flaw>,
}

impl Check {
    fn theme(&mut self, tree: &Value) -> Theme {
        let mut theme = Theme::default();
        let Some(top) = self.object(tree, "") else {
            return theme;
        };
        theme.name = self.text(top, "name");
        theme.description = self.text(top, "description");
        theme.both = self.overrides(top, "", &TOP_KEYS);
        let at = "/colors";
        let colors = top.get("colors").filter(|value| !value.is_null());
        if let Some(colors) = colors.and_then(|value| self.object(value, at)) {
            theme.both.extend(self.overrides(colors, at, &MODE_KEYS));
            theme.dark = self.mode(colors, "dark");
            theme.light = self.mode(colors, "light");
        }
        theme
    }

    fn mode(&mut self, colors: &Map<String, Value>, key: &str) -> Option<Overrides> {
        let value = colors.get(key).filter(|value| !value.is_null())?;
        let at = format!("/colors/{key}");
        let object = self.object(value, &at)?;
        Some(self.overrides(object, &at, &[]))
    }

    fn overrides(&mut self, object: &Map<String, Value>, at: &str, beside: &[&str]) -> Overrides {
        let mut overrides = Overrides::default();
        for (key, value) in object.iter().filter(|(_, value)| !value.is_null()) {
            let at = format!("{at}/{key}");
            let role = match key.as_str() {
                // The new spelling wins where both are given.
                "thinkingMax" if object.contains_key("thinking_max") => continue,
                "thinkingMax" => Some(Role::ThinkingMax),
                key => Role::of(key),
            };
            if let Some(role) = role {
                let color = self.take(Color::of(value), &at);
                overrides.colors.extend(color.map(|color| (role, color)));
            } else if OTHER_KEYS.contains(&key.as_str()) {
                self.other(key, value, &at, &mut overrides);
            } else if !beside.contains(&key.as_str()) {
                let roles = Role::ALL.iter().map(|role| role.word());
                let known = roles.chain(OTHER_KEYS).chain(beside.iter().copied());
                self.unknown(key, at, known);
            }
        }
        overrides
    }

    fn other(&mut self, key: &str, value: &Value, at: &str, into: &mut Overrides) {
        match key {
            "spinner_frames" => into.spinner_frames = self.lines(value, at, MAX_FRAME_CHARS),
            "spinner_messages" => into.spinner_messages = self.lines(value, at, MAX_MESSAGE_CHARS),
            "spinner_interval_ms" => into.spinner_interval = self.interval(value, at),
            "syntax_base_style" => match value.as_str() {
                Some("") => {}
                Some(name) => into.syntax_base_style = Some(text::one_line(name, MAX_TEXT_BYTES)),
                None => self.error(at, "expected text: the name of a style"),
            },
            _ => {
                if let Some(entries) = self.object(value, at) {
                    self.syntax(entries, at, into);
                }
            }
        }
    }

    fn syntax(&mut self, entries: &Map<String, Value>, at: &str, into: &mut Overrides) {
        for (key, value) in entries.iter().filter(|(_, value)| !value.is_null()) {
            let at = format!("{at}/{key}");
            let Some(token) = Token::of(key) else {
                self.unknown(key, at, Token::ALL.iter().map(|token| token.word()));
                continue;
            };
            let style = match value.as_str() {
                Some(words) => Style::parse(words),
                None => Err("expected text such as \"#81a1c1 bold\"".to_owned()),
            };
            let style = self.take(style, &at);
            into.syntax.extend(style.map(|style| (token, style)));
        }
    }

    /// Texts that are painted as they are, so that nothing in them may drive a terminal.
    fn lines(&mut self, value: &Value, at: &str, max_chars: usize) -> Option<Vec<String>> {
        let Some(items) = value.as_array() else {
            self.error(at, "expected a list of texts");
            return None;
        };
        if items.is_empty() {
            return None;
        }
        if items.len() > MAX_FRAMES {
            self.error(at, &format!("more than {MAX_FRAMES} entries"));
            return None;
        }
        let good = |text: &&str| {
            !text.is_empty() && text.chars().count() <= max_chars && text::plain(text) == **text
        };
        let mut lines = Vec::new();
        for (item, number) in items.iter().zip(0..) {
            match item
                .as_str()
                .filter(good)
                .filter(|text| !text.contains('\n'))
            {
                Some(text) => lines.push(text.to_owned()),
                None => self.error(
                    &format!("{at}/{number}"),
                    &format!(
                        "expected a text of 1 to {max_chars} characters, without control characters"
                    ),
                ),
            }
        }
        Some(lines)
    }

    fn interval(&mut self, value: &Value, at: &str) -> Option<Duration> {
        let Some(number) = value.as_i64() else {
            self.error(at, "expected a whole number of milliseconds");
            return None;
        };
        let ms = u64::try_from(number).ok();
        let good = ms.filter(|ms| INTERVAL_MS.contains(ms));
        if good.is_none() {
            // Hosts differ here; the usual speed does no harm.
            let (least, most) = (INTERVAL_MS.start(), INTERVAL_MS.end());
            let what = format!("{number} is not between {least} and {most}; ignored");
            self.warn(at.to_owned(), what);
        }
        good.map(Duration::from_millis)
    }

    fn text(&mut self, top: &Map<String, Value>, key: &str) -> Option<String> {
        match top.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(given)) => {
                let clean = text::one_line(&text::plain(given), MAX_TEXT_BYTES);
                Some(clean.trim().to_owned()).filter(|text| !text.is_empty())
            }
            Some(_) => {
                self.error(&format!("/{key}"), "expected text");
                None
            }
        }
    }

    fn object<'a>(&mut self, value: &'a Value, at: &str) -> Option<&'a Map<String, Value>> {
        let object = value.as_object();
        if object.is_none() {
            self.error(at, "expected an object in { }");
        }
        object
    }

    fn unknown<'a>(&mut self, key: &str, at: String, known: impl Iterator<Item = &'a str>) {
        let hint = match suggest::nearest(text::prefix(key, MAX_TEXT_BYTES), known) {
            Some(near) => format!("unknown key, ignored (did you mean {near}?)"),
            None => "unknown key, ignored".to_owned(),
        };
        self.warn(at, hint);
    }

    fn take<T>(&mut self, value: Result<T, String>, at: &str) -> Option<T> {
        value.map_err(|what| self.error(at, &what)).ok()
    }

    fn error(&mut self, at: &str, what: &str) {
        let at = if at.is_empty() { "/" } else { at };
        self.errors.push(flaw(at, what));
    }

    fn warn(&mut self, at: String, what: String) {
        self.warnings.push(flaw(&at, &what));
    }
}

/// Keys and values stand in both parts, and both reach a terminal.
fn flaw(at: &str, what: &str) -> Flaw {
    Flaw {
        at: text::one_line(&text::plain(at), MAX_TEXT_BYTES),
        what: text::one_line(&text::plain(what), 2 * MAX_TEXT_BYTES),
    }
}
