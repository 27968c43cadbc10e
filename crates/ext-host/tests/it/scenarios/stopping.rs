//! Stopping the host.

use std::sync::Arc;

use zeug_hook::Observation;
use zeug_transcript::Status;

use crate::kit::*;

fn events() -> serde_json::Value {
    json!({"type": "subscribe", "events": ["turn_start", "session_end"]})
}

#[tokio::test(start_paused = true)]
async fn what_is_queued_arrives_then_shutdown_then_the_end() {
    let narrow = Seat {
        pipe_bytes: 32,
        ..Seat::new("a")
    };
    let mut rig = Rig::new(vec![narrow]);
    let mut a = rig.joined("a", &[events()]).await;
    for step in 1..=50 {
        rig.board.announce(&Observation::TurnStart { step });
    }
    rig.board
        .announce(&Observation::SessionEnd { reason: "shutdown" });
    let host = rig.host.clone();
    let stop = tokio::spawn(async move { host.stop().await });
    let heard = a.hear_out().await;
    let steps: Vec<_> = heard[..50].iter().map(|f| f["step"].clone()).collect();
    assert_eq!(steps, (1..=50).map(|n| json!(n)).collect::<Vec<_>>());
    assert_eq!(heard[50]["event"], "session_end");
    assert_eq!(heard[51..], [json!({"type": "shutdown"})]);
    drop(a);
    stop.await.unwrap();
    assert_eq!(rig.state("a"), State::Stopped);
    assert_eq!(rig.waiting_news(), [], "it was asked to go");
}

#[tokio::test(start_paused = true)]
async fn the_deadline_is_2_s_for_all_together() {
    let seats = ["a", "b", "c"].map(|name| Seat {
        pipe_bytes: 32,
        ..Seat::new(name)
    });
    let mut rig = Rig::new(seats.into());
    let mut deaf = Vec::new();
    for name in ["a", "b", "c"] {
        deaf.push(rig.joined(name, &[events()]).await);
    }
    rig.board.announce(&Observation::TurnStart { step: 1 });
    let start = Instant::now();
    rig.host.stop().await;
    took(start, s(2));
    for name in ["a", "b", "c"] {
        assert_eq!(rig.state(name), State::Stopped);
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_is_told_at_once() {
    let narrow = Seat {
        pipe_bytes: 32,
        ..Seat::new("a")
    };
    let mut rig = Rig::new(vec![narrow]);
    let tool = json!({"type": "register_tool", "name": "look"});
    let command = json!({"type": "register_command", "name": "say"});
    let listen = json!({"type": "subscribe", "intercept": ["tool_call"]});
    let _deaf = rig.joined("a", &[tool, command, listen]).await;
    let call = rig.call("look", "{}");
    let run = rig.command("say", "");
    let chain = rig.ask_tool("bash", "{}");
    tokio::task::yield_now().await;
    let start = Instant::now();
    let host = rig.host.clone();
    let stop = tokio::spawn(async move { host.stop().await });
    let outcome = call.outcome().await;
    assert_eq!(outcome.status, Status::Failed);
    assert!(text(&outcome).contains("the extension was stopped"));
    let error = run.await.unwrap().unwrap_err();
    assert!(error.to_string().contains("the extension was stopped"));
    chain.await.unwrap();
    assert_eq!(start.elapsed(), ms(0));
    assert!(rig.table.lookup("look").is_none());
    stop.await.unwrap();
    took(start, s(2));
}

#[tokio::test(start_paused = true)]
async fn whoever_was_not_greeted_hears_only_the_end() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.meet("a").await;
    let host = rig.host.clone();
    let stop = tokio::spawn(async move { host.stop().await });
    assert_eq!(a.hear_out().await, [""; 0], "hello_ack comes first");
    stop.await.unwrap();
    assert_eq!(rig.state("a"), State::Stopped);
}

#[tokio::test(start_paused = true)]
async fn stopping_twice_and_stopping_nobody_wait_for_nothing() {
    let rig = Rig::of(&[]);
    let start = Instant::now();
    rig.host.stop().await;
    rig.host.settled().await;
    rig.host.stop().await;
    assert_eq!(start.elapsed(), ms(0));
}

#[tokio::test(start_paused = true)]
async fn stopping_does_not_wait_for_news_to_be_taken() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    let flood = tokio::spawn(async move {
        let line = json!({"type": "notify", "message": "flood"}).to_string() + "\n";
        a.try_write(line.repeat(3000).as_bytes()).await;
        a
    });
    until("nothing more is taken", || rig.news.len() == 256).await;
    let start = Instant::now();
    rig.host.stop().await;
    assert!(start.elapsed() <= s(2) + ms(3));
    flood.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn when_the_last_handle_is_gone_the_news_end() {
    let mut rig = Rig::of(&["a"]);
    let a = rig.joined("a", &[events()]).await;
    rig.host.stop().await;
    drop(a);
    let Rig {
        host,
        mut news,
        board,
        table,
        ..
    } = rig;
    drop(host);
    let end = tokio::time::timeout(s(1), news.recv()).await;
    assert_eq!(end, Ok(None), "whoever takes the news waits for ever");
    // Board and table belong to somebody else and go on.
    board.announce(&Observation::SessionStart);
    assert_eq!(table.names(), []);
    assert_eq!(Arc::strong_count(&board), 1, "nobody keeps the board alive");
}

#[tokio::test(start_paused = true)]
async fn dropping_the_host_hangs_up_on_everybody() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    drop(rig);
    assert_eq!(a.hear_out().await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_host_that_stops_while_it_starts_does_not_start_anybody() {
    let rig = Rig::of(&["a", "b"]);
    let start = Instant::now();
    rig.host.stop().await;
    assert_eq!(start.elapsed(), ms(0));
    assert_eq!(rig.state("a"), State::Stopped);
    assert_eq!(rig.state("b"), State::Stopped);
}
