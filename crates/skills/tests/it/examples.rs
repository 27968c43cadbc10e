//! The built-in skill: its head is clean, and its examples do what it says.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::unix::pipe::{OpenOptions, Sender};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use zeug_ext_protocol::manifest::Manifest;
use zeug_process::{RunLimits, Spawner, Spec, Watchdog, run};
use zeug_skills::{Roots, Skill, discover};

use crate::guest::Guest;
use crate::world::World;

fn skill() -> Skill {
    let found = discover(&Roots {
        built_in: true,
        ..Roots::default()
    });
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    found.skills.get("write-zeug-extension").unwrap().clone()
}

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let body = skill().body().unwrap();
    let fence = format!("```{language}\n");
    body.split(&fence)
        .skip(1)
        .map(|rest| rest.split("\n```").next().unwrap().to_owned() + "\n")
        .collect()
}

/// Whether a program is there; says so when a test has to be skipped.
async fn has(program: &str, test: &str) -> bool {
    let is_there = match program {
        "sh" => works(program, &["-c", ":"]).await,
        program => works(program, &["--version"]).await,
    };
    if !is_there {
        say(&format!("skipped: {test}: {program} cannot be run\n"));
    }
    is_there
}

async fn works(program: &str, args: &[&str]) -> bool {
    let spec = Spec::new(program, "/").args(args);
    let limits = RunLimits {
        timeout: Duration::from_secs(30),
        max_output_bytes: 1000,
    };
    let spawner = Spawner::new(Watchdog::Off);
    let done = run(&spawner, spec, limits, &CancellationToken::new()).await;
    done.is_ok_and(|done| done.report.exit.is_success())
}

#[expect(
    clippy::print_stderr,
    reason = "a test that was skipped should be seen"
)]
fn say(text: &str) {
    eprint!("{text}");
}

