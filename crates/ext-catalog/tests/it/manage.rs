//! Finding by name, switching, removing.

use std::fs;
use std::os::unix::fs::symlink;

use zeug_ext_catalog::{CatalogError, Lock, Scope, find, installed, remove, set_enabled};

use crate::support::{World, read};

#[test]
fn names_are_the_manifests_first_and_the_projects_before_the_global() {
    let world = World::new();
    world.bare("home/extensions/a", "todo");
    world.bare("home/extensions/todo", "other");
    world.bare("home/extensions/both", "both");
    world.bare("project/.zut/extensions/both", "both");
    let found = |name: &str| {
        let entry = find(&world.places, name).unwrap();
        (entry.scope, entry.entry)
    };
    assert_eq!(found("todo"), (Scope::Global, "a".to_owned()));
    assert_eq!(found("other"), (Scope::Global, "todo".to_owned()));
    assert_eq!(found("a"), (Scope::Global, "a".to_owned()));
    assert_eq!(found("both"), (Scope::Project, "both".to_owned()));
}

#[test]
fn what_is_no_name_is_refused() {
    let world = World::new();
    world.bare("home/outside", "outside");
    world.bare("home/extensions/w", "w");
    for name in [
        "..",
        "../outside",
        "a/b",
        "a\\b",
        "",
        ".",
        ".hidden",
        "w/",
        "w\0",
    ] {
        let error = find(&world.places, name).unwrap_err();
        assert!(
            matches!(error, CatalogError::BadName { .. }),
            "{name:?}: {error}"
        );
    }
    let error = find(&world.places, "none").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no extension \"none\" here; `zeug ext list` shows those there are"
    );
}

#[test]
fn switching_keeps_every_other_byte() {
    let world = World::new();
    let text = "{\n    \"name\": \"w\", \"exec\": \"sh\",\n    \"zeta\": 1.10,\n    \"alpha\": [1,  2]\n}\n";
    let dir = world.manifest("home/extensions/w", text);
    let switch = |enabled| set_enabled(&find(&world.places, "w").unwrap(), enabled).unwrap();
    assert!(!switch(true));
    assert_eq!(read(&dir, "extension.json"), text);
    assert!(switch(false));
    let off = text.replace("2]\n", "2],\n    \"enabled\": false\n");
    assert_eq!(read(&dir, "extension.json"), off);
    assert!(!switch(false));
    assert!(switch(true));
    let on = off.replace("false", "true");
    assert_eq!(read(&dir, "extension.json"), on);
}

#[test]
fn the_switch_of_a_broken_manifest_is_refused() {
    let world = World::new();
    world.manifest("home/extensions/w", "{");
    let error = set_enabled(&find(&world.places, "w").unwrap(), false).unwrap_err();
    assert!(
        error.to_string().contains("home/extensions/w: manifest"),
        "{error}"
    );
}

#[tokio::test]
async fn removing_takes_the_directory_and_its_record() {
    let world = World::new();
    world.complete("src", "w");
    world.install("src").await.unwrap();
    remove(&world.places, &find(&world.places, "w").unwrap()).unwrap();
    assert_eq!(world.extensions(), [""; 0]);
    assert!(Lock::load(&world.places.lock).unwrap().get("w").is_none());
    assert!(world.path("src/run.sh").is_file());
}

#[test]
fn removing_a_project_extension_takes_its_trust_back() {
    let world = World::new();
    let dir = world.bare("project/.zeug/extensions/w", "w");
    world.trust().trust(&dir).unwrap();
    remove(&world.places, &find(&world.places, "w").unwrap()).unwrap();
    assert!(!dir.exists());
    assert_eq!(world.trust().trusted().count(), 0);
}

#[test]
fn of_a_link_only_the_link_is_removed() {
    let world = World::new();
    let real = world.bare("elsewhere/w", "w");
    fs::create_dir_all(&world.places.global).unwrap();
    symlink(&real, world.places.global.join("w")).unwrap();
    remove(&world.places, &find(&world.places, "w").unwrap()).unwrap();
    assert_eq!(world.extensions(), [""; 0]);
    assert!(real.join("extension.json").is_file());
}

#[test]
fn the_list_is_the_projects_then_the_global_ones_and_shows_broken_ones() {
    let world = World::new();
    world.bare("home/extensions/b", "b");
    world.write("home/extensions/a/x", "");
    world.bare("project/.zut/extensions/c", "c");
    let all = installed(&world.places).unwrap();
    let shown: Vec<_> = all
        .iter()
        .map(|e| (e.scope, e.name(), e.manifest.is_ok()))
        .collect();
    assert_eq!(
        shown,
        [
            (Scope::Project, "c", true),
            (Scope::Global, "a", false),
            (Scope::Global, "b", true)
        ]
    );
}
