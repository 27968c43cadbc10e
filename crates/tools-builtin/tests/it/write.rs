//! `write` with real files.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

use serde_json::json;

use crate::bench::{Bench, names};

#[tokio::test]
async fn a_new_file_gets_its_parent_directories() {
    let bench = Bench::new();
    let said = bench
        .ok("write", json!({"path": "a/b/c.txt", "content": "hello\n"}))
        .await;
    assert_eq!(said, "created a/b/c.txt (6 bytes)");
    assert_eq!(bench.content("a/b/c.txt"), "hello\n");
    // What any program would have given it, not the private mode of a temporary file.
    bench.file("reference", "");
    let mode = |name| fs::metadata(bench.path(name)).unwrap().mode();
    assert_eq!(mode("a/b/c.txt"), mode("reference"));
}

#[tokio::test]
async fn an_existing_file_keeps_its_mode_and_is_replaced_whole() {
    let bench = Bench::new();
    let path = bench.file("run.sh", "old content");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    let said = bench
        .ok("write", json!({"path": "run.sh", "content": "new"}))
        .await;
    assert_eq!(said, "overwrote run.sh (3 bytes, before 11 bytes)");
    assert_eq!(bench.content("run.sh"), "new");
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o750);
    assert_eq!(bench.names(), ["run.sh"]);
}

#[tokio::test]
async fn a_symbolic_link_stays_and_its_target_is_written() {
    let bench = Bench::new();
    let real = bench.file("real/target", "old");
    symlink("real/target", bench.path("second")).unwrap();
    symlink("second", bench.path("link")).unwrap();
    bench
        .ok("write", json!({"path": "link", "content": "new"}))
        .await;
    assert_eq!(fs::read_to_string(&real).unwrap(), "new");
    assert!(
        fs::symlink_metadata(bench.path("link"))
            .unwrap()
            .is_symlink()
    );

    symlink("real/later", bench.path("dangling")).unwrap();
    let said = bench
        .ok("write", json!({"path": "dangling", "content": "x"}))
        .await;
    assert!(said.starts_with("created"), "{said}");
    assert_eq!(bench.content("real/later"), "x");

    symlink("round", bench.path("round")).unwrap();
    let said = bench
        .fails("write", json!({"path": "round", "content": "x"}))
        .await;
    assert!(said.contains("symbolic links"), "{said}");
}

#[tokio::test]
async fn what_cannot_be_written_is_left_alone_and_named() {
    let bench = Bench::new();
    bench.file("dir/file", "x");
    let said = bench
        .fails("write", json!({"path": "dir", "content": ""}))
        .await;
    assert_eq!(said, "write: dir is a directory; name a file in it");
    let said = bench
        .fails("write", json!({"path": "new/", "content": ""}))
        .await;
    assert!(said.contains("new/ is a directory"), "{said}");
    let said = bench
        .fails("write", json!({"path": "dir/file/x", "content": ""}))
        .await;
    assert!(
        said.starts_with("write: cannot write dir/file/x:"),
        "{said}"
    );
    let said = bench
        .fails("write", json!({"path": "/dev/null", "content": ""}))
        .await;
    assert!(said.contains("device"), "{said}");
    assert_eq!(names(&bench.path("dir")), ["file"]);
}

#[tokio::test]
async fn a_refused_permission_is_told_with_place_and_next_step() {
    let bench = Bench::new();
    let path = bench.file("locked", "old");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    if fs::File::options().append(true).open(&path).is_ok() {
        // Nothing is refused to root; the sentence has a test of its own beside its code.
        return;
    }
    let said = bench
        .fails("write", json!({"path": "locked", "content": "new"}))
        .await;
    assert!(
        said.starts_with("write: cannot write locked: permission denied (mode 444, owner "),
        "{said}"
    );
    assert_eq!(bench.content("locked"), "old");
}

#[tokio::test]
async fn a_preview_shows_what_would_change_and_changes_nothing() {
    let bench = Bench::new();
    bench.file("a", "one\ntwo\n");
    bench.file("b", b"\xff");
    let preview = |path: &str, content: &str| {
        let args = json!({"path": path, "content": content});
        let bench = &bench;
        async move { bench.preview("write", args).await }
    };
    assert_eq!(
        preview("a", "one\n2\n").await.unwrap(),
        "overwrite a (6 bytes, before 8 bytes)\n--- a\n+++ a\n@@ -1,2 +1,2 @@\n one\n-two\n+2"
    );
    assert!(
        preview("a", "one\ntwo\n")
            .await
            .unwrap()
            .ends_with("nothing changes")
    );
    assert_eq!(
        preview("new", "x\n").await.unwrap(),
        "create new (2 bytes)\nx"
    );
    assert!(preview("b", "x").await.unwrap().ends_with("is not text"));
    let why = preview(".", "x").await.unwrap_err();
    assert!(why.starts_with("write: . is a directory"), "{why}");
    assert_eq!(
        (bench.names(), bench.content("a")),
        (vec!["a".into(), "b".into()], "one\ntwo\n".into())
    );
}

#[tokio::test]
async fn a_preview_of_a_big_file_is_bounded() {
    let bench = Bench::new();
    let content = "line\n".repeat(100_000);
    let args = json!({"path": "big", "content": content});
    let preview = bench.preview("write", args).await.unwrap();
    assert!(preview.len() < 60_000);
    assert!(preview.ends_with("[98000 more lines are not shown]"));
}