/// The writing end of a pipe, as soon as somebody reads from it.
async fn once_read(pipe: &Path) -> Sender {
    let opened = async {
        loop {
            if let Ok(writer) = OpenOptions::new().open_sender(pipe) {
                return writer;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(30), opened).await.unwrap()
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[test]
fn the_skill_is_for_the_model_and_of_a_bearable_length() {
    let skill = skill();
    assert!(!skill.user_only && skill.path().is_none());
    assert!((50..400).contains(&skill.description.len()));
    let body = skill.body().unwrap();
    assert!(body.len() < 24 * 1024, "{}", body.len());
    for part in [
        "hello_ack",
        "on_failure",
        "tool_cancel",
        "zeug ext doctor",
        "flush",
    ] {
        assert!(body.contains(part), "{part}");
    }
}

#[test]
fn the_manifest_in_the_text_is_one() {
    let [manifest] = &blocks("json")[..] else {
        panic!("one manifest expected")
    };
    let manifest = Manifest::parse(manifest).unwrap();
    assert_eq!(
        (manifest.name.as_str(), manifest.exec.as_str()),
        ("words", "./words.py")
    );
    assert!(manifest.other.is_empty(), "{:?}", manifest.other);
}

/// The frames of the Python example, greeted in a project with two files.
async fn python(world: &World) -> Guest {
    let [program] = &blocks("python")[..] else {
        panic!("one example expected")
    };
    world.write("project/a.txt", "hay\nneedle \"one\"\n");
    world.write("project/sub/b.txt", "needle\n");
    world.write("project/.git/c.txt", "needle\n");
    world.write("project/data.bin", b"needle\xff\n");
    Guest::start(&world.path(""), "words.py", program)
}

#[tokio::test]
async fn the_python_example_registers_answers_and_leaves() {
    if !has("python3", "the_python_example_registers_answers_and_leaves").await {
        return;
    }
    let world = World::new();
    let mut guest = python(&world).await;
    let frames = guest.greet(&world.path("project")).await;
    let kinds: Vec<_> = frames
        .iter()
        .map(|frame| frame["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "hello",
            "register_command",
            "register_tool",
            "subscribe",
            "ready"
        ]
    );
    assert_eq!(frames[3]["intercept"][0]["on_failure"], "block");

    guest.send(json!({"type": "tool_call", "id": "call-1", "name": "find_word", "args": {"word": "needle"}})).await;
    let result = guest.next().await;
    assert_eq!(
        (&result["id"], &result["is_error"]),
        (&json!("call-1"), &json!(false))
    );
    assert_eq!(text(&result), "a.txt:2\nsub/b.txt:1");
    guest
        .send(
            json!({"type": "tool_call", "id": "call-2", "name": "find_word", "args": {"word": ""}}),
        )
        .await;
    assert_eq!(guest.next().await["is_error"], true);

    guest.send(json!({"type": "command_invoked", "id": "cmd-1", "name": "find", "args": "it \"well\""})).await;
    let answer = guest.next().await;
    assert_eq!(answer["prompt"], "Find it \"well\" and explain its use.");
    guest
        .send(json!({"type": "command_invoked", "id": "cmd-2", "name": "find"}))
        .await;
    assert!(guest.next().await["error"].is_string());

    guest.send(json!({"type": "shutdown"})).await;
    assert!(guest.leaves().await.is_success());
}

#[tokio::test]
async fn the_python_example_guards_and_shrugs_at_what_it_does_not_know() {
    if !has(
        "python3",
        "the_python_example_guards_and_shrugs_at_what_it_does_not_know",
    )
    .await
    {
        return;
    }
    let world = World::new();
    let mut guest = python(&world).await;
    guest.greet(&world.path("project")).await;
    let ask = |id: &str, tool: &str, args: Value| json!({"type": "event_intercept", "id": id, "event": "tool_call", "tool_id": "t", "tool_name": tool, "tool_args": args});
    guest
        .send(ask("i-1", "bash", json!({"command": "git push --force"})))
        .await;
    let refusal = guest.next().await;
    assert_eq!(
        (&refusal["id"], &refusal["block"]),
        (&json!("i-1"), &json!(true))
    );
    assert!(refusal["reason"].is_string());
    for (id, question) in [
        ("i-2", ask("i-2", "bash", json!({"command": "git push"}))),
        ("i-3", ask("i-3", "bash", json!("no object"))),
        (
            "i-4",
            json!({"type": "event_intercept", "id": "i-4", "event": "of_tomorrow"}),
        ),
    ] {
        guest.send(question).await;
        assert_eq!(
            guest.next().await,
            json!({"type": "event_intercept_response", "id": id})
        );
    }
    guest.send(json!({"type": "of_tomorrow", "id": "x"})).await;
    guest
        .send(json!({"type": "tool_cancel", "id": "nobody"}))
        .await;
    guest.send_line("no JSON").await;
    assert!(guest.leaves().await.is_success());
}

#[tokio::test]
async fn the_python_example_stops_a_cancelled_search_without_a_word() {
    if !has(
        "python3",
        "the_python_example_stops_a_cancelled_search_without_a_word",
    )
    .await
    {
        return;
    }
    let world = World::new();
    let mut guest = python(&world).await;
    // A search stands still in a pipe until its writer, which is the test, is done.
    let slow = world.path("slow");
    let pipe = slow.join("pipe.txt");
    std::fs::create_dir(&slow).unwrap();
    assert!(works("mkfifo", &[pipe.to_str().unwrap()]).await);
    guest.greet(&slow).await;
    let call = |id: &str| json!({"type": "tool_call", "id": id, "name": "find_word", "args": {"word": "needle"}});
    guest.send(call("call-1")).await;
    let mut writer = once_read(&pipe).await;
    guest
        .send(json!({"type": "tool_cancel", "id": "call-1"}))
        .await;
    guest
        .send(json!({"type": "event_intercept", "id": "i-1", "event": "turn_start", "step": 1}))
        .await;
    assert_eq!(guest.next().await["id"], "i-1");
    std::fs::remove_file(&pipe).unwrap();
    writer.write_all(b"needle\n").await.unwrap();
    drop(writer);
    world.write("slow/other.txt", "needle\n");
    guest.send(call("call-2")).await;
    let result = guest.next().await;
    assert_eq!(
        (&result["id"], text(&result)),
        (&json!("call-2"), "other.txt:1")
    );
    assert!(guest.leaves().await.is_success());
}

#[tokio::test]
async fn the_python_example_refuses_another_protocol() {
    if !has("python3", "the_python_example_refuses_another_protocol").await {
        return;
    }
    let world = World::new();
    let mut guest = python(&world).await;
    guest.next().await;
    guest
        .send(json!({"type": "hello_ack", "protocol_version": 1}))
        .await;
    assert!(!guest.leaves().await.is_success());
}

#[tokio::test]
async fn the_shell_example_answers_with_escaped_text() {
    let test = "the_shell_example_answers_with_escaped_text";
    if !has("sh", test).await || !has("git", test).await {
        return;
    }
    let world = World::new();
    let example = blocks("sh")
        .into_iter()
        .find(|block| block.starts_with("#!"))
        .unwrap();
    world.write("project/a \"b\"\\.txt", "");
    let project = world.path("project");
    assert!(works("git", &["init", "-q", project.to_str().unwrap()]).await);
    let mut guest = Guest::start(&world.path(""), "gitstate.sh", &example);
    let frames = guest.greet(&project).await;
    let kinds: Vec<_> = frames
        .iter()
        .map(|frame| frame["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        ["hello", "register_command", "register_tool", "ready"]
    );
    guest
        .send_line(r#"{"type":"tool_call","id":"call-1","name":"git_state","args":{}}"#)
        .await;
    let result = guest.next().await;
    assert_eq!(result["id"], "call-1");
    let lines: Vec<&str> = text(&result).lines().collect();
    assert!(lines[0].starts_with("## "), "{result}");
    assert_eq!(lines[1..], [r#"?? "a \"b\"\\.txt""#], "{result}");
    guest
        .send_line(r#"{"type":"command_invoked","id":"cmd-1","name":"state"}"#)
        .await;
    let answer = guest.next().await;
    assert_eq!(
        (&answer["id"], &answer["action"]),
        (&json!("cmd-1"), &json!("display"))
    );
    guest
        .send_line(r#"{"type":"event_intercept","id":"i-1","event":"turn_start","step":1}"#)
        .await;
    assert_eq!(guest.next().await["id"], "i-1");
    assert!(guest.leaves().await.is_success());
}
