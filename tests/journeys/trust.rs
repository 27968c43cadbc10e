//! Extensions of a project do not start before their content was trusted.

use crate::support::{World, example};

fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn a_project_extension_starts_after_it_was_trusted_until_it_changes() {
    for place in [".zeug", ".zot", ".zut"] {
        let world = World::new();
        let dir = world.project().join(place).join("extensions/weather");
        copy(example("weather").as_ref(), &dir);
        let ask = ["-p", "call weather {\"city\":\"Berlin\"}"];

        let skipped = world.run(ask).exits(0);
        assert!(skipped.stderr.contains("zeug ext trust"), "{skipped:?}");
        assert!(!skipped.stdout.contains("16°C"), "{skipped:?}");
        let json = world.run(["--json", "hi"]).exits(0);
        assert!(
            json.events().iter().any(|e| e["type"] == "ext_skipped"),
            "{json:?}"
        );

        let once = world.run(["-p", "--trust", ask[1]]).exits(0);
        assert!(once.stdout.contains("16°C"), "{once:?}");
        assert!(!world.run(ask).stdout.contains("16°C"), "one run only");

        world.run(["ext", "trust", dir.to_str().unwrap()]).exits(0);
        assert!(world.run(ask).exits(0).stdout.contains("16°C"));

        let program = dir.join("weather.sh");
        let text = std::fs::read_to_string(&program).unwrap();
        std::fs::write(&program, text + "\n# changed\n").unwrap();
        let changed = world.run(ask).exits(0);
        assert!(
            changed.stderr.contains("weather.sh"),
            "it says what changed: {changed:?}"
        );
        assert!(!changed.stdout.contains("16°C"), "{changed:?}");
    }
}
