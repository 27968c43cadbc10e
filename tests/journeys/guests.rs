//! Misbehaving extensions, through the whole product.

use std::time::{Duration, Instant};

use crate::support::{World, have};

#[test]
fn garbage_on_stdout_never_reaches_ours() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let guest = world.guest("noisy", &["--garbage", "--flood", "200", "--tool", "noise"]);
    let ran = world
        .run([
            "--json",
            "-e",
            guest.to_str().unwrap(),
            "call noise {\"a\":1}",
        ])
        .exits(0);
    let events = ran.events();
    assert!(
        events
            .iter()
            .any(|e| e["type"] == "tool_result" && e["is_error"] == false),
        "{ran:?}"
    );
}

#[test]
fn a_silent_child_delays_the_start_by_no_more_than_its_deadline() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    world.config("[extensions.limits]\nhello_ms = 700\n");
    let silent = world.guest("silent", &["--silent"]);
    let good = world.guest("good", &["--tool", "good"]);
    let start = Instant::now();
    let ran = world
        .run([
            "-p",
            "-e",
            silent.to_str().unwrap(),
            "-e",
            good.to_str().unwrap(),
            "call good {}",
        ])
        .exits(0);
    assert!(ran.stdout.starts_with("good → "), "{ran:?}");
    assert!(
        ran.stderr.contains("silent") && ran.stderr.contains("hello"),
        "{ran:?}"
    );
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn a_claimed_name_has_one_winner_and_doctor_names_both() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    // The winner is the slower one: order decides, not speed.
    let first = world.guest("first", &["--tool", "same", "--hello-after", "0.2"]);
    let second = world.guest("second", &["--tool", "same"]);
    let (first, second) = (first.to_str().unwrap(), second.to_str().unwrap());
    let list = world
        .run(["ext", "doctor", "-e", first, "-e", second])
        .exits(1);
    assert!(
        list.stdout.contains("first")
            && list.stdout.contains("second")
            && list.stdout.contains("shadowed"),
        "{list:?}"
    );
}

#[test]
fn a_declared_guard_that_is_silent_blocks() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    world.config("[extensions.limits]\nintercept_ms = 300\n");
    let guard = world.guest("mute", &["--intercept-silent", "--on-failure", "block"]);
    let ran = world
        .run([
            "-p",
            "-e",
            guard.to_str().unwrap(),
            r#"call bash {"command":"echo ran"}"#,
        ])
        .exits(0);
    assert!(ran.stdout.contains("mute did not answer"), "{ran:?}");
    assert!(!ran.stdout.contains("→ ran"), "{ran:?}");
}

#[test]
fn a_blocked_turn_exits_1_with_the_reason() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let guard = world.guest(
        "hours",
        &[
            "--intercept",
            "turn_start",
            "--intercept-block",
            "outside business hours",
        ],
    );
    let guard = guard.to_str().unwrap();
    let ran = world.run(["-p", "-e", guard, "hi"]).exits(1);
    assert!(ran.stderr.contains("outside business hours"), "{ran:?}");
    let json = world.run(["--json", "-e", guard, "hi"]).exits(1);
    assert_eq!(json.events().last().unwrap()["type"], "done");
}

#[test]
fn hidden_context_is_sent_with_its_request_and_nowhere_else() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let guest = world.guest(
        "phase",
        &["--intercept", "turn_start", "--rewrite", "be brief"],
    );
    let ran = world
        .run(["-p", "-e", guest.to_str().unwrap(), "say {{context}}"])
        .exits(0);
    assert_eq!(ran.stdout, "[phase]\nbe brief\n");
}

#[test]
fn a_deferred_tool_is_offered_once_another_activated_it() {
    let world = World::new();
    let dir = world.path().join("loader");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(
        dir.join("extension.json"),
        r#"{"name":"loader","exec":"sh","args":["loader.sh"]}"#,
    )
    .unwrap();
    let program = r#"
echo '{"type":"hello","name":"loader"}'
echo '{"type":"register_tool","name":"load"}'
echo '{"type":"register_tool","name":"hidden","deferred":true}'
echo '{"type":"ready"}'
while read -r line; do
  id=$(printf %s "$line" | sed -n 's/^{"type":"tool_call","id":"\([a-z0-9-]*\)".*/\1/p')
  [ -z "$id" ] || printf '{"type":"tool_result","id":"%s","content":[{"type":"text","text":"ok"}],"activate_tools":["hidden"]}\n' "$id"
done
"#;
    std::fs::write(dir.join("loader.sh"), program).unwrap();
    let script = "say before {{tools}}\ncall load {}\nthen\nsay after {{tools}}";
    let ran = world
        .run([
            "--stream",
            "--tools",
            "load,hidden",
            "-e",
            dir.to_str().unwrap(),
            script,
        ])
        .exits(0);
    assert!(ran.stdout.contains("before load\n"), "{ran:?}");
    assert!(ran.stdout.contains("after hidden, load"), "{ran:?}");
}

#[test]
fn a_guard_sees_every_call_of_a_thousand_in_one_message() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let guard = crate::face::copied(&world, "guard");
    let mut script: String = (0..1000)
        .map(|n| format!("call glob {{\"pattern\":\"none-{n}\"}}\n"))
        .collect();
    script.push_str("call bash {\"command\":\"rm -rf /tmp/zeug-none\"}");
    let ran = world.run(["-p", "-e", &guard, &script]).exits(0);
    assert!(!ran.stderr.contains("went away"), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("bash → guard refused"),
        "{}",
        ran.stdout
    );
}
