//! `zeug themes`: themes of users and of extensions, checked.

use serde_json::Value;

use crate::support::World;

const GOOD: &str = r##"{"name":"Dusk","colors":{"dark":{"accent":"#ff8800"}}}"##;

#[test]
fn themes_are_listed_and_a_broken_one_is_named() {
    let world = World::new();
    let put = |path: &str, text: &str| {
        let path = world.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    put("home/themes/dusk.json", GOOD);
    put("project/.zeug/themes/dawn.json", GOOD);
    put(
        "home/extensions/sunset/extension.json",
        r#"{"name":"sunset"}"#,
    );
    put("home/extensions/sunset/theme.json", GOOD);
    let ran = world.run(["themes"]).exits(0);
    let listed: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(listed.len(), 3, "{ran:?}");
    assert!(listed[0].starts_with("dusk  Dusk"), "{ran:?}");
    assert!(ran.stdout.contains("sunset"), "{ran:?}");
    put("home/themes/broken.json", "{\"colors\":");
    let ran = world.run(["themes"]).exits(1);
    assert_eq!(ran.stdout.lines().count(), 3, "{ran:?}");
    assert!(ran.stderr.contains("broken.json"), "{ran:?}");
    let ran = world.run(["themes", "--json"]).exits(1);
    let told: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(told["themes"].as_array().unwrap().len(), 3, "{told}");
    assert_eq!(told["problems"].as_array().unwrap().len(), 1, "{told}");
}
