//! A client that does not read.
//!
//! Time is paused: it moves on only when nobody has anything to do, so a timeout here means that
//! everything stands still.

use std::time::Duration;

use tokio::time::timeout;

use crate::kit::{Client, Start};

const A_WHILE: Duration = Duration::from_secs(1);

fn narrow() -> Client {
    Client::start(Start {
        pipe_bytes: 1024,
        ..Start::default()
    })
}

/// A prompt whose answer has this many words.
fn long_prompt(words: usize) -> String {
    let say = "word ".repeat(words);
    format!(r#"{{"id":"1","type":"prompt","message":"say {say}"}}"#)
}

#[tokio::test(start_paused = true)]
async fn the_agent_stops_and_an_abort_still_counts() {
    let mut client = narrow();
    client.send(&long_prompt(200_000)).await;
    // Everything stands still: the pipe, the queues and the backlog are full.
    tokio::time::sleep(A_WHILE).await;
    client.send(r#"{"id":"2","type":"abort"}"#).await;
    client.close();
    let text = client.rest().await;
    // The answer would be 7 MB; its echo in user_message is 1 MB.
    assert!(text.len() < 2_000_000, "{}", text.len());
    let tail: Vec<&str> = text.lines().rev().take(2).collect();
    assert_eq!(
        tail,
        [
            r#"{"type":"done"}"#,
            r#"{"type":"turn_end","stop":"aborted"}"#
        ]
    );
    assert!(!text.contains(r#""type":"error""#));
}

#[tokio::test(start_paused = true)]
async fn requests_without_end_are_not_read_without_end() {
    let mut client = narrow();
    let mut sent = 0;
    loop {
        let ping = format!(r#"{{"id":"{sent}","type":"ping"}}"#);
        if timeout(A_WHILE, client.send(&ping)).await.is_err() {
            break;
        }
        sent += 1;
        assert!(sent < 100_000, "it reads without end");
    }
    assert!(
        sent > 5_000,
        "{sent}: short silences are no reason to stop reading"
    );
    // The last line was written in part; the rest of the pipe is read, then it is answered.
    let read = async {
        let mut answered = 0;
        while answered < sent {
            let line = client.next().await.unwrap();
            assert_eq!(line["id"].as_str().unwrap(), answered.to_string());
            answered += 1;
        }
    };
    timeout(A_WHILE, read).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_does_not_wait_for_a_reader() {
    let mut client = narrow();
    client.send(&long_prompt(200_000)).await;
    tokio::time::sleep(A_WHILE).await;
    client.stop.cancel();
    assert_eq!(client.code().await, 130);
    // Also when only reading is left to be done.
    let mut client = narrow();
    client.send(&long_prompt(1_000)).await;
    client.close();
    tokio::time::sleep(A_WHILE).await;
    client.stop.cancel();
    assert_eq!(client.code().await, 130);
}
