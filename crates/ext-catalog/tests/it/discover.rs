//! Which extensions are found, in which order, and which of two with one name wins.

use std::path::{Path, PathBuf};

use zeug_ext_catalog::{Candidate, DisabledBy, Found, Locked, Scope, Why, discover};

use crate::support::World;

fn loadable(found: &Found) -> Vec<(Scope, &str)> {
    let of = |c: &'_ Candidate| c.scope;
    found.loadable.iter().map(|c| (of(c), c.name())).collect()
}

/// `name: why` of what was skipped, with paths from the world.
fn skipped(world: &World, found: &Found) -> Vec<String> {
    let root = format!("{}/", world.path("").display());
    let shown = found.skipped.iter().map(|s| {
        let dir = s.dir.display().to_string();
        format!("{dir}: {}", s.why).replace(&root, "")
    });
    shown.collect()
}

#[test]
fn the_order_is_explicit_then_project_then_global_by_name() {
    let world = World::new();
    for (dir, name) in [
        ("home/extensions/b", "b"),
        ("home/extensions/a", "a"),
        ("project/.zut/extensions/c", "c"),
        ("project/.zeug/extensions/d", "d"),
        ("project/.zot/extensions/e", "e"),
        ("z", "z"),
        ("y", "y"),
    ] {
        world.bare(dir, name);
    }
    let mut roots = world.roots();
    roots.explicit = vec![world.path("z"), world.path("y/extension.json")];
    let found = discover(&roots, &world.trust().everything());
    let expect = [
        (Scope::Explicit, "z"),
        (Scope::Explicit, "y"),
        (Scope::Project, "c"),
        (Scope::Project, "d"),
        (Scope::Project, "e"),
        (Scope::Global, "a"),
        (Scope::Global, "b"),
    ];
    assert_eq!(loadable(&found), expect);
    assert!(found.errors.is_empty() && found.skipped.is_empty() && found.warnings.is_empty());

    roots.no_ext = true;
    let found = discover(&roots, &world.trust().everything());
    assert_eq!(loadable(&found), expect[..2]);
}

/// Directories with the names in their manifests, the first given by `--ext`.
fn check(dirs: &[(&str, &str)], loads: &[&str], skips: &[&str]) {
    let world = World::new();
    let mut roots = world.roots();
    for (dir, name) in dirs {
        let path = world.bare(dir, name);
        if !dir.contains("extensions/") {
            roots.explicit.push(path);
        }
    }
    let found = discover(&roots, &world.trust().everything());
    let dirs: Vec<&Path> = found.loadable.iter().map(|c| c.dir.as_path()).collect();
    let expect: Vec<PathBuf> = loads.iter().map(|dir| world.path(dir)).collect();
    assert_eq!(dirs, expect);
    assert_eq!(skipped(&world, &found), skips);
}

#[test]
fn a_project_directory_hides_a_global_one_of_its_name() {
    check(
        &[
            ("project/.zeug/extensions/weather", "x"),
            ("home/extensions/weather", "y"),
        ],
        &["project/.zeug/extensions/weather"],
        &["home/extensions/weather: project/.zeug/extensions/weather has the same name and wins"],
    );
}

#[test]
fn names_in_manifests_count_against_everything_earlier_and_without_case() {
    check(
        &[
            ("mine", "weather"),
            ("project/.zeug/extensions/a", "Weather"),
            ("home/extensions/b", "WEATHER"),
        ],
        &["mine"],
        &[
            "project/.zeug/extensions/a: mine has the same name and wins",
            "home/extensions/b: mine has the same name and wins",
        ],
    );
}

#[test]
fn explicit_extensions_hide_by_manifest_name_only() {
    check(
        &[("weather", "x"), ("home/extensions/weather", "weather")],
        &["weather", "home/extensions/weather"],
        &[],
    );
}

#[test]
fn of_two_project_directories_zeugs_own_wins() {
    check(
        &[
            ("project/.zut/extensions/a", "a"),
            ("project/.zeug/extensions/a", "a"),
        ],
        &["project/.zeug/extensions/a"],
        &["project/.zut/extensions/a: project/.zeug/extensions/a has the same name and wins"],
    );
}

