//! Every example extension does what its README says.

use crate::support::{World, example, have};

#[test]
fn weather_tells_the_weather_of_berlin() {
    let ran = World::new()
        .run([
            "-p",
            "-e",
            &example("weather"),
            r#"call weather {"city":"Berlin"}"#,
        ])
        .exits(0);
    assert_eq!(
        ran.stdout,
        "weather → Berlin: 16°C, fog (made up, always the same)\n"
    );
}

#[test]
fn weather_survives_names_with_quotes_and_refuses_an_empty_one() {
    let script = "call weather {\"city\":\"a \\\"b\\\" \\\\ ü\"}\ncall weather {\"city\":\"\"}";
    let ran = World::new()
        .run(["-p", "-e", &example("weather"), script])
        .exits(0);
    let mut lines = ran.stdout.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("weather → a \"b\" \\ ü: "),
        "{ran:?}"
    );
    assert_eq!(
        lines.next().unwrap(),
        "weather → the argument city is empty; name one, such as Berlin"
    );
    let ran = World::new()
        .run(["--json", "-e", &example("weather"), script])
        .exits(0);
    let events = ran.events();
    let results = events.iter().filter(|event| event["type"] == "tool_result");
    let errors: Vec<_> = results.map(|event| event["is_error"] == true).collect();
    assert_eq!(errors, [false, true]);
}

#[test]
fn guard_refuses_what_is_dangerous_and_lets_the_rest_run() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let audit = world.path().join("audit.log");
    let target = world.project().join("precious");
    std::fs::write(&target, "x").unwrap();
    let script = format!(
        "call bash {{\"command\":\"rm -rf {}\"}}\nthen\ncall bash {{\"command\":\"echo hi\"}}",
        target.display()
    );
    let output = world
        .command(["--stream", "-e", &example("guard"), &script])
        .env("GUARD_AUDIT_LOG", &audit)
        .output()
        .unwrap();
    let ran = crate::support::Ran::from(output).exits(0);
    assert!(target.exists(), "nothing was executed");
    assert!(
        ran.stderr
            .contains("guard refused: command matches the danger pattern"),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("bash → hi"), "{ran:?}");
    let names: Vec<String> = std::fs::read_to_string(&audit)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    assert!(
        names.first().unwrap().contains("session_start"),
        "{names:?}"
    );
    assert!(names.last().unwrap().contains("session_end"), "{names:?}");
}

#[test]
fn guards_reason_reaches_the_user_and_the_exit_code_stays_0() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let output = world
        .command([
            "-p",
            "-e",
            &example("guard"),
            r#"call bash {"command":"rm -rf /tmp/nothing-here"}"#,
        ])
        .env("GUARD_AUDIT_LOG", world.path().join("audit.log"))
        .output()
        .unwrap();
    let ran = crate::support::Ran::from(output).exits(0);
    assert!(
        ran.stdout
            .starts_with("bash → guard refused: command matches the danger pattern"),
        "{ran:?}"
    );
}

#[test]
fn redact_rewrites_arguments_and_what_is_shown() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let secret = "sk-abcdefghijklmnopqrstuvwxyz123456";
    let script = format!(
        "call write {{\"path\":\"note.txt\",\"content\":\"key {secret}\"}}\nthen\nsay The key is {secret}."
    );
    for mode in ["-p", "--stream", "--json"] {
        let ran = world
            .run([mode, "-e", &example("redact"), &script])
            .exits(0);
        assert!(ran.stdout.contains("[redacted]"), "{ran:?}");
        let written = std::fs::read_to_string(world.project().join("note.txt")).unwrap();
        assert_eq!(written, "key [redacted]");
        if mode != "--json" {
            assert!(!ran.stdout.contains(secret), "{mode} leaks: {ran:?}");
        } else {
            // The user's own words and the model's own call stay; the answer does not leak.
            for event in ran.events() {
                if ["text_delta", "assistant_message"].contains(&event["type"].as_str().unwrap()) {
                    let shown = event["delta"].as_str().unwrap_or_default().to_owned()
                        + &event["content"]
                            .as_array()
                            .into_iter()
                            .flatten()
                            .filter_map(|b| b["text"].as_str())
                            .collect::<String>();
                    assert!(!shown.contains(secret), "{event}");
                }
            }
        }
    }
}

