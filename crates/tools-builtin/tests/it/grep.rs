//! `grep` with real files.

use serde_json::json;

use crate::bench::Bench;

fn project() -> Bench {
    let bench = Bench::new();
    bench.file(".gitignore", "target/\n*.log\n");
    bench.file("src/b.rs", "fn main() {\n    needle();\n}\n");
    bench.file("src/a.rs", "// Needle\n");
    bench.file("notes.txt", "needle one\nneedle two\n");
    bench.file("target/out.rs", "needle\n");
    bench.file("debug.log", "needle\n");
    bench.file(".hidden/x", "needle\n");
    bench.file(".git/config", "needle\n");
    bench.file("image.bin", b"needle\n\0needle\n");
    bench
}

#[tokio::test]
async fn matches_are_sorted_and_ignored_hidden_and_binary_files_left_out() {
    let bench = project();
    let expect = "notes.txt:1:needle one\nnotes.txt:2:needle two\nsrc/b.rs:2:    needle();";
    for _ in 0..3 {
        assert_eq!(bench.ok("grep", json!({"pattern": "needle"})).await, expect);
    }
    let text = bench
        .ok(
            "grep",
            json!({"pattern": "needle", "hidden": true, "limit": 1}),
        )
        .await;
    assert!(
        text.starts_with(".hidden/x:1:needle\n[stopped after 1 matches;"),
        "{text}"
    );
}

#[tokio::test]
async fn path_glob_case_and_context_narrow_and_widen() {
    let bench = project();
    let text = bench
        .ok(
            "grep",
            json!({"pattern": "needle", "glob": "*.rs", "ignore_case": true}),
        )
        .await;
    assert_eq!(text, "src/a.rs:1:// Needle\nsrc/b.rs:2:    needle();");
    let text = bench
        .ok(
            "grep",
            json!({"pattern": "needle", "path": "src", "context": 1}),
        )
        .await;
    assert_eq!(
        text,
        "src/b.rs-1-fn main() {\nsrc/b.rs:2:    needle();\nsrc/b.rs-3-}"
    );
    let text = bench
        .ok("grep", json!({"pattern": "two$", "path": "notes.txt"}))
        .await;
    assert_eq!(text, "notes.txt:2:needle two");
    // What was named is searched, whatever ignores it.
    let text = bench
        .ok("grep", json!({"pattern": "needle", "path": "target"}))
        .await;
    assert_eq!(text, "target/out.rs:1:needle");
}

#[tokio::test]
async fn many_matches_are_bounded() {
    let bench = Bench::new();
    bench.file("a", "needle\n".repeat(5000));
    let text = bench.ok("grep", json!({"pattern": "needle"})).await;
    assert_eq!(text.lines().count(), 101);
    assert!(
        text.contains("\n[stopped after 100 matches; narrow pattern"),
        "{text}"
    );
    bench.file("b", format!("needle{}\n", "x".repeat(5000)).repeat(1000));
    let text = bench
        .ok(
            "grep",
            json!({"pattern": "needle", "path": "b", "limit": 1000}),
        )
        .await;
    assert!(text.len() < 52_000, "{}", text.len());
    assert!(text.contains("x…\n") && text.contains("[stopped after "));
}

#[tokio::test]
async fn nothing_found_and_nothing_searchable_are_told_apart() {
    let bench = project();
    let text = bench.ok("grep", json!({"pattern": "absent"})).await;
    assert_eq!(text, "no match for absent in . (4 files searched)");
    let said = bench
        .fails("grep", json!({"pattern": "x", "path": "scr"}))
        .await;
    assert_eq!(said, "grep: no such file: scr (did you mean src?)");
    let said = bench.fails("grep", json!({"pattern": "a("})).await;
    assert!(
        said.starts_with("grep: the pattern \"a(\" is not usable:"),
        "{said}"
    );
    assert!(said.contains("unclosed group"), "{said}");
    let said = bench
        .fails("grep", json!({"pattern": "x", "glob": "a["}))
        .await;
    assert!(said.contains("the pattern \"a[\""), "{said}");
}

#[tokio::test]
async fn a_call_that_is_cancelled_midway_ends() {
    use std::time::Duration;
    use tokio::time::timeout;
    use zeug_transcript::Status;

    let bench = Bench::new();
    // Some seconds of work.
    let path = bench.file("big", "x\n".repeat(1 << 20));
    for n in 0..200 {
        std::fs::hard_link(&path, bench.path(&format!("big-{n}"))).unwrap();
    }
    let (tool, cx) = (bench.tool("grep"), bench.context());
    let call = crate::bench::call("grep", json!({"pattern": "(a|b|[^x])+needle"}));
    let search = tokio::spawn(async move { tool.execute(&call, &cx).await });
    bench.cancel.cancel();
    let outcome = timeout(Duration::from_secs(5), search).await.unwrap();
    assert_eq!(outcome.unwrap().status, Status::Cancelled);
}
