//! `zeug ext`: install, list, toggle, remove, examine, call.

use crate::support::{World, example, have};

#[test]
fn an_installed_extension_works_until_it_is_removed() {
    let world = World::new();
    let ask = ["-p", "call weather {\"city\":\"Berlin\"}"];
    world.run(["ext", "install", &example("weather")]).exits(0);
    assert!(world.run(ask).exits(0).stdout.contains("16°C"));

    let list = world.run(["ext", "list", "--json"]).exits(0);
    let rows: serde_json::Value = serde_json::from_str(&list.stdout).unwrap();
    assert_eq!(rows[0]["name"], "weather");
    assert_eq!(rows[0]["scope"], "global");

    world.run(["ext", "disable", "weather"]).exits(0);
    assert!(!world.run(ask).stdout.contains("16°C"));
    world.run(["ext", "enable", "weather"]).exits(0);
    assert!(world.run(ask).stdout.contains("16°C"));

    let again = world.run(["ext", "install", &example("weather")]).exits(1);
    assert!(again.stderr.contains("already"), "{again:?}");

    world.run(["ext", "remove", "weather", "--yes"]).exits(0);
    assert!(!world.run(ask).stdout.contains("16°C"));
    assert_eq!(
        world.run(["ext", "list", "--json"]).exits(0).stdout.trim(),
        "[]"
    );
}

#[test]
fn a_failed_install_leaves_nothing() {
    let world = World::new();
    let broken = world.path().join("broken");
    std::fs::create_dir(&broken).unwrap();
    std::fs::write(
        broken.join("extension.json"),
        r#"{"name":"broken","exec":"./missing"}"#,
    )
    .unwrap();
    let ran = world
        .run(["ext", "install", broken.to_str().unwrap()])
        .exits(1);
    assert!(ran.stderr.contains("missing"), "{ran:?}");
    let left = std::fs::read_dir(world.home().join("extensions")).map_or(0, Iterator::count);
    assert_eq!(left, 0);
}

#[test]
fn one_tool_can_be_called_without_a_model() {
    let world = World::new();
    let ran = world
        .run([
            "ext",
            "call",
            "weather",
            r#"{"city":"Berlin"}"#,
            "-e",
            &example("weather"),
        ])
        .exits(0);
    assert!(ran.stdout.starts_with("Berlin: 16°C"), "{ran:?}");
    let wrong = world
        .run(["ext", "call", "weather", "{}", "-e", &example("weather")])
        .exits(1);
    assert!(wrong.stderr.contains("city"), "{wrong:?}");
    let malformed = world
        .run(["ext", "call", "weather", "{", "-e", &example("weather")])
        .exits(2);
    assert!(!malformed.stderr.is_empty());
}

#[test]
fn doctor_is_content_with_the_examples_and_logs_show_stderr() {
    if !have("python3") || !have("node") {
        return;
    }
    let world = World::new();
    let dirs: Vec<String> = ["hello", "weather", "guard", "redact"]
        .map(example)
        .to_vec();
    let args = ["ext", "doctor"]
        .into_iter()
        .map(str::to_owned)
        .chain(dirs.iter().flat_map(|d| ["-e".to_owned(), d.clone()]));
    let ran = world.run(args).exits(0);
    for name in ["hello", "weather", "guard", "redact"] {
        assert!(ran.stdout.contains(name), "{ran:?}");
    }
    let json = world
        .run(["ext", "doctor", "--json", "-e", &example("weather")])
        .exits(0);
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["extensions"][0]["tools"][0], "weather", "{report}");
    world
        .run(["ext", "command", "now", "-e", &example("clock")])
        .exits(0);
    let log = world.run(["ext", "logs", "clock"]).exits(0);
    assert!(log.stdout.contains("clock"), "{log:?}");
}

#[test]
fn doctor_exits_1_and_says_what_is_wrong() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let dead = world.guest("dead", &["--die-at", "start"]);
    let ran = world
        .run(["ext", "doctor", "-e", dead.to_str().unwrap()])
        .exits(1);
    assert!(ran.stdout.contains("exit status 3"), "{ran:?}");
}
