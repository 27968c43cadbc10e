//! What the system prompt says, and what `/skill:NAME` becomes.

use zeug_skills::expand;

use crate::world::World;

#[test]
fn each_skill_that_the_model_may_load_has_a_line() {
    let mut world = World::new();
    world.roots.built_in = true;
    world.skill("state/skills/a", "a");
    world.write(
        "state/skills/b/SKILL.md",
        "---\ndescription: |\n  Two\n  lines\n---\n",
    );
    world.write(
        "state/skills/c/SKILL.md",
        "---\ndescription: d\ndisable-model-invocation: yes\n---\n",
    );
    let skills = world.discover().skills;
    let lines = skills.prompt_lines();
    let path = |name: &str| world.path(format!("state/skills/{name}/SKILL.md"));
    assert_eq!(
        lines[..2],
        [
            format!("- a [{}]: from state/skills/a", path("a").display()),
            format!("- b [{}]: Two lines", path("b").display()),
        ]
    );
    assert!(lines[2].starts_with("- write-zeug-extension [builtin]: Build"));
    assert_eq!(lines.len(), 3);
    let section = skills.prompt_section().unwrap();
    assert!(section.starts_with("# Skills\n") && section.ends_with(&lines.join("\n")));
}

#[test]
fn the_lines_have_a_bound() {
    let world = World::new();
    for at in 0..60 {
        let text = format!("---\ndescription: {}\n---\n", "x".repeat(2000));
        world.write(&format!("state/skills/s{at:02}/SKILL.md"), text);
    }
    let lines = world.discover().skills.prompt_lines();
    let bytes: usize = lines.iter().map(|line| line.len() + 1).sum();
    assert!(bytes < 33 * 1024, "{bytes}");
    let left = 60 - (lines.len() - 1);
    assert_eq!(
        lines.last().unwrap(),
        &format!("- and {left} more, which the user can list with /skills")
    );
}

#[test]
fn a_line_with_a_skill_becomes_a_message_with_its_text() {
    let world = World::new();
    world.skill("state/skills/git/commit", "commit");
    let skills = world.discover().skills;
    let check = |line: &str, task: &str| {
        let message = expand(line, &skills).unwrap().unwrap();
        let expect = format!(
            "# Skill: commit\n\nfrom state/skills/git/commit\n\n---\n\nDo commit.\n\n[files it names are relative to {}]\n\n---\n\n{task}",
            world.path("state/skills/git/commit").display()
        );
        assert_eq!(message, expect);
    };
    check("/skill:commit", "Follow this skill now.");
    check("  /Skill:COMMIT \n", "Follow this skill now.");
    let with = "Follow this skill for the following request.\n\n";
    check(
        "/skill:git/commit only  staged",
        &format!("{with}only  staged"),
    );
    check(
        "/skill:commit\nline one\nline two",
        &format!("{with}line one\nline two"),
    );
}

#[test]
fn other_lines_are_left_alone_and_wrong_names_are_said() {
    let world = World::new();
    world.skill("state/skills/commit", "commit");
    let skills = world.discover().skills;
    for line in [
        "",
        "hello",
        "/skills",
        "/skill",
        "use /skill:commit",
        "/skíll:x",
        "//skill:x",
    ] {
        assert_eq!(expand(line, &skills), Ok(None), "{line:?}");
    }
    let said = |line: &str| expand(line, &skills).unwrap_err().to_string();
    assert!(said("/skill:comit x").contains("did you mean commit?"));
    assert!(said("/skill:").starts_with("name a skill; "));
    assert!(said("/skill: commit").starts_with("name a skill; "));
}
