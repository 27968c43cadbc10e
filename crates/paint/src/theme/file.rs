//! From a checked theme file to a look: its words, and which roles each of them reaches.
//!
//! The format has one colour for several of our roles (`muted` is a divider and a hint), so a
//! file that names few words still changes everything that belongs together.

use ratatui_core::style::{Color, Modifier, Style};
use zeug_skills::theme::{self as words, Mode};

use super::{Role, Theme, builtin, palette, syntax};

pub(super) fn theme(file: &words::Theme, name: &str, mode: Mode) -> Theme {
    let mut theme = builtin::theme(mode);
    theme.name = file.name.clone().unwrap_or_else(|| name.to_owned());
    let changes = file.on(mode);
    for (word, value) in &changes.colors {
        for (role, style) in reach(*word, color(*value)) {
            theme.patch(*role, style);
        }
    }
    let base = changes.syntax_base_style.as_deref().and_then(syntax::style);
    for (token, style) in base.into_iter().flatten() {
        theme.set_code(token, style);
    }
    for (token, style) in &changes.syntax {
        theme.patch_code(*token, code_style(*style));
    }
    let spinner = &mut theme.spinner;
    if let Some(frames) = changes.spinner_frames {
        spinner.frames = frames;
    }
    if let Some(messages) = changes.spinner_messages {
        spinner.messages = messages;
    }
    if let Some(interval) = changes.spinner_interval {
        spinner.interval = interval;
    }
    theme
}

fn color(value: words::Color) -> Color {
    match value {
        words::Color::Palette(index) => palette(index),
        words::Color::Indexed(index) => Color::Indexed(index),
        words::Color::Rgb(r, g, b) => Color::Rgb(r, g, b),
    }
}

/// The roles that a word of the format colours, and how.
fn reach(word: words::Role, value: Color) -> impl Iterator<Item = (&'static Role, Style)> {
    use words::Role as Word;
    let (roles, is_behind): (&'static [Role], bool) = match word {
        Word::Foreground => (&[Role::Text, Role::Assistant, Role::DiffContext], false),
        Word::Muted => (
            &[
                Role::Dim,
                Role::Border,
                Role::Thinking,
                Role::ToolArgs,
                Role::LinkTarget,
                Role::CodeLabel,
                Role::Quote,
                Role::LineNumber,
                Role::Html,
                Role::Status,
            ],
            false,
        ),
        Word::Accent => (
            &[
                Role::Accent,
                Role::BorderActive,
                Role::UserMark,
                Role::Running,
                Role::Heading,
                Role::Link,
                Role::ListMark,
                Role::DiffFold,
                Role::Info,
                Role::Spinner,
            ],
            false,
        ),
        Word::Background => (&[Role::Background], true),
        Word::User => (&[Role::UserMark], false),
        Word::UserBubbleBackground => (&[Role::User], true),
        Word::UserBubbleForeground => (&[Role::User], false),
        // The label only: the answer itself is `fg`.
        Word::Assistant => (&[Role::Owner], false),
        Word::Tool => (&[Role::Tool, Role::Success], false),
        Word::ToolOutput => (&[Role::ToolOutput], false),
        Word::Error => (&[Role::Error], false),
        Word::Warning => (&[Role::Warning], false),
        Word::Spinner => (&[Role::Spinner, Role::Running], false),
        Word::ThinkingMax => (&[Role::ThinkingMax], false),
        Word::SelectionBackground => (&[Role::Selection], true),
        Word::SelectionForeground => (&[Role::Selection], false),
    };
    let style = if is_behind {
        Style::new().bg(value)
    } else {
        Style::new().fg(value)
    };
    roles.iter().map(move |role| (role, style))
}

fn code_style(style: words::Style) -> Style {
    let mut to = Style::new();
    to.fg = style.color.map(color);
    to.bg = style.background.map(color);
    let flags = [
        (style.bold, Modifier::BOLD),
        (style.italic, Modifier::ITALIC),
        (style.underline, Modifier::UNDERLINED),
    ];
    for (flag, modifier) in flags {
        to = match flag {
            Some(true) => to.add_modifier(modifier),
            Some(false) => to.remove_modifier(modifier),
            None => to,
        };
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Token;

    #[test]
    fn every_word_of_the_format_reaches_something() {
        for word in words::Role::ALL {
            assert!(reach(*word, Color::Red).count() > 0, "{word:?}");
        }
    }

    #[test]
    fn a_file_changes_what_it_names() {
        let json = r##"{"name":"pink","colors":{"accent":204,"user_bubble_bg":"#102030",
            "dark":{"error":"#ff5f87"},"light":{"error":161}},
            "syntax_base_style":"nord","syntax":{"comment":"#ansired noitalic"},"spinner_frames":["a","b"]}"##;
        let file = words::parse(json).expect("a good theme").theme;
        let dark = Theme::from_file(&file, "x", Mode::Dark);
        assert_eq!(dark.name, "pink");
        assert_eq!(dark.style(Role::Heading).fg, Some(Color::Indexed(204)));
        assert_eq!(
            dark.style(Role::User).bg,
            Some(Color::Rgb(0x10, 0x20, 0x30))
        );
        assert_eq!(
            dark.style(Role::Error).fg,
            Some(Color::Rgb(0xff, 0x5f, 0x87))
        );
        let comment = dark.code(Token::Comment);
        assert_eq!(comment.fg, Some(Color::LightRed));
        assert!(!comment.add_modifier.contains(Modifier::ITALIC));
        let string = dark.code(Token::LiteralString);
        assert_eq!(string.fg, Some(Color::Rgb(0xa3, 0xbe, 0x8c)));
        assert_eq!(dark.spinner.frames, ["a", "b"]);
        let light = Theme::from_file(&file, "x", Mode::Light);
        assert_eq!(light.style(Role::Error).fg, Some(Color::Indexed(161)));
        assert_eq!(
            light.style(Role::Warning),
            Theme::light().style(Role::Warning)
        );
    }
}
