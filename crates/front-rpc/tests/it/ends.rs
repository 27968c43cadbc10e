//! How a conversation ends.

use serde_json::Value;

use crate::kit::{Client, kinds};

const HOLD: &str = r#"{"id":"1","type":"prompt","message":"call hold {}"}"#;

/// A client whose prompt runs a tool right now.
async fn holding() -> Client {
    let mut client = Client::new();
    client.send(HOLD).await;
    let holding = client.holding.clone();
    holding.acquire().await.unwrap().forget();
    client
}

fn count(lines: &[Value], kind: &str) -> usize {
    kinds(lines).iter().filter(|found| **found == kind).count()
}

#[tokio::test]
async fn a_closed_end_lets_a_running_tool_finish() {
    let mut client = holding().await;
    client
        .send(r#"{"id":"2","type":"prompt","message":"say last"}"#)
        .await;
    client.close();
    client.gate.add_permits(1);
    let (lines, code) = client.finish().await;
    assert_eq!(
        (count(&lines, "prompt"), count(&lines, "done"), code),
        (2, 2, 0)
    );
    assert!(
        lines.iter().any(|line| line["status"] == "completed"),
        "{lines:?}"
    );
    assert_eq!(lines.last().unwrap()["type"], "done");
}

#[tokio::test]
async fn an_abort_ends_a_prompt_without_an_error() {
    let mut client = holding().await;
    client.send(r#"{"type":"abort"}"#).await;
    client.close();
    let (lines, code) = client.finish().await;
    assert_eq!(
        (count(&lines, "done"), count(&lines, "error"), code),
        (1, 0, 0)
    );
    let ends: Vec<_> = lines
        .iter()
        .filter(|line| line["type"] == "turn_end")
        .collect();
    assert_eq!(ends.last().unwrap()["stop"], "aborted");
}

#[tokio::test]
async fn an_interrupt_gives_everything_up_and_says_so() {
    let mut client = holding().await;
    client
        .send(r#"{"id":"2","type":"prompt","message":"say last"}"#)
        .await;
    client.send(r#"{"type":"ping"}"#).await;
    while client.until("response").await["command"] != "ping" {}
    client.stop.cancel();
    let (lines, code) = client.finish().await;
    assert_eq!((count(&lines, "done"), code), (1, 130));
    let refused = lines.iter().find(|line| line["id"] == "2").unwrap();
    assert_eq!(refused["success"], false, "{refused}");
}

#[tokio::test]
async fn a_client_that_hung_up_ends_it_at_once() {
    let client = holding().await;
    client.hangup.cancel();
    assert_eq!(client.code().await, 1);
    let mut client = holding().await;
    client.close();
    client.hangup.cancel();
    assert_eq!(client.code().await, 1);
}

#[tokio::test]
async fn an_output_that_nobody_reads_any_more_ends_it() {
    let mut client = holding().await;
    client.close_output();
    client.send(r#"{"type":"ping"}"#).await;
    assert_eq!(client.code().await, 1);
}

#[tokio::test]
async fn a_thousand_prompts_are_answered_once_each() {
    let mut client = Client::new();
    let mut lines = String::new();
    for n in 0..1000 {
        lines.push_str(&format!(
            r#"{{"id":"{n}","type":"prompt","message":"say {n}"}}"#
        ));
        lines.push('\n');
        if n % 50 == 0 {
            lines.push_str(&format!(r#"{{"id":"abort {n}","type":"abort"}}"#));
            lines.push('\n');
        }
    }
    client.write(&lines).await;
    client.close();
    let (lines, code) = client.finish().await;
    let mut ids: Vec<_> = lines
        .iter()
        .filter(|line| line["type"] == "response")
        .map(|line| line["id"].as_str().unwrap().to_owned())
        .collect();
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), code), (1020, 0));
    assert_eq!(count(&lines, "prompt"), 1000);
    assert_eq!(count(&lines, "done"), 1000);
    assert_eq!(count(&lines, "error"), 0);
}
