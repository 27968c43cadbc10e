//! Trust is bound to content, and a change is told.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use zeug_ext_catalog::{Standing, Why, discover, find, set_enabled};

use crate::support::{World, executable};

fn standing(world: &World, dir: &Path) -> String {
    match world.trust().check(dir).unwrap() {
        Standing::Trusted => "trusted".to_owned(),
        Standing::Unknown => "unknown".to_owned(),
        Standing::Changed(change) => change.to_string(),
    }
}

#[test]
fn nothing_is_trusted_until_the_user_says_so() {
    let world = World::new();
    let dir = world.complete("project/.zut/extensions/w", "w");
    let found = discover(&world.roots(), &world.trust());
    assert_eq!(found.skipped[0].why, Why::Untrusted { change: None });
    assert_eq!(standing(&world, &dir), "unknown");

    world.trust().trust(&dir).unwrap();
    assert_eq!(standing(&world, &dir), "trusted");
    assert_eq!(discover(&world.roots(), &world.trust()).loadable.len(), 1);
    let mode = fs::metadata(&world.places.trust).unwrap().permissions();
    assert_eq!(mode.mode() & 0o777, 0o600);

    assert!(world.trust().forget(&dir).unwrap());
    assert!(!world.trust().forget(&dir).unwrap());
    assert_eq!(standing(&world, &dir), "unknown");
}

#[test]
fn a_change_says_what_changed() {
    let world = World::new();
    let dir = world.complete("project/.zeug/extensions/w", "w");
    world.write("project/.zeug/extensions/w/lib/a.py", "a");
    std::os::unix::fs::symlink("lib/a.py", dir.join("link")).unwrap();
    world.trust().trust(&dir).unwrap();

    let check = |expect: &str| assert_eq!(standing(&world, &dir), expect);
    fs::write(dir.join("lib/a.py"), "b").unwrap();
    check("changed lib/a.py");
    fs::write(dir.join("lib/b.py"), "b").unwrap();
    fs::remove_file(dir.join("notes.txt")).unwrap();
    check("changed lib/a.py; added lib/b.py; removed notes.txt");
    let found = discover(&world.roots(), &world.trust());
    assert!(matches!(
        &found.skipped[0].why,
        Why::Untrusted { change: Some(change) } if change.added == ["lib/b.py"]
    ));

    world.trust().trust(&dir).unwrap();
    executable(&dir.join("lib/b.py"));
    check("changed lib/b.py");
    world.trust().trust(&dir).unwrap();
    fs::remove_file(dir.join("link")).unwrap();
    std::os::unix::fs::symlink("lib/b.py", dir.join("link")).unwrap();
    check("changed link");
}

#[test]
fn at_most_ten_names_are_shown() {
    let world = World::new();
    let dir = world.complete("project/.zeug/extensions/w", "w");
    world.trust().trust(&dir).unwrap();
    for n in 10..25 {
        fs::write(dir.join(format!("{n}")), "").unwrap();
    }
    let shown = standing(&world, &dir);
    assert_eq!(
        shown,
        "added 10, 11, 12, 13, 14, 15, 16, 17, 18, 19; and 5 more"
    );
}

#[test]
fn switching_an_extension_and_its_git_data_change_nothing() {
    let world = World::new();
    let dir = world.complete("project/.zeug/extensions/w", "w");
    world.trust().trust(&dir).unwrap();
    let entry = find(&world.places, "w").unwrap();
    assert!(set_enabled(&entry, false).unwrap());
    world.write("project/.zeug/extensions/w/.git/HEAD", "x");
    assert_eq!(standing(&world, &dir), "trusted");
    world.write("project/.zeug/extensions/w/lib/.git/HEAD", "x");
    assert_eq!(standing(&world, &dir), "added lib/.git/HEAD");
}

#[test]
fn another_exec_in_the_manifest_is_a_change() {
    let world = World::new();
    let dir = world.complete("project/.zeug/extensions/w", "w");
    world.trust().trust(&dir).unwrap();
    world.manifest(
        "project/.zeug/extensions/w",
        r#"{"name":"w","exec":"./other"}"#,
    );
    assert_eq!(standing(&world, &dir), "changed extension.json");
}

#[test]
fn trust_for_one_run_is_not_stored() {
    let world = World::new();
    world.complete("project/.zeug/extensions/w", "w");
    assert_eq!(world.trust_all().loadable.len(), 1);
    assert!(!world.places.trust.exists());
}

#[test]
fn too_many_files_are_refused_aloud() {
    let world = World::new();
    let dir = world.complete("project/.zeug/extensions/w", "w");
    for n in 0..10_000 {
        fs::write(dir.join(format!("f{n}")), "").unwrap();
    }
    let error = world.trust().trust(&dir).unwrap_err().to_string();
    assert!(error.contains("more than 10000 files"), "{error}");
    assert!(!world.places.trust.exists());
}

#[test]
fn a_pipe_in_the_directory_does_not_hang_the_look() {
    let world = World::new();
    let dir = world.complete("project/.zeug/extensions/w", "w");
    rustix::fs::mkfifoat(rustix::fs::CWD, dir.join("pipe"), rustix::fs::Mode::RWXU).unwrap();
    world.trust().trust(&dir).unwrap();
    assert_eq!(standing(&world, &dir), "trusted");
}

#[test]
fn a_damaged_record_names_its_line() {
    let world = World::new();
    world.write("home/trust.toml", "\n[[extension]]\npath = 3\n");
    let error = zeug_ext_catalog::Trust::load(&world.places.trust).unwrap_err();
    assert!(
        error.to_string().contains("trust.toml: line 3: "),
        "{error}"
    );
    assert!(error.to_string().contains("remove it to start anew"));
}

#[test]
fn two_writers_lose_nothing() {
    let world = World::new();
    let dirs: Vec<_> = (0..8)
        .map(|n| world.complete(&format!("project/.zeug/extensions/w{n}"), &format!("w{n}")))
        .collect();
    std::thread::scope(|scope| {
        for dir in &dirs {
            let file = &world.places.trust;
            scope.spawn(move || {
                let mut trust = zeug_ext_catalog::Trust::load(file).unwrap();
                trust.trust(dir).unwrap();
            });
        }
    });
    assert_eq!(world.trust().trusted().count(), dirs.len());
}
