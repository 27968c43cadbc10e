//! What is found in the directories of users and projects, and who wins.

use std::os::unix::net::UnixListener;
use std::path::PathBuf;

use zeug_skills::{Effect, MAX_SKILL_BYTES, Source, Tree};

use crate::world::{World, listed};

#[test]
fn nothing_anywhere_is_nothing_and_no_problem() {
    let world = World::new();
    assert!(world.found().is_empty());
    assert!(world.discover().problems.is_empty());
}

#[test]
fn the_first_root_wins_and_the_loser_is_named() {
    let places = [
        "project/.zeug/skills",
        "project/.zot/skills",
        "project/.zut/skills",
        "state/skills",
        "project/.claude/skills",
        "user/.claude/skills",
        "project/.agents/skills",
        "user/.agents/skills",
    ];
    let world = World::new();
    for (at, place) in places.iter().enumerate().rev() {
        world.skill(&format!("{place}/same"), "Same");
        world.skill(&format!("{place}/own"), &format!("own-{at}"));
        assert_eq!(
            world.found()[..2],
            [
                format!("own-{at}: from {place}/own"),
                format!("Same: from {place}/same")
            ]
        );
    }
    let problems = world.problems();
    assert_eq!(problems.len(), places.len() - 1);
    assert!(
        problems
            .iter()
            .all(|(_, effect)| *effect == Effect::Shadowed)
    );
    assert_eq!(
        problems[0]
            .0
            .replace(&world.path("").display().to_string(), ""),
        "skill: project/.zot/skills/same/SKILL.md: project/.zeug/skills/same/SKILL.md is called Same as well and wins"
    );
}

#[test]
fn a_name_counts_without_regard_to_case() {
    let world = World::new();
    world.skill("project/.zeug/skills/a", "Review");
    world.skill("state/skills/a", "review");
    assert_eq!(world.found(), ["Review: from project/.zeug/skills/a"]);
}

#[test]
fn what_the_settings_name_comes_first_and_must_be_there() {
    let mut world = World::new();
    world.skill("project/.zeug/skills/a", "a");
    world.skill("team/deep/a", "a");
    world.skill("one", "b");
    let explicit = |dir: PathBuf| Tree {
        dir,
        source: Source::Explicit,
    };
    let dirs = ["team", "one/SKILL.md", "nowhere", "team/deep/a/SKILL.md"];
    let trees = dirs.map(|dir| explicit(world.path(dir)));
    world.roots.trees.splice(0..0, trees);
    let found = world.discover();
    assert_eq!(listed(&found), ["a: from team/deep/a", "b: from one"]);
    let problems = world.problems();
    assert_eq!(problems[0].1, Effect::Skipped);
    assert!(
        problems[0]
            .0
            .starts_with("skill: nowhere: cannot be looked at: "),
        "{problems:?}"
    );
    assert_eq!(found.problems[0].source, Source::Explicit);
    assert_eq!(problems.len(), 2, "{problems:?}");
}

#[test]
fn skills_lie_at_any_depth_but_not_behind_dots() {
    let world = World::new();
    world.skill("state/skills", "top");
    world.skill("state/skills/git", "git");
    world.skill("state/skills/git/commit", "commit");
    world.skill("state/skills/a/b/c/d/e/f/g/h", "deep");
    world.skill("state/skills/a/b/c/d/e/f/g/h/i", "too-deep");
    world.skill("state/skills/.hidden/x", "hidden");
    world.skill("state/skills/node_modules/x", "package");
    world.write("state/skills/x/skill.md", "---\ndescription: x\n---\n");
    let names: Vec<String> = world
        .discover()
        .skills
        .iter()
        .map(|s| s.name.clone())
        .collect();
    assert_eq!(names, ["top", "deep", "git", "commit"]);
}

#[test]
fn links_are_followed_once_and_circles_end() {
    let world = World::new();
    world.skill("checkout/review", "review");
    world.write("checkout/unnamed/SKILL.md", "---\ndescription: u\n---\n");
    world.link("state/skills/linked", "checkout");
    world.link("state/skills/again", "checkout");
    world.link("state/skills/broken", "nowhere");
    world.link("checkout/loop", "state/skills");
    world.skill("state/skills/z", "z");
    let names: Vec<String> = world
        .discover()
        .skills
        .iter()
        .map(|s| s.name.clone())
        .collect();
    assert_eq!(names, ["z", "review", "again-unnamed"]);
    assert!(world.problems().is_empty());
}

