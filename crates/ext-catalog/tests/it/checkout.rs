//! Installing from git and moving a checkout forward.

use std::fs;
use std::os::unix::fs::symlink;

use zeug_ext_catalog::{CatalogError, Lock, SourceKind, Status, find, set_enabled, update};

use crate::support::{World, read};

async fn status(world: &World, check: bool) -> Status {
    let all = update(&world.places, None, check, &world.tools)
        .await
        .unwrap();
    assert_eq!(all.len(), 1);
    all[0].status.clone()
}

#[tokio::test]
async fn a_repository_is_cloned_and_its_commit_recorded() {
    let world = World::new();
    let url = world.repository("repo", "weather").await;
    let head = world.git(&world.path("repo"), &["rev-parse", "HEAD"]).await;
    let dir = world.install(&url).await.unwrap().dir;
    assert!(dir.join(".git").is_dir());
    assert_eq!(world.extensions(), ["weather"]);
    let lock = Lock::load(&world.places.lock).unwrap();
    let record = lock.get("weather").unwrap();
    assert_eq!(record.kind, SourceKind::Git);
    assert_eq!(record.source, url);
    assert_eq!(record.commit, Some(head));
    assert!(record.files.keys().all(|file| !file.starts_with(".git/")));
}

#[tokio::test]
async fn a_branch_a_tag_and_a_commit_can_be_asked_for() {
    let world = World::new();
    let url = world.repository("repo", "weather").await;
    let repo = world.path("repo");
    let first = world.git(&repo, &["rev-parse", "HEAD"]).await;
    world.git(&repo, &["tag", "v1"]).await;
    world.write("repo/notes.txt", "two\n");
    world.commit(&repo, "second").await;
    world.git(&repo, &["branch", "feature/x"]).await;
    for (reference, notes) in [
        ("v1", "one\n"),
        ("feature/x", "two\n"),
        (first.as_str(), "one\n"),
        (&first[..8], "one\n"),
    ] {
        let installed = world.install(&format!("{url}@{reference}")).await.unwrap();
        assert_eq!(read(&installed.dir, "notes.txt"), notes, "{reference}");
        let entry = find(&world.places, "weather").unwrap();
        zeug_ext_catalog::remove(&world.places, &entry).unwrap();
    }
    let error = world
        .install(&format!("{url}@nothing"))
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("git clone failed") && error.contains("nothing"),
        "{error}"
    );
    assert_eq!(world.extensions(), [""; 0]);
}

#[tokio::test]
async fn a_repository_without_a_usable_extension_leaves_nothing() {
    let world = World::new();
    let url = world.repository("repo", "weather").await;
    let repo = world.path("repo");
    symlink("/etc", repo.join("etc")).unwrap();
    world.commit(&repo, "link").await;
    let error = world.install(&url).await.unwrap_err().to_string();
    assert!(
        error.contains("etc leads to /etc; that is outside"),
        "{error}"
    );
    fs::remove_file(repo.join("etc")).unwrap();
    fs::remove_file(repo.join("extension.json")).unwrap();
    world.commit(&repo, "none").await;
    let error = world.install(&url).await.unwrap_err().to_string();
    assert!(error.contains("there is no extension.json"), "{error}");
    let error = world
        .install("file:///nowhere/at/all")
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("git clone failed"), "{error}");
    assert_eq!(world.extensions(), [""; 0]);
}

#[tokio::test]
async fn a_cancelled_clone_leaves_nothing() {
    let mut world = World::new();
    let fifo = world.path("started");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RWXU).unwrap();
    let script = format!("#!/bin/sh\necho > {}\nsleep 600\n", fifo.display());
    world.write_program("bin/git", &script);
    let path = format!("{}:/usr/bin:/bin", world.path("bin").display());
    world.tools.path = Some(path.into());
    let cancel = world.tools.cancel.clone();
    let started = tokio::task::spawn_blocking(move || {
        fs::read_to_string(fifo).unwrap();
        cancel.cancel();
    });
    let error = world
        .install("https://example.invalid/x.git")
        .await
        .unwrap_err();
    assert!(matches!(error, CatalogError::Cancelled), "{error}");
    started.await.unwrap();
    assert_eq!(world.extensions(), [""; 0]);
}

#[tokio::test]
async fn building_a_repository_is_refused() {
    let world = World::new();
    let source = "https://me:secret@example.invalid/x.git";
    let error = world
        .install_with(source, Some(zeug_ext_catalog::Builder::Go))
        .await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("--build is for directories"), "{error}");
    assert!(!error.contains("secret"), "{error}");
}

