//! Every event, to the letter.

use zeug_hook::{Agent, Observation, PermissionDecision, PermissionSource, PermissionStage};
use zeug_stdx::json::RawJson;
use zeug_transcript::{Content, Image, Status, StopReason};

use crate::kit::*;

/// The line that subscribers of `event` get, after the fields that all have.
async fn payload(event: &str, observation: Observation) -> String {
    let mut rig = Rig::of(&["a"]);
    let subscribe = json!({"type": "subscribe", "events": [event]});
    let mut a = rig.joined("a", &[subscribe]).await;
    rig.board.announce(&observation);
    let line = a.hear_line().await;
    let start = format!(
        r#"{{"type":"event","event":"{event}","session_id":"s-1","cwd":"/project","sequence":1"#
    );
    line.strip_prefix(&start).expect(&line).to_owned()
}

async fn check(event: &str, observation: Observation, expect: &str) {
    let shown = format!("{observation:?}");
    assert_eq!(payload(event, observation).await, expect, "{shown}");
}

fn args(text: &str) -> Result<RawJson, String> {
    Ok(RawJson::parse(text).unwrap())
}

#[tokio::test(start_paused = true)]
async fn of_a_session() {
    check("session_start", Observation::SessionStart, "}").await;
    let end = Observation::SessionEnd { reason: "shutdown" };
    check("session_end", end, r#","reason":"shutdown"}"#).await;
}

#[tokio::test(start_paused = true)]
async fn of_a_prompt() {
    let prompt = |queued, image_count| Observation::UserPromptSubmit {
        text: "List \"files\"".to_owned(),
        queued,
        image_count,
    };
    let event = "user_prompt_submit";
    check(event, prompt(false, 0), r#","text":"List \"files\""}"#).await;
    check(
        event,
        prompt(true, 2),
        r#","text":"List \"files\"","queued":true,"image_count":2}"#,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn of_a_turn() {
    let start = Observation::TurnStart { step: 3 };
    check("turn_start", start, r#","step":3}"#).await;
    for (stop, word) in [
        (StopReason::EndTurn, "end_turn"),
        (StopReason::ToolUse, "tool_use"),
        (StopReason::Length, "length"),
        (StopReason::Aborted, "aborted"),
    ] {
        let end = Observation::TurnEnd { stop, error: None };
        check("turn_end", end, &format!(r#","stop":"{word}"}}"#)).await;
    }
    let end = Observation::TurnEnd {
        stop: StopReason::Error,
        error: Some("no network".to_owned()),
    };
    check("turn_end", end, r#","stop":"error","error":"no network"}"#).await;
}

#[tokio::test(start_paused = true)]
async fn of_a_message() {
    let event = "assistant_message";
    let message = |text: Option<&str>| Observation::AssistantMessage {
        text: text.map(str::to_owned),
    };
    check(
        event,
        message(Some("Let me look.")),
        r#","text":"Let me look."}"#,
    )
    .await;
    check(event, message(None), "}").await;
}

#[tokio::test(start_paused = true)]
async fn of_a_call() {
    let call = |args, origin: Option<&str>| Observation::ToolCall {
        call_id: "toolu_1".to_owned(),
        tool: "bash".to_owned(),
        args,
        origin_extension: origin.map(str::to_owned),
    };
    check(
        "tool_call",
        call(args(r#"{ "z": 1, "a": 2 }"#), None),
        r#","tool_id":"toolu_1","tool_name":"bash","tool_args":{"z":1,"a":2}}"#,
    )
    .await;
    check(
        "tool_call",
        call(Err("{\"cut".to_owned()), Some("b")),
        r#","tool_id":"toolu_1","tool_name":"bash","tool_args_raw":"{\"cut","origin_extension":"b"}"#,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn of_an_approval() {
    check(
        "tool_confirmation_requested",
        Observation::ToolConfirmationRequested {
            call_id: "toolu_1".to_owned(),
            tool: "bash".to_owned(),
            preview: "ls".to_owned(),
            origin_extension: None,
        },
        r#","tool_id":"toolu_1","tool_name":"bash","tool_preview":"ls"}"#,
    )
    .await;
    let decision = |decision, source, stage, reason: Option<&str>| {
        Observation::PermissionDecision(PermissionDecision {
            call_id: "toolu_1".to_owned(),
            tool: "bash".to_owned(),
            decision,
            source,
            stage,
            reason: reason.map(str::to_owned),
            origin_extension: None,
        })
    };
    use {PermissionSource as Source, PermissionStage as Stage};
    for (source, word) in [
        (Source::User, "user"),
        (Source::Remembered, "remembered"),
        (Source::Yolo, "yolo"),
    ] {
        check(
            "permission_decision",
            decision("approved", source, Stage::PreExecution, None),
            &format!(
                r#","tool_id":"toolu_1","tool_name":"bash","decision":"approved","source":"{word}","stage":"pre_execution"}}"#
            ),
        )
        .await;
    }
    check(
        "permission_decision",
        decision("denied", Source::Policy, Stage::ToolExecution, Some("no")),
        r#","tool_id":"toolu_1","tool_name":"bash","decision":"denied","source":"policy","stage":"tool_execution","reason":"no"}"#,
    )
    .await;
}

fn result(status: Status, content: Vec<Content>) -> Observation {
    Observation::ToolResult {
        call_id: "toolu_1".to_owned(),
        tool: "bash".to_owned(),
        args: args("{}"),
        status,
        executed: status == Status::Completed,
        content,
        origin_extension: None,
    }
}

#[tokio::test(start_paused = true)]
async fn of_a_result() {
    let png = Image::from_base64("image/png", "iVBORw0KGgo=").unwrap();
    check(
        "tool_result",
        result(
            Status::Completed,
            vec![Content::text("README.md"), Content::Image(png)],
        ),
        r#","tool_id":"toolu_1","tool_name":"bash","tool_args":{},"status":"completed","executed":true,"result":{"content":[{"type":"text","text":"README.md"},{"type":"image","mime_type":"image/png","data":"iVBORw0KGgo="}],"is_error":false}}"#,
    )
    .await;
    for (status, word) in [
        (Status::Failed, "failed"),
        (Status::Blocked, "blocked"),
        (Status::Cancelled, "cancelled"),
        (Status::TimedOut, "timed_out"),
    ] {
        check(
            "tool_result",
            result(status, vec![Content::text("why")]),
            &format!(
                r#","tool_id":"toolu_1","tool_name":"bash","tool_args":{{}},"status":"{word}","executed":false,"result":{{"content":[{{"type":"text","text":"why"}}],"is_error":true}}}}"#
            ),
        )
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn of_a_result_that_is_too_much() {
    let rest = payload(
        "tool_result",
        result(
            Status::Completed,
            vec![Content::text("é".repeat(200 * 1024))],
        ),
    )
    .await;
    assert!(rest.ends_with(r#"é"}],"is_error":false,"truncated":true}}"#));
    assert!(rest.len() > 256 * 1024 && rest.len() < 257 * 1024);
    let rest = payload(
        "tool_result",
        result(Status::Completed, vec![Content::text("x"); 200]),
    )
    .await;
    assert_eq!(rest.matches(r#""text":"x""#).count(), 128);
    assert!(rest.ends_with(r#""truncated":true}}"#));
}

#[tokio::test(start_paused = true)]
async fn of_a_compaction() {
    check(
        "pre_compact",
        Observation::PreCompact {
            compaction_id: "c-1".to_owned(),
            message_count: 40,
            token_estimate: 9000,
        },
        r#","compaction_id":"c-1","message_count":40,"token_estimate":9000}"#,
    )
    .await;
    let post = |status, error: Option<&str>| Observation::PostCompact {
        compaction_id: "c-1".to_owned(),
        message_count: 5,
        token_estimate: 700,
        status,
        error: error.map(str::to_owned),
    };
    check(
        "post_compact",
        post(Status::Completed, None),
        r#","status":"completed","compaction_id":"c-1","message_count":5,"token_estimate":700}"#,
    )
    .await;
    check(
        "post_compact",
        post(Status::Failed, Some("no network")),
        r#","error":"no network","status":"failed","compaction_id":"c-1","message_count":5,"token_estimate":700}"#,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn of_a_sub_agent() {
    check(
        "subagent_start",
        Observation::SubagentStart {
            agent_id: "g-1".to_owned(),
            agent_run_id: "r-2".to_owned(),
            name: "scout".to_owned(),
        },
        r#","agent_id":"g-1","agent_run_id":"r-2","name":"scout"}"#,
    )
    .await;
    check(
        "subagent_stop",
        Observation::SubagentStop {
            agent_id: "g-1".to_owned(),
            agent_run_id: "r-2".to_owned(),
            name: "scout".to_owned(),
            status: Status::Cancelled,
            error: None,
        },
        r#","status":"cancelled","agent_id":"g-1","agent_run_id":"r-2","name":"scout"}"#,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn of_what_happens_in_a_sub_agent() {
    let mut rig = Rig::of(&["a"]);
    let subscribe = json!({"type": "subscribe", "events": ["turn_start"]});
    let mut a = rig.joined("a", &[subscribe]).await;
    let agent = Agent {
        agent_id: "g-1".to_owned(),
        agent_run_id: "r-2".to_owned(),
        name: "scout".to_owned(),
        depth: 1,
    };
    let step = Observation::TurnStart { step: 1 };
    rig.board.announce_in(Some(&agent), &step);
    assert_eq!(
        a.hear_line().await,
        r#"{"type":"event","event":"turn_start","session_id":"s-1","cwd":"/project","sequence":1,"step":1,"agent_id":"g-1","agent_run_id":"r-2","depth":1}"#
    );
}
