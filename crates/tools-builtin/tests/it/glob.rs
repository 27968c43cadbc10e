//! `glob` with real files.

use serde_json::json;

use crate::bench::Bench;

fn project() -> Bench {
    let bench = Bench::new();
    bench.file(".gitignore", "target/\n");
    for name in [
        "src/a/mod.rs",
        "src/b.rs",
        "src/a.rs",
        "build.rs",
        "target/x.rs",
        ".config/y.rs",
        ".git/z.rs",
    ] {
        bench.file(name, "");
    }
    bench
}

#[tokio::test]
async fn paths_are_sorted_and_ignored_and_hidden_ones_left_out() {
    let bench = project();
    let check = async |pattern: &str, expect: &str| {
        let text = bench.ok("glob", json!({"pattern": pattern})).await;
        assert_eq!(text, expect, "{pattern}");
    };
    check("*.rs", "build.rs\nsrc/a/mod.rs\nsrc/a.rs\nsrc/b.rs").await;
    check("**/*.rs", "build.rs\nsrc/a/mod.rs\nsrc/a.rs\nsrc/b.rs").await;
    check("src/*.rs", "src/a.rs\nsrc/b.rs").await;
    check("./*", "build.rs\nsrc/").await;
    check("src/*", "src/a/\nsrc/a.rs\nsrc/b.rs").await;
    check(".config/*", ".config/y.rs").await;
    let text = bench.ok("glob", json!({"pattern": "*.py"})).await;
    assert!(text.starts_with("no path below . matches *.py; "), "{text}");
}

#[tokio::test]
async fn path_and_hidden_choose_what_is_searched() {
    let bench = project();
    let text = bench
        .ok("glob", json!({"pattern": "*.rs", "path": "src/a"}))
        .await;
    assert_eq!(text, "src/a/mod.rs");
    let text = bench
        .ok(
            "glob",
            json!({"pattern": "*.rs", "hidden": true, "limit": 1}),
        )
        .await;
    assert!(
        text.starts_with(".config/y.rs\n[stopped after 1 paths;"),
        "{text}"
    );
    let absolute = bench.outside("elsewhere");
    std::fs::create_dir(&absolute).unwrap();
    std::fs::write(absolute.join("x.rs"), "").unwrap();
    let text = bench
        .ok("glob", json!({"pattern": "*.rs", "path": absolute}))
        .await;
    assert_eq!(text, absolute.join("x.rs").to_str().unwrap());
}

#[tokio::test]
async fn many_paths_are_bounded() {
    let bench = Bench::new();
    for n in 0..300 {
        bench.file(&format!("{n:03}"), "");
    }
    let text = bench.ok("glob", json!({"pattern": "*"})).await;
    assert_eq!(text.lines().count(), 201);
    assert!(text.contains("199\n[stopped after 200 paths;"), "{text}");
    let text = bench
        .ok("glob", json!({"pattern": "*", "limit": 300}))
        .await;
    assert_eq!(text.lines().count(), 300);
}

#[tokio::test]
async fn wrong_questions_get_the_next_step() {
    let bench = project();
    let said = bench
        .fails("glob", json!({"pattern": "*", "path": "build.rs"}))
        .await;
    assert_eq!(
        said,
        "glob: build.rs is not a directory; name a directory in path"
    );
    let said = bench.fails("glob", json!({"pattern": "/etc/*"})).await;
    assert!(said.contains("name that directory in path"), "{said}");
    let said = bench
        .fails("glob", json!({"pattern": "*", "path": "srcs"}))
        .await;
    assert!(said.contains("(did you mean src?)"), "{said}");
}