#[tokio::test]
async fn a_checkout_is_moved_forward_and_then_up_to_date() {
    let world = World::new();
    let url = world.repository("repo", "weather").await;
    let dir = world.install(&url).await.unwrap().dir;
    assert_eq!(status(&world, false).await, Status::UpToDate);

    world.write("repo/notes.txt", "two\n");
    let new = world.commit(&world.path("repo"), "second").await;
    assert_eq!(status(&world, true).await, Status::Available);
    assert_eq!(read(&dir, "notes.txt"), "one\n");
    assert_eq!(status(&world, false).await, Status::Updated);
    assert_eq!(read(&dir, "notes.txt"), "two\n");
    assert_eq!(status(&world, false).await, Status::UpToDate);
    let lock = Lock::load(&world.places.lock).unwrap();
    assert_eq!(lock.get("weather").unwrap().commit, Some(new));
    assert_eq!(lock.verify("weather", &dir).unwrap(), None);
}

#[tokio::test]
async fn local_changes_and_state_survive_an_update() {
    let world = World::new();
    let url = world.repository("repo", "weather").await;
    let dir = world.install(&url).await.unwrap().dir;
    set_enabled(&find(&world.places, "weather").unwrap(), false).unwrap();
    fs::write(dir.join("state.json"), "{}").unwrap();
    fs::write(dir.join("run.sh"), "#!/bin/sh\nmine\n").unwrap();
    world.write("repo/notes.txt", "two\n");
    let manifest =
        "{\n  \"name\": \"weather\",\n  \"exec\": \"./run.sh\",\n  \"version\": \"2\"\n}\n";
    world.manifest("repo", manifest);
    world.commit(&world.path("repo"), "second").await;

    let all = update(&world.places, None, false, &world.tools)
        .await
        .unwrap();
    assert_eq!(all[0].status, Status::Skipped("disabled".into()));
    let all = update(&world.places, Some("weather"), false, &world.tools)
        .await
        .unwrap();
    assert_eq!(all[0].status, Status::Updated);
    assert_eq!(read(&dir, "notes.txt"), "two\n");
    assert_eq!(read(&dir, "run.sh"), "#!/bin/sh\nmine\n");
    assert_eq!(read(&dir, "state.json"), "{}");
    let manifest = find(&world.places, "weather").unwrap().manifest.unwrap();
    assert_eq!(
        (manifest.version.as_str(), manifest.enabled),
        ("2", Some(false))
    );
    assert_eq!(world.git(&dir, &["stash", "list"]).await, "");
}

#[tokio::test]
async fn changes_that_do_not_fit_leave_everything_as_it_was() {
    let world = World::new();
    let url = world.repository("repo", "weather").await;
    let dir = world.install(&url).await.unwrap().dir;
    let before = world.git(&dir, &["rev-parse", "HEAD"]).await;
    fs::write(dir.join("notes.txt"), "mine\n").unwrap();
    fs::write(dir.join("state.json"), "{}").unwrap();
    world.write("repo/notes.txt", "two\n");
    world.commit(&world.path("repo"), "second").await;
    let Status::Failed(why) = status(&world, false).await else {
        panic!("it should not fit")
    };
    assert!(
        why.contains("your changes do not fit the new version"),
        "{why}"
    );
    assert_eq!(read(&dir, "notes.txt"), "mine\n");
    assert_eq!(read(&dir, "state.json"), "{}");
    assert_eq!(world.git(&dir, &["rev-parse", "HEAD"]).await, before);
    assert_eq!(world.git(&dir, &["stash", "list"]).await, "");
}

#[tokio::test]
async fn a_new_version_that_cannot_start_is_not_taken() {
    let world = World::new();
    let url = world.repository("repo", "weather").await;
    let dir = world.install(&url).await.unwrap().dir;
    fs::write(dir.join("state.json"), "{}").unwrap();
    fs::remove_file(world.path("repo/run.sh")).unwrap();
    world.commit(&world.path("repo"), "broken").await;
    let Status::Failed(why) = status(&world, false).await else {
        panic!("it should fail")
    };
    assert!(why.contains("executable \"./run.sh\" is missing"), "{why}");
    assert!(dir.join("run.sh").is_file() && dir.join("state.json").is_file());
}

#[tokio::test]
async fn rewritten_history_is_not_taken() {
    let world = World::new();
    let url = world.repository("repo", "weather").await;
    world.install(&url).await.unwrap();
    let repo = world.path("repo");
    world
        .git(&repo, &["commit", "--quiet", "--amend", "-m", "other"])
        .await;
    let Status::Failed(why) = status(&world, false).await else {
        panic!("it should fail")
    };
    assert!(why.contains("does not continue from here"), "{why}");
}

#[tokio::test]
async fn a_tag_is_pinned() {
    let world = World::new();
    let url = world.repository("repo", "weather").await;
    world.git(&world.path("repo"), &["tag", "v1"]).await;
    world.install(&format!("{url}@v1")).await.unwrap();
    assert_eq!(
        status(&world, false).await,
        Status::Skipped("pinned at v1".into())
    );
}
