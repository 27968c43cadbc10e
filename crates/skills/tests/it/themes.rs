//! Themes: what a file may say, which one is found, and what is refused.

use std::time::Duration;

use zeug_skills::Source;
use zeug_skills::theme::{Color, Mode, Role, ThemePlaces, Token, find, load, parse};

use crate::world::World;

const FULL: &str = r##"{
  "name": "dusk", "description": "Calm", "color_descriptions": {"accent": "for people"},
  "accent": 204, "thinkingMax": 3,
  "colors": {
    "muted": {"mode": "ansi", "index": 90}, "spinner_messages": ["shipping"],
    "dark": {
      "fg": "#e5e9f0", "background": {"mode": "rgb", "r": 1, "g": 2, "b": 3},
      "accent": null, "spinner_frames": ["◢", "◣"], "spinner_interval_ms": 120,
      "syntax_base_style": "monokai", "syntax": {"keyword": "#81a1c1 bold"}
    },
    "light": {"fg": 236}
  }
}"##;

#[test]
fn a_theme_says_what_holds_everywhere_and_on_one_background() {
    let checked = parse(FULL).unwrap();
    assert!(checked.warnings.is_empty(), "{:?}", checked.warnings);
    let theme = checked.theme;
    assert_eq!(
        (theme.name.as_deref(), theme.description.as_deref()),
        (Some("dusk"), Some("Calm"))
    );
    let dark = theme.on(Mode::Dark);
    let color = |role| dark.colors.get(&role).copied();
    assert_eq!(color(Role::Foreground), Some(Color::Rgb(0xe5, 0xe9, 0xf0)));
    assert_eq!(color(Role::Background), Some(Color::Rgb(1, 2, 3)));
    assert_eq!(color(Role::Accent), Some(Color::Indexed(204)));
    assert_eq!(color(Role::Muted), Some(Color::Palette(8)));
    assert_eq!(color(Role::ThinkingMax), Some(Color::Indexed(3)));
    assert_eq!(color(Role::Error), None);
    assert_eq!(
        dark.spinner_frames,
        Some(vec!["◢".to_owned(), "◣".to_owned()])
    );
    assert_eq!(dark.spinner_messages, Some(vec!["shipping".to_owned()]));
    assert_eq!(dark.spinner_interval, Some(Duration::from_millis(120)));
    assert_eq!(dark.syntax_base_style.as_deref(), Some("monokai"));
    assert_eq!(dark.syntax[&Token::Keyword].bold, Some(true));
    let light = theme.on(Mode::Light);
    assert_eq!(light.colors[&Role::Foreground], Color::Indexed(236));
    assert!(light.spinner_frames.is_none() && light.syntax.is_empty());
}

#[test]
fn a_theme_for_one_background_serves_the_other_and_an_empty_one_is_fine() {
    let theme = parse(r#"{"colors":{"dark":{"fg":1}}}"#).unwrap().theme;
    assert_eq!(theme.on(Mode::Light), theme.on(Mode::Dark));
    assert_eq!(
        parse("\u{feff}{}").unwrap().theme.on(Mode::Dark),
        Default::default()
    );
}

#[test]
fn every_flaw_is_named_with_its_place() {
    let flaws = parse(
        r#"{"name": 1, "fg": "red", "colors": {"dark": {"accent": 300, "syntax": {"keyword": "loud"}},
        "light": [], "spinner_frames": ["a", "", "\u001b[31m", 7]}}"#,
    )
    .unwrap_err();
    let places: Vec<&str> = flaws.0.iter().map(|flaw| flaw.at.as_str()).collect();
    assert_eq!(
        places,
        [
            "/name",
            "/fg",
            "/colors/spinner_frames/1",
            "/colors/spinner_frames/2",
            "/colors/spinner_frames/3",
            "/colors/dark/accent",
            "/colors/dark/syntax/keyword",
            "/colors/light"
        ]
    );
    let said = flaws.to_string();
    assert!(
        said.starts_with("/name: expected text; /fg: \"red\" is no color"),
        "{said}"
    );
    assert!(said.ends_with("and 3 more"), "{said}");
}

