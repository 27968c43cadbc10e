//! The terminal face: wiring for `zeug [PROMPT]` in a terminal.

use tokio_util::sync::CancellationToken;
use zeug_app::{Agent, Parts};
use zeug_engine::Approval;
use zeug_front_tui::{Depth, Highlighter, Look, Mode, Setup, Theme};

use crate::args::RunArgs;
use crate::compose;
use crate::signals::INTERRUPTED;
use crate::world::{VERSION, World};

/// Shows the agent until the user leaves; the exit code.
pub(crate) async fn run(
    world: &World,
    args: &RunArgs,
    mut parts: Parts,
    prompt: Option<String>,
    interrupt: CancellationToken,
) -> anyhow::Result<u8> {
    parts.engine.can_ask = true;
    parts.engine.can_interact = true;
    parts.engine.approval = compose::wanted_approval(world, args).unwrap_or(Approval::Writes);
    let setup = Setup {
        version: VERSION.to_owned(),
        look: look(world),
        prompt,
    };
    let (agent, mut notices) = Agent::start(parts);
    agent.set_face(true, true).await;
    let ended = zeug_front_tui::run(&agent, &mut notices, setup, interrupt.clone()).await;
    // Notices are still taken, so that nobody waits for the face while everything stops.
    let drain = async { while notices.recv().await.is_some() {} };
    tokio::join!(agent.quit(), drain);
    ended?;
    Ok(if interrupt.is_cancelled() {
        INTERRUPTED
    } else {
        0
    })
}

/// How the face looks, as far as the environment says so.
fn look(world: &World) -> Look {
    let variable = |name: &str| world.env.text(name).unwrap_or_default();
    let term = variable("TERM");
    let depth = if world.env.no_color || term == "dumb" {
        Depth::None
    } else {
        depth(&term, &variable("COLORTERM"))
    };
    let mode = mode(&variable("COLORFGBG"));
    Look {
        theme: Theme::builtin(mode),
        depth,
        unicode: is_unicode(&["LC_ALL", "LC_CTYPE", "LANG"].map(variable)),
        code: Highlighter::start(),
        ..Look::default()
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

/// The background that `COLORFGBG` tells (`15;0`), else a dark one.
fn mode(colors: &str) -> Mode {
    match colors.rsplit(';').next() {
        Some("7" | "15") => Mode::Light,
        _ => Mode::Dark,
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
        assert_eq!(mode("0;15"), Mode::Light);
        assert_eq!(mode("15;default;0"), Mode::Dark);
        assert_eq!(mode(""), Mode::Dark);
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
