//! What each command answers.

use serde_json::json;

use crate::kit::{Client, Start, kinds};

#[tokio::test]
async fn the_state_of_a_fresh_agent() {
    let mut client = Client::new();
    let mut hello = client.ask(r#"{"id":"0","type":"hello"}"#).await;
    let id = hello["data"]["session_id"].take();
    assert!(id.as_str().is_some_and(|id| id.len() == 36), "{id}");
    assert_eq!(
        hello,
        json!({"type": "response", "id": "0", "command": "hello", "success": true, "data": {
            "protocol_version": 1, "version": "1.2.3", "provider": "puppet", "model": "puppet",
            "cwd": "/project", "session_id": null, "keeping": "unkept", "interactive": false}})
    );
    let state = client.ask(r#"{"type":"get_state"}"#).await;
    let data = &state["data"];
    assert_eq!(data["message_count"], 0);
    assert_eq!((&data["busy"], &data["queued"]), (&json!(false), &json!(0)));
    assert_eq!(data["waiting_for_approval"], json!([]));
    assert_eq!(data["usage"]["input"], 0);
    let ping = client.ask(r#"{"id":"p","type":"ping"}"#).await;
    assert_eq!(ping["data"], json!({"pong": true}));
    let commands = client.ask(r#"{"type":"get_commands"}"#).await;
    let commands = commands["data"]["commands"].as_array().unwrap();
    assert_eq!(commands[0]["name"], "help");
    assert!(commands.iter().all(|command| command["built_in"] == true));
}

#[tokio::test]
async fn a_prompt_streams_and_is_kept() {
    let mut client = Client::new();
    client
        .send(
            r#"{"id":"1","type":"prompt","message":"call touch {\"a\":1}\nthen\nsay hello there"}"#,
        )
        .await;
    let mut seen = Vec::new();
    while seen
        .last()
        .is_none_or(|line: &serde_json::Value| line["type"] != "done")
    {
        seen.push(client.next().await.unwrap());
    }
    let kinds = kinds(&seen);
    assert_eq!(kinds[..2], ["prompt", "user_message"], "{kinds:?}");
    for kind in [
        "tool_call",
        "permission_decision",
        "tool_result",
        "turn_end",
    ] {
        assert!(kinds.contains(&kind), "{kind} in {kinds:?}");
    }
    let text: String = seen
        .iter()
        .filter_map(|line| {
            line["delta"]
                .as_str()
                .filter(|_| line["type"] == "text_delta")
        })
        .collect();
    assert_eq!(text, "hello there");
    let messages = client.ask(r#"{"type":"get_messages"}"#).await;
    let messages = messages["data"]["messages"].as_array().unwrap().clone();
    let roles: Vec<_> = messages
        .iter()
        .map(|m| m["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant"]);
    assert_eq!(messages[2]["content"][0]["type"], "tool_result");
    let trace = client.ask(r#"{"type":"get_trace"}"#).await;
    let call = &trace["data"]["calls"][0];
    assert_eq!(
        (&call["tool_name"], &call["status"]),
        (&json!("touch"), &json!("completed"))
    );
    assert_eq!(call["ruling"]["source"], "yolo");
    let state = client.ask(r#"{"type":"get_state"}"#).await;
    assert_eq!(state["data"]["message_count"], 4);
    let cleared = client.ask(r#"{"type":"clear"}"#).await;
    assert_eq!(cleared["success"], true, "{cleared}");
    let state = client.ask(r#"{"type":"get_state"}"#).await;
    assert_eq!(state["data"]["message_count"], 0);
}

#[tokio::test]
async fn an_image_comes_along() {
    let mut client = Client::new();
    client
        .send(
            r#"{"type":"prompt","message":"","images":[{"mime_type":"image/png","data":"AAAA"}]}"#,
        )
        .await;
    let message = client.until("user_message").await;
    assert_eq!(
        message["content"],
        json!([{"type": "image", "mime_type": "image/png", "bytes": 3}])
    );
    client.until("done").await;
}

#[tokio::test]
async fn another_model_answers_from_now_on() {
    let mut client = Client::new();
    let models = client.ask(r#"{"type":"get_models"}"#).await;
    assert_eq!(
        models["data"]["models"],
        json!([
            {"id": "puppet", "provider": "puppet", "current": true},
            {"id": "marionette", "provider": "puppet", "context_window": 1000, "current": false},
        ])
    );
    let unknown = client.ask(r#"{"type":"set_model","model":"x"}"#).await;
    assert_eq!(unknown["error"], "no model \"x\"");
    let known = client
        .ask(r#"{"type":"set_model","model":"marionette"}"#)
        .await;
    assert_eq!(known["success"], true);
    client.send(r#"{"type":"prompt","message":"say hi"}"#).await;
    assert_eq!(client.until("request_started").await["model"], "marionette");
    client.until("done").await;
    let hello = client.ask(r#"{"type":"hello"}"#).await;
    assert_eq!(hello["data"]["model"], "marionette");
}

#[tokio::test]
async fn making_room_ends_with_compact_done() {
    let mut client = Client::new();
    for _ in 0..4 {
        client.send(r#"{"type":"prompt","message":"say hi"}"#).await;
        client.until("done").await;
    }
    let started = client.ask(r#"{"id":"c","type":"compact"}"#).await;
    assert_eq!(started["data"], json!({"started": true}));
    let done = client.until("compact_done").await;
    assert!(
        done["error"].is_null() && done["summary"].is_string(),
        "{done}"
    );
}

#[tokio::test]
async fn how_much_the_model_reasons_can_be_changed() {
    let mut client = Client::new();
    let before = client.ask(r#"{"type":"get_state"}"#).await;
    assert!(before["data"].get("reasoning").is_none(), "{before}");
    let set = client
        .ask(r#"{"type":"set_reasoning","reasoning":"high"}"#)
        .await;
    assert_eq!(set["success"], true, "{set}");
    let state = client.ask(r#"{"type":"get_state"}"#).await;
    assert_eq!(state["data"]["reasoning"], "high");
    assert_eq!(state["data"]["keeping"], "unkept");
}

#[tokio::test]
async fn what_cannot_be_done_says_why() {
    let mut client = Client::new();
    for (line, why) in [
        (r#"{"type":"fork"}"#, "--no-session"),
        (r#"{"type":"sessions"}"#, "--no-session"),
        (r#"{"type":"new_session"}"#, "--no-session"),
        (r#"{"type":"switch_branch","branch":"x"}"#, "--no-session"),
        (r#"{"type":"set_reasoning","reasoning":"hard"}"#, "xhigh"),
    ] {
        let answer = client.ask(line).await;
        assert_eq!(answer["success"], false, "{answer}");
        assert!(answer["error"].as_str().unwrap().contains(why), "{answer}");
    }
    let unknown = client
        .ask(r#"{"type":"ext_command","name":"/dance"}"#)
        .await;
    assert!(
        unknown["error"].as_str().unwrap().contains("/dance"),
        "{unknown}"
    );
}

#[tokio::test]
async fn the_token_opens_and_a_wrong_one_ends() {
    let start = || Start {
        token: Some("secret"),
        ..Start::default()
    };
    let mut client = Client::start(start());
    let refused = client.ask(r#"{"id":"1","type":"get_state"}"#).await;
    assert!(
        refused["error"].as_str().unwrap().contains("hello"),
        "{refused}"
    );
    let hello = client.ask(r#"{"type":"hello","token":"secret"}"#).await;
    assert_eq!(hello["success"], true);
    assert_eq!(client.ask(r#"{"type":"ping"}"#).await["success"], true);
    let mut client = Client::start(start());
    client.send(r#"{"type":"hello","token":"guess"}"#).await;
    client.send(r#"{"type":"ping"}"#).await;
    let (lines, code) = client.finish().await;
    assert_eq!((lines.len(), code), (1, 1), "{lines:?}");
}