#[test]
fn what_is_no_theme_at_all_is_refused() {
    let check = |text: &str, expect: &str| {
        let said = parse(text).unwrap_err().to_string();
        assert!(said.starts_with(expect), "{said}");
    };
    check("{\n// no\n}", "line 2: no JSON: ");
    check("[]", "/: expected an object");
    check("", "line 1: no JSON: ");
    check(
        r#"{"spinner_frames":"x"}"#,
        "/spinner_frames: expected a list",
    );
    check(r#"{"syntax":"x"}"#, "/syntax: expected an object");
    check(
        r#"{"spinner_interval_ms":"x"}"#,
        "/spinner_interval_ms: expected a whole number",
    );
    let many = serde_json::json!({"spinner_frames": vec!["x"; 65]}).to_string();
    check(&many, "/spinner_frames: more than 64");
}

#[test]
fn unknown_keys_and_odd_speeds_are_only_mentioned() {
    let checked = parse(
        r#"{"acent": 1, "frobnicate": 2, "spinner_interval_ms": 1, "syntax": {"keywrd": "bold"}, "colors": {"drak": {}}}"#,
    )
    .unwrap();
    let said: Vec<String> = checked.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "/acent: unknown key, ignored (did you mean accent?)",
            "/frobnicate: unknown key, ignored",
            "/spinner_interval_ms: 1 is not between 10 and 10000; ignored",
            "/syntax/keywrd: unknown key, ignored (did you mean keyword?)",
            "/colors/drak: unknown key, ignored (did you mean dark?)",
        ]
    );
    assert_eq!(checked.theme, Default::default());
}

#[test]
fn nothing_in_a_theme_drives_a_terminal() {
    let checked = parse(r#"{"name": "a\u001b[2Jb\nc", "colo\u001b[1mr": 1}"#).unwrap();
    assert_eq!(checked.theme.name.as_deref(), Some("ab c"));
    assert!(!checked.warnings[0].to_string().contains('\u{1b}'));
    let said = parse(r#"{"fg": "\u001b[2J"}"#).unwrap_err().to_string();
    assert!(!said.contains('\u{1b}'), "{said:?}");
}

/// Good and bad themes of a user, a project and four extensions.
fn world_of_themes() -> World {
    let world = World::new();
    world.write("state/themes/b.json", r#"{"name":"Bee"}"#);
    world.write("state/themes/a.JSON", "{}");
    world.write("state/themes/dark.json", "{}");
    world.write("state/themes/notes.txt", "");
    world.write("state/themes/broken.json", "{");
    world.write("project/.zeug/themes/b.json", r#"{"name":"Other"}"#);
    world.write("project/.zeug/themes/p.json", "{}");
    world.write("ext/z/theme.json", r#"{"name":"Zet"}"#);
    world.write("ext/z/themes/theme.json", r#"{"name":"Never"}"#);
    world.write("ext/m/themes/theme.json", "{}");
    world.write("ext/none/extension.json", "{}");
    world.write("elsewhere.json", "{}");
    world.link("ext/out/theme.json", "elsewhere.json");
    world
}

#[test]
fn the_users_come_before_the_projects_and_extensions_after_both() {
    let world = world_of_themes();
    let extension = |name: &str| (name.to_owned(), world.path("ext").join(name));
    let found = find(&ThemePlaces {
        dirs: vec![
            (Source::User, world.path("state/themes")),
            (Source::Project, world.path("project/.zeug/themes")),
            (Source::Project, world.path("nowhere")),
        ],
        extensions: ["z", "none", "out", "m"].map(extension).to_vec(),
    });
    let listed: Vec<_> = found
        .themes
        .iter()
        .map(|t| (t.id.as_str(), t.label()))
        .collect();
    assert_eq!(
        listed,
        [
            ("a", "a"),
            ("b", "Bee"),
            ("p", "p"),
            ("extension/m", "extension/m"),
            ("extension/z", "Zet")
        ]
    );
    assert_eq!(
        found.get("extension/z").unwrap().source,
        Source::Extension("z".into())
    );
    assert!(found.get("broken").is_none());
    let said: Vec<String> = found.problems.iter().map(ToString::to_string).collect();
    let root = format!("{}/", world.path("").display());
    let said: Vec<String> = said
        .iter()
        .map(|text| text.replace(root.trim_end_matches('/'), ""))
        .collect();
    assert_eq!(said.len(), 4, "{said:#?}");
    assert!(
        said[0].contains("broken.json: line 1: no JSON"),
        "{said:#?}"
    );
    assert!(
        said[1].contains("dark.json: dark is a name of zeug's own"),
        "{said:#?}"
    );
    assert!(said[2].contains("has the same name and wins"), "{said:#?}");
    assert!(said[3].contains("it leads out of"), "{said:#?}");
}

#[test]
fn a_file_that_is_too_big_or_gone_is_refused() {
    let world = World::new();
    world.write("big.json", " ".repeat(1024 * 1024) + "{}");
    world.write("good.json", "{}");
    let said = |name: &str| load(&world.path(name)).unwrap_err().to_string();
    assert_eq!(said("big.json"), "/: it has more than 1024 KiB, the limit");
    assert!(said("gone.json").contains("it is not there"));
    assert!(load(&world.path("good.json")).is_ok());
}
