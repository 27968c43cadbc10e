//! Renewing what was copied from a directory.

use std::fs;

use zeug_ext_catalog::{Lock, Status, find, set_enabled, update};

use crate::support::{World, read};

async fn status(world: &World, name: Option<&str>, check: bool) -> Vec<(String, Status)> {
    let all = update(&world.places, name, check, &world.tools)
        .await
        .unwrap();
    all.into_iter().map(|one| (one.name, one.status)).collect()
}

async fn one(world: &World) -> Status {
    status(world, Some("w"), false).await.remove(0).1
}

#[tokio::test]
async fn only_what_changed_at_its_source_is_copied_again() {
    let world = World::new();
    world.complete("src/a", "a");
    world.complete("src/b", "b");
    world.bare("home/extensions/by-hand", "by-hand");
    world.install("src/a").await.unwrap();
    let dir = world.install("src/b").await.unwrap().dir;
    world.write("src/b/notes.txt", "two\n");
    let by_hand = Status::Skipped("neither installed by zeug nor a git checkout".into());
    let expect = |b: Status| {
        vec![
            ("a".to_owned(), Status::UpToDate),
            ("b".to_owned(), b),
            ("by-hand".to_owned(), by_hand.clone()),
        ]
    };
    assert_eq!(status(&world, None, true).await, expect(Status::Available));
    assert_eq!(read(&dir, "notes.txt"), "one\n");
    assert_eq!(status(&world, None, false).await, expect(Status::Updated));
    assert_eq!(read(&dir, "notes.txt"), "two\n");
    assert_eq!(status(&world, None, false).await, expect(Status::UpToDate));
    assert_eq!(world.extensions(), ["a", "b", "by-hand"]);
    let lock = Lock::load(&world.places.lock).unwrap();
    assert_eq!(lock.verify("b", &dir).unwrap(), None);
}

#[tokio::test]
async fn state_local_changes_and_the_switch_are_kept() {
    let world = World::new();
    world.complete("src", "w");
    let dir = world.install("src").await.unwrap().dir;
    set_enabled(&find(&world.places, "w").unwrap(), false).unwrap();
    fs::create_dir(dir.join("data")).unwrap();
    fs::write(dir.join("data/state.json"), "{}").unwrap();
    fs::write(dir.join("run.sh"), "#!/bin/sh\nmine\n").unwrap();
    world.write("src/notes.txt", "two\n");
    assert_eq!(one(&world).await, Status::Updated);
    assert_eq!(read(&dir, "notes.txt"), "two\n");
    assert_eq!(read(&dir, "data/state.json"), "{}");
    assert_eq!(read(&dir, "run.sh"), "#!/bin/sh\nmine\n");
    let manifest = find(&world.places, "w").unwrap().manifest.unwrap();
    assert_eq!(manifest.enabled, Some(false));
    assert_eq!(one(&world).await, Status::UpToDate);
}

#[tokio::test]
async fn a_file_changed_on_both_sides_stops_the_update() {
    let world = World::new();
    world.complete("src", "w");
    let dir = world.install("src").await.unwrap().dir;
    fs::write(dir.join("notes.txt"), "mine\n").unwrap();
    world.write("src/notes.txt", "two\n");
    let Status::Failed(why) = one(&world).await else {
        panic!("it should fail")
    };
    assert!(
        why.contains("changed both here and at the source: changed notes.txt"),
        "{why}"
    );
    assert_eq!(read(&dir, "notes.txt"), "mine\n");
    assert_eq!(world.extensions(), ["w"]);
}

#[tokio::test]
async fn a_broken_or_missing_source_leaves_the_extension_alone() {
    let world = World::new();
    world.complete("src", "w");
    let dir = world.install("src").await.unwrap().dir;
    fs::remove_file(world.path("src/run.sh")).unwrap();
    assert!(matches!(one(&world).await, Status::Failed(_)));
    world.complete("src", "other");
    let Status::Failed(why) = one(&world).await else {
        panic!("it should fail")
    };
    assert!(why.contains("it is named other at its source"), "{why}");
    fs::remove_dir_all(world.path("src")).unwrap();
    let Status::Skipped(why) = one(&world).await else {
        panic!("it should be skipped")
    };
    assert!(why.contains("is gone"), "{why}");
    assert!(dir.join("run.sh").is_file());
    assert_eq!(world.extensions(), ["w"]);
}

#[tokio::test]
async fn an_unknown_name_is_an_error() {
    let world = World::new();
    world.complete("project/.zeug/extensions/w", "w");
    for name in ["w", "../w", ""] {
        assert!(
            update(&world.places, Some(name), false, &world.tools)
                .await
                .is_err()
        );
    }
}
