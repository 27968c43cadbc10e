//! Skills and sub-agents, through the whole product.

use crate::support::{World, have};

fn skill(world: &World, name: &str, text: &str) {
    let dir = world.project().join(".zeug/skills").join(name);
    std::fs::create_dir_all(&dir).unwrap();
    let head = format!("---\nname: {name}\ndescription: how to {name}\n---\n{text}\n");
    std::fs::write(dir.join("SKILL.md"), head).unwrap();
}

#[test]
fn a_skill_is_listed_read_and_expanded() {
    let world = World::new();
    skill(&world, "bake", "say Preheat the oven.");
    let listed = world.run(["-p", "say {{system}}"]).exits(0);
    assert!(
        listed.stdout.contains("bake") && listed.stdout.contains("how to bake"),
        "{listed:?}"
    );
    assert!(listed.stdout.contains("write-zeug-extension"), "{listed:?}");

    let read = world.run(["-p", r#"call skill {"name":"bake"}"#]).exits(0);
    assert!(
        read.stdout.contains("# Skill: bake") && read.stdout.contains("Preheat"),
        "{read:?}"
    );

    // The puppet acts on what the skill says, so it was sent as the user's message.
    let expanded = world.run(["-p", "/skill:bake"]).exits(0);
    assert_eq!(expanded.stdout, "Preheat the oven.\n", "{expanded:?}");
    let unknown = world.run(["-p", "/skill:bakes"]).exits(2);
    assert!(unknown.stderr.contains("bake"), "{unknown:?}");

    let without = world.run(["-p", "--no-skills", "say {{tools}}"]).exits(0);
    assert!(!without.stdout.contains("skill"), "{without:?}");
}

#[test]
fn a_guard_refuses_a_sub_agents_command_as_the_main_agents() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let output = world
        .command([
            "--json",
            "-e",
            &crate::support::example("guard"),
            r#"call task {"description":"tidy up","prompt":"call bash {\"command\":\"rm -rf /tmp/nothing-here\"}"}"#,
        ])
        .env("GUARD_AUDIT_LOG", world.path().join("audit.log"))
        .output()
        .unwrap();
    let ran = crate::support::Ran::from(output).exits(0);
    let results: Vec<_> = ran
        .events()
        .into_iter()
        .filter(|e| e["type"] == "tool_result")
        .collect();
    assert!(
        results[0].to_string().contains("guard refused"),
        "{results:?}"
    );
}

#[test]
fn two_sub_agents_work_and_answer_in_the_order_of_their_calls() {
    let world = World::new();
    let script = "call task {\"description\":\"one\",\"prompt\":\"wait 300ms\\nsay first\"}\n\
                  call task {\"description\":\"two\",\"prompt\":\"say second\"}";
    let ran = world.run(["-p", script]).exits(0);
    let first = ran.stdout.find("first").unwrap();
    assert!(first < ran.stdout.find("second").unwrap(), "{ran:?}");
}
