//! The decision trail that a session keeps, read by `zeug ext trace`.

use crate::face::copied;
use crate::support::{World, have};

#[test]
fn a_session_says_afterwards_who_decided_what() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    // Nothing was said yet.
    let ran = world.run(["ext", "trace"]).exits(1);
    assert!(ran.stderr.contains("no session yet"), "{ran:?}");
    let guard = copied(&world, "guard");
    let long = "x".repeat(20_000);
    world
        .run([
            "-p",
            "-e",
            &guard,
            &format!(
                "call bash {{\"command\":\"rm -rf /tmp/none-{long}\"}}\ncall glob {{\"pattern\":\"*\"}}"
            ),
        ])
        .exits(0);
    let ran = world.run(["ext", "trace"]).exits(0);
    for part in [
        "bash  blocked",
        "wanted by  model",
        "guard      refused it (",
        "ruling     denied by policy: guard refused",
        "the tool did not run",
        "glob  completed",
        "guard      kept it (",
        "ruling     approved by yolo",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {ran:?}");
    }
    let ran = world.run(["ext", "trace", "glob", "-n", "1"]).exits(0);
    assert!(!ran.stdout.contains("bash"), "{ran:?}");
    let ran = world.run(["ext", "trace", "--json"]).exits(0);
    let calls = ran.events();
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[0]["steps"][0]["did"], "refused");
    assert!(calls[0]["time"].is_string());
    // The conversation has the whole; here is the beginning and how long it was.
    let args = calls[0]["args"].as_str().unwrap();
    assert!(args.len() < 9_000 && args.ends_with(" bytes)"), "{args}");
    let ran = world.run(["ext", "trace", "read"]).exits(1);
    assert!(
        ran.stderr.contains("keeps no decision about read"),
        "{ran:?}"
    );
    let ran = world.run(["ext", "trace", "--session", "nosuch"]).exits(1);
    assert!(ran.stderr.contains("nosuch"), "{ran:?}");
}

#[test]
fn calls_of_a_sub_agent_are_in_the_trail_of_its_parents_session() {
    let world = World::new();
    world
        .run([
            "-p",
            r#"call task {"description":"look","prompt":"call glob {\"pattern\":\"*\"}"}"#,
        ])
        .exits(0);
    let ran = world.run(["ext", "trace", "glob"]).exits(0);
    assert!(ran.stdout.contains("in sub-agent"), "{ran:?}");
}

#[test]
fn a_run_without_a_session_keeps_no_trail() {
    let world = World::new();
    let call = r#"call glob {"pattern":"*"}"#;
    world.run(["-p", "--no-session", call]).exits(0);
    world.run(["ext", "trace"]).exits(1);
}
