//! `edit` with real files.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

use serde_json::{Value, json};

use crate::bench::Bench;

fn args(path: &str, pairs: &[(&str, &str)]) -> Value {
    let edits: Vec<Value> = pairs
        .iter()
        .map(|(old, new)| json!({"old_text": old, "new_text": new}))
        .collect();
    json!({"path": path, "edits": edits})
}

#[tokio::test]
async fn an_edit_answers_with_its_diff_and_the_preview_shows_the_same() {
    let bench = Bench::new();
    bench.file("a.rs", "fn a() {}\nfn b() {}\n");
    let args = args("a.rs", &[("a()", "first()"), ("b()", "second()")]);
    let preview = bench.preview("edit", args.clone()).await.unwrap();
    assert_eq!(bench.content("a.rs"), "fn a() {}\nfn b() {}\n");
    let said = bench.ok("edit", args).await;
    assert_eq!(said, preview);
    assert_eq!(
        said,
        "--- a.rs\n+++ a.rs\n@@ -1,2 +1,2 @@\n-fn a() {}\n-fn b() {}\n+fn first() {}\n+fn second() {}"
    );
    assert_eq!(bench.content("a.rs"), "fn first() {}\nfn second() {}\n");
}

#[tokio::test]
async fn byte_order_mark_and_line_ends_survive() {
    let bench = Bench::new();
    bench.file("dos.txt", "\u{feff}one\r\ntwo\r\nthree\r\n");
    let said = bench
        .ok("edit", args("dos.txt", &[("one\ntwo\n", "1\n1.5\n2\n")]))
        .await;
    assert_eq!(
        bench.content("dos.txt"),
        "\u{feff}1\r\n1.5\r\n2\r\nthree\r\n"
    );
    assert!(!said.contains('\r') && said.contains("\n three"), "{said}");
}

#[tokio::test]
async fn the_names_of_other_agents_are_understood() {
    let bench = Bench::new();
    bench.file("a", "x");
    let camel = json!({"path": "a", "edits": [{"oldText": "x", "newText": "y"}]});
    bench.ok("edit", camel).await;
    assert_eq!(bench.content("a"), "y");
    let both = json!({"path": "a", "edits": [{"oldText": "y", "old_text": "y"}]});
    let said = bench.fails("edit", both).await;
    assert!(said.contains("duplicate field `old_text`"), "{said}");
}

#[tokio::test]
async fn a_refused_edit_says_why_and_changes_nothing_and_so_does_its_preview() {
    let bench = Bench::new();
    bench.file("a", "x = 1\ny = 2\nx = 1\n");
    for (pairs, expect) in [
        (
            [("y = 2", "y = 3"), ("x = 1", "x = 2")].as_slice(),
            "edit: a: edits[1].old_text occurs more than once, at lines 1, 3; add lines around it until it is unique",
        ),
        (
            &[("y = 2\nx", "z"), ("= 2", "= 3")],
            "edit: a: edits[0] and edits[1] overlap at line 2; make them one edit",
        ),
        (
            &[("  y = 2", "z")],
            "edit: a: edits[0].old_text does not occur (line 2 differs from it in white space); read the file again and copy the text exactly",
        ),
        (
            &[("y = 2", "y = 2")],
            "edit: a: edits[0] has the same old_text and new_text; leave it out",
        ),
    ] {
        assert_eq!(bench.fails("edit", args("a", pairs)).await, expect);
        let preview = bench.preview("edit", args("a", pairs)).await;
        assert_eq!(preview.unwrap_err(), expect);
    }
    assert_eq!(bench.content("a"), "x = 1\ny = 2\nx = 1\n");
}

#[tokio::test]
async fn a_file_that_an_edit_would_damage_is_refused() {
    let bench = Bench::new();
    bench.file("latin1", b"caf\xe9 x");
    let said = bench.fails("edit", args("latin1", &[("x", "y")])).await;
    assert!(said.contains("latin1 is not UTF-8 text"), "{said}");
    bench.file("binary", b"x\0");
    let said = bench.fails("edit", args("binary", &[("x", "y")])).await;
    assert!(said.contains("binary is a binary file"), "{said}");
    bench.file("src/main.rs", "");
    let said = bench.fails("edit", args("src/man.rs", &[("x", "y")])).await;
    assert!(said.contains("(did you mean src/main.rs?)"), "{said}");
    let said = bench.fails("edit", args("src", &[("x", "y")])).await;
    assert!(said.contains("src is a directory"), "{said}");
}

#[tokio::test]
async fn mode_and_link_survive() {
    let bench = Bench::new();
    let path = bench.file("real", "x");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    symlink("real", bench.path("link")).unwrap();
    bench.ok("edit", args("link", &[("x", "y")])).await;
    assert_eq!(bench.content("real"), "y");
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
    assert!(
        fs::symlink_metadata(bench.path("link"))
            .unwrap()
            .is_symlink()
    );
}

#[tokio::test]
async fn edits_of_one_file_at_the_same_time_do_not_undo_each_other() {
    let bench = Bench::new();
    let all: String = (0..20).map(|n| format!("<{n}>\n")).collect();
    bench.file("a", &all);
    let tools = zeug_tools_builtin::all(bench.options.clone());
    let edit = tools.iter().find(|t| t.spec().name == "edit").unwrap();
    let cx = bench.context();
    let calls: Vec<_> = (0..20)
        .map(|n| {
            let args = args("a", &[(&format!("<{n}>"), &format!("[{n}]"))]);
            let (edit, cx) = (edit.clone(), cx.clone());
            tokio::spawn(async move { edit.execute(&crate::bench::call("edit", args), &cx).await })
        })
        .collect();
    for call in calls {
        assert!(!call.await.unwrap().status.is_error());
    }
    let expect: String = (0..20).map(|n| format!("[{n}]\n")).collect();
    assert_eq!(bench.content("a"), expect);
}
