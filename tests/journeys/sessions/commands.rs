//! `zeug sessions`.

use serde_json::Value;

use super::{session_of, short, shown};
use crate::support::World;

#[track_caller]
fn json(world: &World, args: &[&str]) -> Value {
    let ran = world.run(args).exits(0);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

fn begun(world: &World, prompt: &str) -> String {
    let ran = world.run(["--json", prompt]).exits(0);
    session_of(&ran)["session_id"].as_str().unwrap().to_owned()
}

#[test]
fn sessions_are_listed_found_named_and_deleted() {
    let world = World::new();
    let parser = begun(&world, "say the parser is broken");
    let lexer = begun(&world, "say the lexer is fine");
    let list = json(&world, &["sessions", "list", "--json"]);
    let ids: Vec<_> = list["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| &s["session_id"])
        .collect();
    assert_eq!(ids, [lexer.as_str(), parser.as_str()]);
    world
        .run(["sessions", "rename", &parser[..8], "The parser"])
        .exits(0);
    let listed = world.run(["sessions", "list"]).exits(0);
    assert!(listed.stdout.contains("The parser"), "{listed:?}");
    let hits = json(&world, &["sessions", "search", "LEXER", "is", "--json"]);
    assert_eq!(hits["hits"].as_array().unwrap().len(), 2, "{hits}");
    assert_eq!(hits["hits"][0]["session_id"], lexer.as_str());
    world.run(["sessions", "delete", &lexer]).exits(0);
    let gone = world.run(["sessions", "show", &lexer]).exits(1);
    assert!(gone.stderr.contains(&lexer), "{gone:?}");
    assert_eq!(shown(&world, &[&parser]).len(), 2);
    let elsewhere = world.path().join("other");
    std::fs::create_dir(&elsewhere).unwrap();
    let mut command = world.command(["sessions", "list"]);
    let ran: crate::support::Ran = command.current_dir(&elsewhere).output().unwrap().into();
    assert_eq!(ran.exits(0).stdout, "");
}

#[test]
fn a_session_travels_without_its_directory_and_under_another_id() {
    let world = World::new();
    let id = begun(&world, "say hi");
    world.run(["sessions", "export", &id, "out.jsonl"]).exits(0);
    let text = std::fs::read_to_string(world.project().join("out.jsonl")).unwrap();
    assert!(!text.contains("\"cwd\""), "{text}");
    let again = world.run(["sessions", "export", &id, "out.jsonl"]).exits(1);
    assert!(again.stderr.contains("out.jsonl"), "{again:?}");
    let new = world.run(["sessions", "import", "out.jsonl"]).exits(0);
    let new = new.stdout.trim();
    assert_ne!(new, id);
    assert_eq!(short(&shown(&world, &[new])), short(&shown(&world, &[&id])));
    let ran = world.run(["-r", new, "-p", "say {{messages}}"]).exits(0);
    assert!(ran.stdout.contains("user: say hi"), "{ran:?}");
}

#[test]
fn nothing_in_a_session_drives_the_terminal() {
    let world = World::new();
    let id = begun(&world, "say \u{1b}[2Jevil\u{7}");
    for args in [
        vec!["sessions", "list"],
        vec!["sessions", "show", &id],
        vec!["sessions", "tree", &id],
        vec!["sessions", "search", "evil"],
    ] {
        let ran = world.run(&args).exits(0);
        assert!(ran.stdout.contains("evil"), "{args:?}: {ran:?}");
        assert!(
            !ran.stdout.contains(['\u{1b}', '\u{7}']),
            "{args:?}: {ran:?}"
        );
    }
}

#[test]
fn wrong_usage_has_its_code() {
    let world = World::new();
    world.run(["sessions", "show"]).exits(2);
    let help = world.run(["sessions"]).exits(2);
    assert!(help.stdout.contains("search"), "{help:?}");
    world.run(["sessions", "show", "nobody"]).exits(1);
}
