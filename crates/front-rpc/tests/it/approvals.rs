//! A client that says it can be asked.

use serde_json::{Value, json};

use crate::kit::{Client, kinds};

const TOUCH: &str = r#"{"type":"prompt","message":"call touch {}"}"#;

async fn interactive() -> Client {
    let mut client = Client::new();
    let hello = client.ask(r#"{"type":"hello","interactive":true}"#).await;
    assert_eq!(hello["data"]["interactive"], true);
    client
}

/// Sends a prompt with a call, and reads up to the question.
async fn asked(client: &mut Client) -> String {
    client.send(TOUCH).await;
    let mut before = Vec::new();
    loop {
        let line = client.next().await.unwrap();
        if line["type"] == "tool_confirmation_requested" {
            assert!(
                kinds(&before).contains(&"tool_call"),
                "the call is known: {before:?}"
            );
            assert_eq!(line["tool_name"], "touch");
            assert_eq!(line["tool_preview"], "- old + new");
            assert_eq!(line["preview"], "- old\n+ new");
            return line["tool_id"].as_str().unwrap().to_owned();
        }
        before.push(line);
    }
}

async fn approve(client: &mut Client, id: &str, decision: &str) -> Value {
    let line = json!({"id": "a", "type": "approve", "tool_id": id, "decision": decision});
    client.ask(&line.to_string()).await
}

/// Reads up to `done`; the decision and the status of the call.
async fn outcome(client: &mut Client) -> (Value, Value) {
    let decision = client.until("permission_decision").await;
    let result = client.until("tool_result").await;
    client.until("done").await;
    (decision["decision"].clone(), result["status"].clone())
}

#[tokio::test]
async fn once_asks_again() {
    let mut client = interactive().await;
    for _ in 0..2 {
        let id = asked(&mut client).await;
        let state = client.ask(r#"{"type":"get_state"}"#).await;
        assert_eq!(state["data"]["waiting_for_approval"], json!([id]));
        assert_eq!(approve(&mut client, &id, "once").await["success"], true);
        assert_eq!(
            outcome(&mut client).await,
            (json!("approved"), json!("completed"))
        );
        let again = approve(&mut client, &id, "once").await;
        assert!(again["error"].as_str().unwrap().contains(&id), "{again}");
    }
}

#[tokio::test]
async fn a_remembered_answer_is_not_asked_for_again() {
    for decision in ["tool", "session"] {
        let mut client = interactive().await;
        let id = asked(&mut client).await;
        approve(&mut client, &id, decision).await;
        outcome(&mut client).await;
        client.send(TOUCH).await;
        let remembered = client.until("permission_decision").await;
        assert_eq!(remembered["source"], "remembered", "{decision}");
        client.until("done").await;
    }
}

#[tokio::test]
async fn a_no_blocks_the_call_and_the_turn_goes_on() {
    let mut client = interactive().await;
    let id = asked(&mut client).await;
    approve(&mut client, &id, "no").await;
    assert_eq!(
        outcome(&mut client).await,
        (json!("denied"), json!("blocked"))
    );
}

#[tokio::test]
async fn an_abort_takes_the_question_back() {
    let mut client = interactive().await;
    let id = asked(&mut client).await;
    client.send(r#"{"type":"abort"}"#).await;
    assert_eq!(outcome(&mut client).await.0, "cancelled");
    let late = approve(&mut client, &id, "once").await;
    assert_eq!(late["success"], false, "{late}");
    let state = client.ask(r#"{"type":"get_state"}"#).await;
    assert_eq!(state["data"]["waiting_for_approval"], json!([]));
}

#[tokio::test]
async fn whoever_closed_its_end_answers_nothing_any_more() {
    let mut client = interactive().await;
    asked(&mut client).await;
    client.send(TOUCH).await;
    client.close();
    let (lines, code) = client.finish().await;
    let results: Vec<_> = lines
        .iter()
        .filter(|line| line["type"] == "tool_result")
        .collect();
    assert_eq!(results.len(), 2);
    assert!(
        results.iter().all(|result| result["status"] == "blocked"),
        "{results:?}"
    );
    assert_eq!((kinds(&lines).last(), code), (Some(&"done"), 0));
}

#[tokio::test]
async fn nobody_else_is_asked() {
    let mut client = Client::new();
    client.send(TOUCH).await;
    let decision = client.until("permission_decision").await;
    assert_eq!(decision["source"], "yolo");
    client.until("done").await;
}

#[tokio::test]
async fn who_takes_the_word_back_leaves_the_question_to_nobody() {
    let mut client = interactive().await;
    asked(&mut client).await;
    client.send(r#"{"type":"hello","interactive":false}"#).await;
    assert_eq!(
        outcome(&mut client).await,
        (json!("denied"), json!("blocked"))
    );
}
