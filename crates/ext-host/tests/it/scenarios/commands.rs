//! Slash commands: what goes out, and what every answer becomes.

use serde_json::Value;
use zeug_ext_host::{Action, CommandError};

use crate::kit::*;

async fn rig() -> (Rig, Far) {
    let mut rig = Rig::of(&["a"]);
    let command = json!({"type": "register_command", "name": "Greet", "description": "Hi"});
    let a = rig.joined("a", &[command]).await;
    (rig, a)
}

type Result = std::result::Result<(String, Action), CommandError>;

/// What becomes of an answer with these fields.
async fn answered(fields: Value) -> Result {
    let (rig, mut a) = rig().await;
    let run = rig.command("greet", "");
    let frame = a.hear_a("command_invoked").await;
    let mut answer = json!({"type": "command_response", "id": frame["id"]});
    answer
        .as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    a.say(answer).await;
    run.await.unwrap()
}

async fn acts(fields: Value, expect: Action) {
    assert_eq!(answered(fields).await, Ok(("a".to_owned(), expect)));
}

async fn fails(fields: Value, part: &str) {
    let error = answered(fields).await.unwrap_err();
    assert!(
        matches!(&error, CommandError::Failed { name, .. } if name == "Greet"),
        "{error:?}"
    );
    assert!(error.to_string().contains(part), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_command_goes_out_as_registered_with_trimmed_arguments() {
    let (rig, mut a) = rig().await;
    assert_eq!(rig.host.commands(), [("Greet".to_owned(), "Hi".to_owned())]);
    let check = async |a: &mut Far, args: &str, expect: &str| {
        let run = rig.command("gReEt", args);
        let line = a.hear_line().await;
        let frame: Value = serde_json::from_str(&line).unwrap();
        let id = frame["id"].as_str().unwrap();
        assert_eq!(
            line,
            format!(r#"{{"type":"command_invoked","id":"{id}","name":"Greet"{expect}}}"#)
        );
        assert!(
            id.bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        );
        run.abort();
    };
    check(
        &mut a,
        " the  whole world ",
        r#","args":"the  whole world""#,
    )
    .await;
    check(&mut a, "", "").await;
    check(&mut a, " \t", "").await;
}

#[tokio::test(start_paused = true)]
async fn every_action_arrives() {
    acts(
        json!({"action": "prompt", "prompt": "Greet me."}),
        Action::Prompt("Greet me.".into()),
    )
    .await;
    acts(json!({"action": "prompt", "prompt": " \n"}), Action::Noop).await;
    acts(
        json!({"action": "insert", "insert": "note: "}),
        Action::Insert("note: ".into()),
    )
    .await;
    acts(
        json!({"action": "display", "display": "two\nlines"}),
        Action::Display("two\nlines".into()),
    )
    .await;
    acts(json!({"action": "noop"}), Action::Noop).await;
    acts(json!({"action": ""}), Action::Noop).await;
    acts(json!({"action": null}), Action::Noop).await;
    acts(json!({}), Action::Noop).await;
    acts(json!({"action": "noop", "error": ""}), Action::Noop).await;
    let panel = json!({"id": "p", "title": "T", "lines": ["one"]});
    let Ok((_, Action::OpenPanel(spec))) =
        answered(json!({"action": "open_panel", "open_panel": panel})).await
    else {
        panic!("no panel")
    };
    assert_eq!((spec.id.as_str(), spec.lines.len()), ("p", 1));
    acts(
        json!({"action": "tool_prompt", "prompt": "and push", "tool_name": "skill",
            "tool_args": {"name": "commit"}}),
        Action::ToolPrompt {
            prompt: "and push".into(),
            tool: "skill".into(),
            args: zeug_stdx::json::RawJson::parse(r#"{"name":"commit"}"#).unwrap(),
        },
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_error_wins_over_the_action() {
    fails(
        json!({"action": "prompt", "prompt": "x", "error": "no such city"}),
        "no such city",
    )
    .await;
    fails(json!({"action": "dance"}), "unknown action \"dance\"").await;
    fails(
        json!({"action": "tool_prompt", "prompt": "x"}),
        "tool_prompt needs",
    )
    .await;
    fails(
        json!({"action": "tool_prompt", "prompt": "x", "tool_name": "t", "tool_args": [1]}),
        "tool_prompt needs",
    )
    .await;
    fails(
        json!({"action": "tool_prompt", "prompt": " ", "tool_name": "t", "tool_args": {}}),
        "tool_prompt needs",
    )
    .await;
    fails(
        json!({"action": "tool_prompt", "prompt": "x", "tool_name": "", "tool_args": {}}),
        "tool_prompt needs",
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_unreadable_answer_fails_the_command_at_once() {
    let start = Instant::now();
    fails(
        json!({"action": "prompt", "prompt": {"not": "a string"}}),
        "bad command_response frame",
    )
    .await;
    assert_eq!(start.elapsed(), ms(0));
}

#[tokio::test(start_paused = true)]
async fn an_answer_of_another_kind_fails_the_command() {
    let (rig, mut a) = rig().await;
    let run = rig.command("greet", "");
    let frame = a.hear_a("command_invoked").await;
    a.answer(&frame, "a tool's answer").await;
    assert!(matches!(
        run.await.unwrap(),
        Err(CommandError::Failed { .. })
    ));
}

#[tokio::test(start_paused = true)]
async fn an_unknown_command_names_the_nearest() {
    let (rig, _a) = rig().await;
    let error = rig.command("gret", "").await.unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown command /gret (did you mean /greet?)"
    );
    let error = rig.command("weather", "").await.unwrap().unwrap_err();
    assert_eq!(error.to_string(), "unknown command /weather");
}

#[tokio::test(start_paused = true)]
async fn a_command_without_an_answer_ends_after_30_s() {
    let (mut rig, mut a) = rig().await;
    let start = Instant::now();
    let run = rig.command("greet", "");
    let frame = a.hear_a("command_invoked").await;
    let error = run.await.unwrap().unwrap_err();
    took(start, s(30));
    assert_eq!(
        error,
        CommandError::Timeout {
            name: "Greet".into(),
            after: s(30)
        }
    );
    a.say(json!({"type": "command_response", "id": frame["id"], "action": "noop"}))
        .await;
    assert_eq!(rig.caught_up(&mut a).await, [], "a late answer is nothing");
    assert_eq!(rig.report("a").diagnostics, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_command_fails_at_once_when_its_extension_goes() {
    let (rig, mut a) = rig().await;
    let run = rig.command("greet", "");
    a.hear_a("command_invoked").await;
    let start = Instant::now();
    drop(a);
    let error = run.await.unwrap().unwrap_err();
    assert!(start.elapsed() <= ms(110), "{:?}", start.elapsed());
    assert!(
        error
            .to_string()
            .contains("the extension closed its stdout"),
        "{error}"
    );
    let error = rig.command("greet", "").await.unwrap().unwrap_err();
    assert!(matches!(error, CommandError::Unknown { .. }), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn two_commands_at_once_get_their_own_answers() {
    let (rig, mut a) = rig().await;
    let (one, two) = (rig.command("greet", "1"), rig.command("greet", "2"));
    let first = a.hear_a("command_invoked").await;
    let second = a.hear_a("command_invoked").await;
    for frame in [&second, &first] {
        let args = frame["args"].as_str().unwrap();
        a.say(
            json!({"type": "command_response", "id": frame["id"], "action": "display",
            "display": format!("for {args}")}),
        )
        .await;
    }
    let shown = |r: Result| r.unwrap().1;
    assert_eq!(shown(one.await.unwrap()), Action::Display("for 1".into()));
    assert_eq!(shown(two.await.unwrap()), Action::Display("for 2".into()));
}