#[test]
fn hello_answers_its_commands() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let greet = world
        .run(["ext", "command", "hello", "Bob", "-e", &example("hello")])
        .exits(0);
    assert!(
        greet.stdout.starts_with("prompt → ") && greet.stdout.contains("Bob"),
        "{greet:?}"
    );
    let summon = world
        .run(["ext", "command", "SUMMON", "-e", &example("hello")])
        .exits(0);
    assert!(summon.stdout.starts_with("display → "), "{summon:?}");
    assert!(summon.stderr.contains("[hello]"), "{summon:?}");
}

#[test]
fn clock_works_without_saying_ready() {
    if !have("node") {
        return;
    }
    let world = World::new();
    let ran = world
        .run(["ext", "command", "now", "-e", &example("clock")])
        .exits(0);
    assert!(
        ran.stdout.contains("local:") && ran.stdout.contains("iso"),
        "{ran:?}"
    );
    let asks = world
        .run([
            "ext",
            "command",
            "uptime",
            "in verse",
            "-e",
            &example("clock"),
        ])
        .exits(0);
    assert!(
        asks.stdout.starts_with("prompt → ") && asks.stdout.contains("in verse"),
        "{asks:?}"
    );
    let log = std::fs::read_to_string(world.home().join("logs/ext-clock.log")).unwrap();
    assert!(log.contains("auto-ready after idle"), "{log}");
}

#[test]
fn a_v1_burst_and_a_v2_that_waits_work_in_one_run() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    let v1 = world.guest("one", &["--v1", "--preack", "--tool", "one"]);
    let v2 = world.guest("two", &["--v2", "--tool", "two"]);
    let ran = world
        .run([
            "-p",
            "-e",
            v1.to_str().unwrap(),
            "-e",
            v2.to_str().unwrap(),
            "call one {\"a\":1}\ncall two {\"b\":2}",
        ])
        .exits(0);
    assert!(
        ran.stdout.contains("one → ") && ran.stdout.contains("two → "),
        "{ran:?}"
    );
}

#[test]
fn compose_calls_other_tools_through_the_same_gate() {
    if !have("python3") {
        return;
    }
    let world = World::new();
    std::fs::write(world.project().join("a.txt"), "x").unwrap();
    let compose = example("compose");
    let call = r#"call project_check {"command":"cat a.txt"}"#;
    let ran = world.run(["--json", "-e", &compose, call]).exits(0);
    let events = ran.events();
    let of = |kind: &str| {
        let all = events.iter().filter(|event| event["type"] == kind);
        all.cloned().collect::<Vec<_>>()
    };
    let called: Vec<_> = of("tool_call").iter().map(|e| e["name"].clone()).collect();
    assert_eq!(called, ["project_check", "glob", "bash"]);
    let results = of("tool_result");
    assert_eq!(results.len(), 3, "{results:#?}");
    let last = &results[2]["content"][0]["text"];
    assert_eq!(last, "1 files; the check passed: x");
    // The model and the transcript know the one call only.
    let said = world.run(["-c", "-p", "say {{messages}}"]).exits(0);
    assert!(!said.stdout.contains("glob"), "{said:?}");
    let target = world.project().join("precious");
    std::fs::write(&target, "x").unwrap();
    let call = format!(
        "call project_check {{\"command\":\"rm -rf {}\"}}",
        target.display()
    );
    let ran = world
        .run(["-p", "-e", &compose, "-e", &example("guard"), &call])
        .exits(0);
    assert!(ran.stdout.contains("guard refused"), "{ran:?}");
    assert!(target.exists());
}