#[test]
fn two_global_ones_of_one_manifest_name_start_once() {
    check(
        &[("home/extensions/b", "same"), ("home/extensions/a", "same")],
        &["home/extensions/a"],
        &["home/extensions/b: home/extensions/a has the same name and wins"],
    );
}

#[test]
fn a_disabled_project_copy_hides_the_global_one() {
    let world = World::new();
    let off = r#"{"name":"w","exec":"sh","enabled":false}"#;
    let dir = world.manifest("project/.zeug/extensions/w", off);
    world.bare("home/extensions/w", "w");
    world.trust().trust(&dir).unwrap();
    let found = discover(&world.roots(), &world.trust());
    assert!(found.loadable.is_empty());
    let why: Vec<_> = found.skipped.iter().map(|s| s.why.clone()).collect();
    assert_eq!(
        why,
        [
            Why::Disabled {
                by: DisabledBy::Manifest
            },
            Why::Shadowed { by: dir }
        ]
    );
}

#[test]
fn an_untrusted_project_cannot_switch_a_global_extension_off() {
    let world = World::new();
    for (dir, text) in [
        ("a", r#"{"name":"a","exec":"sh"}"#),
        ("b", r#"{"name":"b","exec":"sh","enabled":false}"#),
        ("c", "{"),
    ] {
        world.manifest(&format!("project/.zeug/extensions/{dir}"), text);
        world.bare(&format!("home/extensions/{dir}"), dir);
    }
    let found = discover(&world.roots(), &world.trust());
    let expect = ["a", "b", "c"].map(|name| (Scope::Global, name));
    assert_eq!(loadable(&found), expect);
    assert_eq!(
        skipped(&world, &found),
        [
            "project/.zeug/extensions/a: not trusted yet",
            "project/.zeug/extensions/b: disabled in extension.json",
        ]
    );
    assert_eq!(found.errors.len(), 1);
}

#[test]
fn disabled_counts_for_explicit_ones_and_the_settings_name_either_name() {
    let world = World::new();
    let dir = world.manifest("x", r#"{"name":"x","exec":"sh","enabled":false}"#);
    world.bare("home/extensions/dir-name", "a");
    world.bare("home/extensions/b", "manifest-name");
    let mut roots = world.roots();
    roots.explicit = vec![dir];
    roots.disabled = ["dir-name".to_owned(), "manifest-name".to_owned()].into();
    let found = discover(&roots, &world.trust());
    assert!(found.loadable.is_empty());
    let settings = Why::Disabled {
        by: DisabledBy::Settings,
    };
    let why: Vec<_> = found.skipped.iter().map(|s| &s.why).collect();
    let manifest = Why::Disabled {
        by: DisabledBy::Manifest,
    };
    assert_eq!(why, [&manifest, &settings, &settings]);
}

#[test]
fn programs_are_resolved_against_the_directory_or_left_to_path() {
    let world = World::new();
    for (dir, exec) in [
        ("a", "./bin/x"),
        ("b", "bin/x"),
        ("c", "/bin/x"),
        ("d", "node"),
    ] {
        let text = format!(r#"{{"name":"{dir}","exec":"{exec}","args":["--a b"]}}"#);
        world.manifest(&format!("home/extensions/{dir}"), &text);
    }
    let found = discover(&world.roots(), &world.trust());
    let programs: Vec<_> = found.loadable.iter().map(|c| c.program.clone()).collect();
    let inside = |dir: &str| world.path("home/extensions").join(dir).join("bin/x");
    assert_eq!(
        programs,
        [inside("a"), inside("b"), "/bin/x".into(), "node".into()]
    );
    assert_eq!(found.loadable[0].args, ["--a b"]);
}

#[test]
fn project_extensions_keep_state_in_the_home_and_others_beside_their_program() {
    let world = World::new();
    let a = world.bare("project/.zeug/extensions/a", "a");
    let b = world.bare("home/extensions/b", "b");
    let found = world.trust_all();
    let data = &found.loadable[0].data_dir;
    assert_eq!(data.parent(), Some(world.path("home/data").as_path()));
    let name = data.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("a-") && name.len() == 10, "{name}");
    assert_eq!(found.loadable[0].dir, a);
    assert_eq!(found.loadable[1].data_dir, b);
}

#[test]
fn broken_directories_are_errors_that_name_them() {
    let world = World::new();
    world.write("home/extensions/empty/readme", "");
    world.manifest("home/extensions/escape", r#"{"name":"../x","exec":"sh"}"#);
    world.manifest("home/extensions/nothing", r#"{"name":"nothing"}"#);
    world.write("home/extensions/.staging-1/x", "");
    world.write("home/extensions/file", "");
    world.bare("home/extensions/good", "good");
    let mut roots = world.roots();
    roots.explicit = vec![world.path("missing"), world.path("home/extensions/file")];
    let found = discover(&roots, &world.trust());
    assert_eq!(loadable(&found), [(Scope::Global, "good")]);
    let root = format!("{}/", world.path("").display());
    let errors: Vec<_> = found
        .errors
        .iter()
        .map(|e| e.to_string().replace(&root, ""))
        .collect();
    assert_eq!(errors.len(), 5, "{errors:#?}");
    assert!(
        errors[0].starts_with("missing: No such file"),
        "{errors:#?}"
    );
    assert!(errors[1].starts_with("home/extensions/file: not a directory"));
    assert_eq!(
        errors[2],
        "home/extensions/empty: there is no extension.json in it"
    );
    assert!(errors[3].contains("invalid extension name \"../x\""));
    assert!(errors[4].contains("exec is required"), "{}", errors[4]);
}

#[test]
fn a_theme_needs_no_program() {
    let world = World::new();
    world.manifest("home/extensions/dark", r#"{"name":"dark"}"#);
    world.write("home/extensions/dark/themes/theme.json", "{}");
    let found = discover(&world.roots(), &world.trust());
    assert_eq!(found.skipped[0].why, Why::ThemeOnly);
    assert!(found.errors.is_empty() && found.loadable.is_empty());
}

#[test]
fn requirements_are_checked_with_a_message_that_says_what_is_missing() {
    let world = World::new();
    let check = |requires: &str, expect: &str| {
        let text = format!(r#"{{"name":"r","exec":"sh","requires":{requires}}}"#);
        world.manifest("home/extensions/r", &text);
        let found = discover(&world.roots(), &world.trust());
        let message = found.errors.first().map_or("", |e| e.message.as_str());
        assert_eq!(message, expect);
    };
    check(r#"{"commands":["sh"],"zeug":">=0.1"}"#, "");
    check(
        r#"{"commands":["sh","no-such-a","no-such-b"]}"#,
        "it requires no-such-a, no-such-b, not found on PATH; install it",
    );
    check(
        r#"{"zeug":">=0.2"}"#,
        "it requires zeug >=0.2 and this is 0.1.0; update zeug or use another version of the \
         extension",
    );
}

#[test]
fn a_link_to_a_directory_counts_under_its_own_name() {
    let world = World::new();
    let real = world.bare("elsewhere/real", "w");
    std::fs::create_dir_all(&world.places.global).unwrap();
    std::os::unix::fs::symlink(&real, world.places.global.join("w")).unwrap();
    world.bare("project/.zeug/extensions/w", "other");
    let found = world.trust_all();
    assert_eq!(
        skipped(&world, &found),
        ["elsewhere/real: project/.zeug/extensions/w has the same name and wins"]
    );
}

#[tokio::test]
async fn what_differs_from_the_lock_is_told_or_refused() {
    let world = World::new();
    world.complete("src/w", "w");
    world.install("src/w").await.unwrap();
    let dir = world.path("home/extensions/w");
    std::fs::write(dir.join("state.json"), "{}").unwrap();
    assert!(discover(&world.roots(), &world.trust()).warnings.is_empty());

    std::fs::write(dir.join("run.sh"), "#!/bin/sh\nevil\n").unwrap();
    let mut roots = world.roots();
    let found = discover(&roots, &world.trust());
    assert_eq!(loadable(&found), [(Scope::Global, "w")]);
    let warning = found.warnings[0].to_string();
    assert!(
        warning.starts_with("w: not as it was installed (changed run.sh);"),
        "{warning}"
    );

    roots.locked = Locked::Refuse;
    let found = discover(&roots, &world.trust());
    assert!(found.loadable.is_empty());
    assert!(found.errors[0].message.contains("changed run.sh"));
}
