//! The `skills` key of extensions: what it may name, and that nothing leads out.

use zeug_skills::{Effect, Source};

use crate::world::{World, listed};

#[test]
fn an_entry_is_a_skill_or_a_directory_of_skills() {
    let mut world = World::new();
    world.bundle("e", &["skills", "./single/", "x/../more/one"]);
    world.skill("ext/e/skills/b", "b");
    world.skill("ext/e/skills/a", "a");
    world.skill("ext/e/skills/a/nested", "nested");
    world.skill("ext/e/skills/.hidden", "hidden");
    world.write("ext/e/skills/assets/picture.txt", "");
    world.skill("ext/e/single", "s");
    world.skill("ext/e/single/below", "below");
    world.write("ext/e/more/one/SKILL.md", "---\ndescription: d\n---\n");
    let found = world.discover();
    assert_eq!(
        listed(&found),
        [
            "a: from ext/e/skills/a",
            "b: from ext/e/skills/b",
            "s: from ext/e/single",
            "one: d"
        ]
    );
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    let sources = found.skills.iter().map(|skill| &skill.source);
    assert!(
        sources
            .into_iter()
            .all(|source| *source == Source::Extension("e".into()))
    );
}

#[test]
fn bad_entries_are_refused_one_by_one() {
    let mut world = World::new();
    let entries = [
        "",
        ".",
        "a/..",
        "/etc",
        "../f/skills",
        "none",
        "file",
        "void",
        "skills",
    ];
    world.bundle("e", &entries);
    world.skill("ext/f/skills/x", "x");
    world.skill("ext/e/skills/x", "x");
    world.write("ext/e/file", "");
    world.write("ext/e/void/y/README.md", "");
    let found = world.discover();
    assert_eq!(listed(&found), ["x: from ext/e/skills/x"]);
    let texts: Vec<String> = world.problems().into_iter().map(|(text, _)| text).collect();
    let check = |entry: &str, why: &str| {
        let expect = format!("skill: ext/e: the entry {entry:?} of \"skills\" is refused: {why}");
        assert!(
            texts.iter().any(|text| text.starts_with(&expect)),
            "{expect}\n{texts:#?}"
        );
    };
    check("", "it is empty");
    check(".", "it is the extension's directory itself");
    check("a/..", "it is the extension's directory itself");
    check("/etc", "it is absolute");
    check("../f/skills", "it leads out");
    check("none", "it is not there");
    check("file", "it is no directory");
    check("void", "there is no SKILL.md in it");
    assert_eq!(texts.len(), entries.len() - 1);
    assert!(
        found
            .problems
            .iter()
            .all(|p| p.source == Source::Extension("e".into()))
    );
}

#[test]
fn links_may_not_lead_out_of_an_extension() {
    let mut world = World::new();
    world.bundle("e", &["out", "self", "skills", "inner"]);
    world.skill("secret/x", "secret");
    world.link("ext/e/out", "secret");
    world.link("ext/e/self", "ext/e");
    world.link("ext/e/skills/dir", "secret/x");
    world.link("ext/e/skills/file/SKILL.md", "secret/x/SKILL.md");
    world.skill("ext/e/skills/good", "good");
    world.skill("ext/e/real/inner-skill", "inner");
    world.link("ext/e/inner", "ext/e/real");
    let found = world.discover();
    assert_eq!(
        listed(&found),
        [
            "good: from ext/e/skills/good",
            "inner: from ext/e/real/inner-skill"
        ]
    );
    let texts: Vec<String> = world.problems().into_iter().map(|(text, _)| text).collect();
    assert_eq!(texts.len(), 4, "{texts:#?}");
    assert!(texts[0].contains("\"out\"") && texts[0].contains("leads out"));
    assert!(texts[1].contains("\"self\"") && texts[1].contains("itself"));
    for (text, place) in texts[2..].iter().zip(["dir", "file"]) {
        let start = format!("skill: ext/e/skills/{place}/SKILL.md: it leads out of ");
        assert!(text.starts_with(&start), "{text}");
    }
}

#[test]
fn one_skill_of_an_entry_that_is_broken_hides_the_directories() {
    let mut world = World::new();
    world.bundle("e", &["skills"]);
    world.link("ext/e/skills/SKILL.md", "nowhere");
    world.skill("ext/e/skills/a", "a");
    assert!(listed(&world.discover()).is_empty());
    let problems = world.problems();
    assert!(
        problems[0].0.contains("a link to it leads nowhere"),
        "{problems:?}"
    );
    assert_eq!(problems.len(), 1);
}

#[test]
fn the_extension_itself_may_be_a_link() {
    let mut world = World::new();
    world.skill("checkout/skills/a", "a");
    world.link("ext/e", "checkout");
    world.bundle("e", &["skills"]);
    assert_eq!(world.found(), ["a: from checkout/skills/a"]);
}

#[test]
fn users_beat_extensions_and_extensions_beat_what_is_built_in() {
    let mut world = World::new();
    world.roots.built_in = true;
    world.bundle("zeta", &["skills"]);
    world.bundle("alpha", &["skills"]);
    world.bundle("gone", &["skills"]);
    std::fs::remove_dir(world.path("ext/gone")).unwrap();
    for name in ["mine", "shared", "write-zeug-extension"] {
        world.skill(&format!("ext/zeta/skills/{name}"), name);
    }
    world.skill("ext/alpha/skills/shared", "shared");
    world.skill("user/.agents/skills/mine", "mine");
    let found = world.discover();
    assert_eq!(
        listed(&found),
        [
            "mine: from user/.agents/skills/mine",
            "shared: from ext/alpha/skills/shared",
            "write-zeug-extension: from ext/zeta/skills/write-zeug-extension",
        ]
    );
    let shadowed = |effect| found.problems.iter().filter(|p| p.effect == effect).count();
    assert_eq!(shadowed(Effect::Shadowed), 3);
    assert_eq!(shadowed(Effect::Skipped), 1);
    let built_in = found.problems.last().unwrap();
    assert_eq!(built_in.source, Source::BuiltIn);
}

#[test]
fn containment_is_checked_again_when_the_text_is_wanted() {
    let mut world = World::new();
    world.bundle("e", &["skills"]);
    world.skill("ext/e/skills/a", "a");
    world.skill("secret/x", "secret");
    let skills = world.discover().skills;
    let skill = skills.get("a").unwrap();
    assert_eq!(skill.body().unwrap(), "Do a.");
    std::fs::remove_file(world.path("ext/e/skills/a/SKILL.md")).unwrap();
    let gone = skill.body().unwrap_err().to_string();
    assert!(gone.starts_with("the skill a cannot be read: "), "{gone}");
    world.link("ext/e/skills/a/SKILL.md", "secret/x/SKILL.md");
    let out = skill.body().unwrap_err().to_string();
    assert!(out.contains("it leads out of "), "{out}");
}