#[test]
fn a_link_does_not_rename_what_has_a_place_of_its_own() {
    let world = World::new();
    world.write("state/skills/real/SKILL.md", "---\ndescription: r\n---\n");
    world.link("state/skills/alias", "state/skills/real");
    world.link("user/.claude/skills", "state/skills");
    assert_eq!(world.found(), ["real: r"]);
    assert!(world.problems().is_empty());
}

#[test]
fn a_bad_file_is_named_with_its_line_and_harms_no_other() {
    let world = World::new();
    world.skill("state/skills/good", "good");
    world.write(
        "state/skills/yaml/SKILL.md",
        "---\nname: yaml\ndescription: When: always\n---\nx",
    );
    world.write("state/skills/prose/SKILL.md", "# Just text\n");
    world.write("state/skills/open/SKILL.md", "---\nname: open\n");
    world.write(
        "state/skills/latin/SKILL.md",
        b"---\nname: x\ndescription: caf\xe9\n---\n",
    );
    world.write(
        "state/skills/wrong/SKILL.md",
        "---\ndescription: d\nallowed-tools: {a: b}\n---\n",
    );
    world.write("state/skills/empty/SKILL.md", "---\n---\n");
    let found = world.discover();
    assert_eq!(
        listed(&found),
        [
            "good: from state/skills/good",
            "wrong: d",
            "yaml: When: always"
        ]
    );
    let problems = world.problems();
    let check = |name: &str, place: &str, part: &str, effect: Effect| {
        let start = format!("skill: state/skills/{name}/SKILL.md{place}: ");
        let of = problems.iter().find(|(text, _)| text.starts_with(&start));
        let (text, was) = of.unwrap_or_else(|| panic!("{start} {problems:#?}"));
        assert!(text.contains(part) && *was == effect, "{text}");
    };
    check("yaml", ":3", "no YAML", Effect::Kept);
    check("prose", ":1", "begin the file with `---`", Effect::Skipped);
    check("open", ":1", "has no end", Effect::Skipped);
    check("latin", "", "line 3 is not UTF-8", Effect::Skipped);
    check("wrong", ":3", "allowed-tools must be", Effect::Kept);
    check(
        "empty",
        "",
        "neither a description nor a text",
        Effect::Skipped,
    );
    assert_eq!(problems.len(), 6);
}

#[test]
fn what_is_no_file_or_too_big_is_refused_without_being_read() {
    let world = World::new();
    let head = "---\ndescription: big\n---\n";
    let limit = usize::try_from(MAX_SKILL_BYTES).unwrap() - head.len();
    world.write(
        "state/skills/fits/SKILL.md",
        format!("{head}{}", "x".repeat(limit)),
    );
    world.write(
        "state/skills/big/SKILL.md",
        format!("{head}{}", "x".repeat(limit + 1)),
    );
    world.write("state/skills/dir/SKILL.md/x", "");
    world.write("state/skills/socket/x", "");
    let _listener = UnixListener::bind(world.path("state/skills/socket/SKILL.md")).unwrap();
    assert_eq!(listed(&world.discover()), ["fits: big"]);
    let texts: Vec<String> = world.problems().into_iter().map(|(text, _)| text).collect();
    assert_eq!(
        texts,
        [
            "skill: state/skills/big/SKILL.md: it has more than 256 KiB, the limit; move parts into files beside it",
            "skill: state/skills/dir/SKILL.md: it is no regular file",
            "skill: state/skills/socket/SKILL.md: it is no regular file",
        ]
    );
}

#[test]
fn a_root_with_too_many_directories_is_left_half_way() {
    let world = World::new();
    for at in 0..2010 {
        std::fs::create_dir_all(world.path(format!("state/skills/{at:04}"))).unwrap();
    }
    world.skill("state/skills/0001", "early");
    world.skill("state/skills/2009", "late");
    let found = world.discover();
    assert_eq!(listed(&found), ["early: from state/skills/0001"]);
    assert_eq!(found.problems.len(), 1);
    assert!(found.problems[0].what.contains("2000 directories"));
}

#[test]
fn without_a_description_the_first_paragraph_stands_in() {
    let world = World::new();
    world.write(
        "state/skills/a/SKILL.md",
        "---\nname: a\n---\n# Title\n\nFirst line\nsecond \u{1b}[31mline.\n\nMore.\n",
    );
    assert_eq!(listed(&world.discover()), ["a: First line second line."]);
    let problems = world.problems();
    assert!(problems[0].0.contains("no description") && problems[0].1 == Effect::Kept);
}
