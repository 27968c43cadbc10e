//! Well-known looks of code, by name: what a theme file's `syntax_base_style` may say.

use ratatui_core::style::{Color, Modifier, Style};
use syntect::highlighting::{FontStyle, Highlighter};
use syntect::parsing::Scope;
use two_face::theme::{EmbeddedLazyThemeSet, EmbeddedThemeName, extra};
use zeug_skills::theme::Token;

/// Of each part of code, a scope that grammars give it.
const SCOPES: [(Token, &str); 18] = [
    (Token::Keyword, "keyword.control"),
    (Token::KeywordConstant, "constant.language"),
    (Token::KeywordDeclaration, "storage.type"),
    (Token::KeywordNamespace, "keyword.control.import"),
    (Token::KeywordReserved, "keyword.other"),
    (Token::KeywordType, "support.type"),
    (Token::NameBuiltin, "support.function"),
    (Token::NameFunction, "entity.name.function"),
    (Token::NameClass, "entity.name.class"),
    (Token::NameDecorator, "variable.annotation"),
    (Token::LiteralString, "string.quoted.double"),
    (Token::LiteralStringEscape, "constant.character.escape"),
    (Token::LiteralNumber, "constant.numeric"),
    (Token::Comment, "comment.line"),
    (Token::CommentPreproc, "meta.preprocessor"),
    (Token::Operator, "keyword.operator"),
    (Token::Punctuation, "punctuation.separator"),
    (Token::Text, "source"),
];

/// The names of all that there are.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    known().map(EmbeddedThemeName::as_name)
}

/// How the parts of code look in the style of this name, in any spelling; `None` when nobody
/// knows it.
pub(super) fn style(name: &str) -> Option<Vec<(Token, Style)>> {
    let wanted = match &*letters(name) {
        // What other programs call them.
        "monokai" => letters("Monokai Extended"),
        "gruvbox" => letters("gruvbox-dark"),
        "onedark" => letters("TwoDark"),
        "catppuccin" => letters("Catppuccin Mocha"),
        "solarized" => letters("Solarized (dark)"),
        other => other.to_owned(),
    };
    let name = known().find(|known| letters(known.as_name()) == wanted)?;
    let set = extra();
    let theme = set.get(name);
    let highlighter = Highlighter::new(theme);
    let text = highlighter.get_default().foreground;
    let of = |(token, scope): (Token, &str)| {
        let stack = [Scope::new("source").ok()?, Scope::new(scope).ok()?];
        let found = highlighter.style_for_stack(&stack);
        let mut style = Style::new();
        if found.foreground != text {
            let color = found.foreground;
            style = style.fg(Color::Rgb(color.r, color.g, color.b));
        }
        for (font, modifier) in [
            (FontStyle::BOLD, Modifier::BOLD),
            (FontStyle::ITALIC, Modifier::ITALIC),
            (FontStyle::UNDERLINE, Modifier::UNDERLINED),
        ] {
            if found.font_style.contains(font) {
                style = style.add_modifier(modifier);
            }
        }
        Some((token, style))
    };
    Some(SCOPES.into_iter().filter_map(of).collect())
}

fn known() -> impl Iterator<Item = EmbeddedThemeName> {
    // Three of them hide a terminal's own colours in the transparency.
    let hidden = |name: &EmbeddedThemeName| {
        matches!(
            name,
            EmbeddedThemeName::Ansi | EmbeddedThemeName::Base16 | EmbeddedThemeName::Base16_256
        )
    };
    let all = EmbeddedLazyThemeSet::theme_names().iter().copied();
    all.filter(move |name| !hidden(name))
}

fn letters(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_ascii_alphanumeric());
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_code_has_a_scope() {
        let tokens: Vec<Token> = SCOPES.iter().map(|(token, _)| *token).collect();
        assert_eq!(tokens, Token::ALL);
        let styles = style("Nord").expect("a style");
        assert_eq!(styles.len(), Token::ALL.len());
    }

    #[test]
    fn names_are_read_in_any_spelling() {
        for name in [
            "monokai",
            "Solarized-Dark",
            "solarized_light",
            "NORD",
            "gruvbox",
            "dracula",
        ] {
            let styles = style(name).unwrap_or_else(|| panic!("{name} is known"));
            let colors = styles.iter().filter(|(_, style)| style.fg.is_some());
            assert!(colors.count() > 3, "{name}");
        }
        assert_eq!(style("no such style"), None);
        for name in names() {
            assert!(style(name).is_some(), "{name}");
        }
    }
}
