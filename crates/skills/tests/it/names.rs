//! What a skill is called, and under what else it is found.

use zeug_skills::{Effect, SkillError};

use crate::world::{World, listed};

#[test]
fn a_skill_without_a_name_is_called_like_its_directories() {
    let world = World::new();
    world.write(
        "state/skills/Git Tools/Commit/SKILL.md",
        "---\ndescription: d\n---\n",
    );
    world.write("state/skills/SKILL.md", "---\ndescription: top\n---\n");
    assert_eq!(world.found(), ["skills: top", "git-tools-commit: d"]);
}

#[test]
fn a_name_that_cannot_be_typed_is_made_one_that_can() {
    let world = World::new();
    world.write(
        "state/skills/a/SKILL.md",
        "---\nname: Code Review!\ndescription: d\n---\n",
    );
    world.write(
        "state/skills/b/SKILL.md",
        "---\nname: ../../x\ndescription: d\n---\n",
    );
    world.write(
        "state/skills/c/SKILL.md",
        "---\nname: '***'\ndescription: d\n---\n",
    );
    let found = world.discover();
    assert_eq!(listed(&found), ["code-review: d", "x: d", "c: d"]);
    assert!(found.problems.iter().all(|p| p.effect == Effect::Kept));
    assert_eq!(found.problems.len(), 3);
}

#[test]
fn a_path_is_an_alias_and_a_name_beats_it() {
    let world = World::new();
    world.skill("state/skills/git/commit", "write-commits");
    world.skill("state/skills/review", "git/commit");
    world.skill("state/skills/lint", "lint");
    let skills = world.discover().skills;
    let name = |asked: &str| skills.get(asked).map(|skill| skill.name.as_str());
    assert_eq!(name("write-commits"), Some("write-commits"));
    assert_eq!(name("Git/Commit"), Some("write-commits"));
    assert_eq!(name("review"), Some("git-commit"));
    assert_eq!(name("LINT"), Some("lint"));
    assert_eq!(name("nobody"), None);
    assert!(skills.get("lint").unwrap().aliases.is_empty());
}

#[test]
fn an_unknown_name_gets_the_nearest_and_the_list() {
    let world = World::new();
    for name in ["code-review", "test-fix"] {
        world.skill(&format!("state/skills/{name}"), name);
    }
    world.write(
        "state/skills/s/SKILL.md",
        "---\nname: secret\ndescription: d\ndisable-model-invocation: true\n---\n",
    );
    let skills = world.discover().skills;
    let said = |name: &str, for_model| skills.want(name, for_model).unwrap_err().to_string();
    assert_eq!(
        said("code-reveiw", true),
        "no skill is named \"code-reveiw\" (did you mean code-review?); there are code-review, test-fix"
    );
    assert!(said("review", true).contains("did you mean code-review?"));
    assert!(!said("secre", true).contains("secret"));
    assert!(said("secre", false).contains("did you mean secret?"));
    assert!(said(" ", true).starts_with("name a skill; there are code-review"));
    assert!(said(&"x".repeat(5000), true).len() < 300);
    let only = SkillError::ForUserOnly {
        name: "secret".into(),
    };
    assert_eq!(skills.want("Secret", true), Err(only));
    assert!(skills.want("secret", false).is_ok());
}

#[test]
fn without_skills_the_message_says_so() {
    let skills = World::new().discover().skills;
    assert!(skills.is_empty() && skills.prompt_section().is_none());
    let said = skills.want("x", true).unwrap_err().to_string();
    assert_eq!(said, "no skill is named \"x\"; there are none");
}
