//! How the terminal face looks: what the user set, else what the environment and the terminal say.

use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};
use zeug_front_tui::{Depth, Highlighter, Look, Mode, Theme};
use zeug_skills::theme;

use crate::args::ExtensionArgs;
use crate::world::World;
use crate::{invite, themes};

/// How the face looks, and what of the user's wishes cannot be had.
///
/// Asks the terminal for its background, so that it must be ours and nobody else may read from it
/// meanwhile.
pub(super) fn find(
    world: &World,
    extensions: &ExtensionArgs,
) -> anyhow::Result<(Look, Option<String>)> {
    let variable = |name: &str| world.env.text(name).unwrap_or_default();
    let term = variable("TERM");
    let is_dumb = term == "dumb";
    let depth = if world.env.no_color || is_dumb {
        Depth::None
    } else {
        depth(&term, &variable("COLORTERM"))
    };
    let mode = mode(&variable("COLORFGBG"))
        .or_else(|| (depth != Depth::None).then(asked).flatten())
        .unwrap_or(Mode::Dark);
    let wishes = &world.loaded.settings.terminal;
    let usual = Look::default();
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable);
    let look = Look {
        theme: Theme::builtin(mode),
        mode,
        themes: all_themes(world, extensions, mode)?,
        depth,
        unicode: wishes.unicode.value.unwrap_or_else(|| is_unicode(&locale)),
        calm: wishes.calm.value.unwrap_or(usual.calm),
        mouse: wishes.mouse.value.unwrap_or(usual.mouse),
        bell: wishes.bell.value.unwrap_or(usual.bell),
        resources: wishes.resources.value.unwrap_or(usual.resources),
        code: Highlighter::start(),
        ..usual
    };
    let Some(name) = &wishes.theme.value else {
        return Ok((look, None));
    };
    Ok(match look.themed(name) {
        Some(look) => (look, None),
        None => {
            let origin = &wishes.theme.origin;
            let problem = format!("{origin}: no theme {name:?}; `zeug themes` lists them");
            (look, Some(problem))
        }
    })
}

/// The built-in themes, and those of the user, the project and extensions, by their ids.
fn all_themes(world: &World, extensions: &ExtensionArgs, mode: Mode) -> anyhow::Result<Vec<Theme>> {
    let extensions = invite::find(world, extensions)?;
    let found = theme::find(&themes::places(world, &extensions));
    let listed = found.themes.iter().map(|listed| {
        let mut theme = Theme::from_file(&listed.checked.theme, &listed.id, mode);
        theme.name.clone_from(&listed.id);
        theme
    });
    Ok([Theme::dark(), Theme::light()]
        .into_iter()
        .chain(listed)
        .collect())
}

/// The background that the terminal itself tells.
fn asked() -> Option<Mode> {
    match theme_mode(QueryOptions::default()) {
        Ok(ThemeMode::Light) => Some(Mode::Light),
        Ok(ThemeMode::Dark) => Some(Mode::Dark),
        Err(error) => {
            tracing::debug!("the terminal does not tell its background: {error}");
            None
        }
    }
}

fn depth(term: &str, colorterm: &str) -> Depth {
    match colorterm {
        "truecolor" | "24bit" => Depth::Rgb,
        _ if term.ends_with("-direct") => Depth::Rgb,
        _ if term.contains("256") => Depth::Indexed,
        _ => Depth::Ansi,
    }
}

/// The background that `COLORFGBG` tells, as `15;0`.
fn mode(colors: &str) -> Option<Mode> {
    match colors.rsplit(';').next()? {
        "" => None,
        "7" | "15" => Some(Mode::Light),
        _ => Some(Mode::Dark),
    }
}

/// Whether the locale, the first of these that is set, has more than ASCII.
fn is_unicode(locale: &[String]) -> bool {
    let set = locale.iter().find(|value| !value.is_empty());
    set.is_none_or(|value| {
        let value = value.to_ascii_lowercase();
        value.contains("utf") || !matches!(value.as_str(), "c" | "posix")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_those_that_the_terminal_tells() {
        assert_eq!(depth("xterm-256color", "truecolor"), Depth::Rgb);
        assert_eq!(depth("screen-256color", ""), Depth::Indexed);
        assert_eq!(depth("linux", ""), Depth::Ansi);
        assert_eq!(mode("0;15"), Some(Mode::Light));
        assert_eq!(mode("15;default;0"), Some(Mode::Dark));
        assert_eq!(mode(""), None);
    }

    #[test]
    fn a_locale_without_unicode_gets_ascii() {
        let check = |values: [&str; 3], expect| {
            assert_eq!(is_unicode(&values.map(str::to_owned)), expect, "{values:?}");
        };
        check(["", "", ""], true);
        check(["", "", "de_DE.UTF-8"], true);
        check(["C", "", "de_DE.UTF-8"], false);
        check(["", "", "C.UTF-8"], true);
        check(["", "POSIX", ""], false);
    }
}
