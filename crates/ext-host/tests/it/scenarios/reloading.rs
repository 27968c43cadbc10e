//! A new instance beside the old one, and the moment at which it takes its place.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use zeug_ext_host::{Boundary, Invite, PanelWord, Reloaded};
use zeug_hook::Observation;
use zeug_transcript::Status;

use crate::kit::*;

fn tool(name: &str) -> Value {
    json!({"type": "register_tool", "name": name})
}

fn command(name: &str) -> Value {
    json!({"type": "register_command", "name": name})
}

fn guard() -> Value {
    json!({"type": "subscribe", "events": ["session_opened"], "intercept": ["tool_call"]})
}

/// Reloads these; the door through which the first of them comes.
fn reload(rig: &Rig, names: &[&str], all: bool) -> (JoinHandle<Reloaded>, mpsc::Receiver<Far>) {
    let mut first = None;
    let invites = names.iter().map(|name| {
        let (plug, door) = Plug::new(64 * 1024);
        first.get_or_insert(door);
        Invite {
            dir: PathBuf::from("/ext"),
            data_dir: PathBuf::from("/data"),
            name: (*name).to_owned(),
            restart_on_crash: false,
            on_failure: None,
            connector: Arc::new(plug),
            log: None,
        }
    });
    let invites: Vec<_> = invites.collect();
    let host = rig.host.clone();
    let task = tokio::spawn(async move { host.reload(invites, all).await });
    (task, first.expect("a name"))
}

#[tokio::test(start_paused = true)]
async fn the_new_one_takes_over_when_it_is_ready_and_not_before() {
    let mut rig = Rig::of(&["a", "b"]);
    let mut old = rig
        .joined("a", &[tool("same"), tool("gone"), command("cmd"), guard()])
        .await;
    let (reloading, mut door) = reload(&rig, &["a"], false);
    let mut new = door.recv().await.unwrap();
    new.hello("a").await;
    new.hear_a("hello_ack").await;
    new.burst(&[tool("same"), tool("fresh"), guard()]).await;
    rig.board.announce(&Observation::SessionStart);
    // Everything still goes to the old one.
    let call = rig.call("same", "{}");
    let event = old.hear_a("event").await;
    assert_eq!(event["event"], "session_opened");
    let frame = old.hear_a("tool_call").await;
    old.answer(&frame, "old").await;
    assert_eq!(text(&call.outcome().await), "old");
    assert!(rig.table.lookup("fresh").is_none());
    new.say(json!({"type": "ready"})).await;
    let report = reloading.await.unwrap();
    assert_eq!(
        report.to_string(),
        "reloaded: 1 stopped, 1 loaded (1 ready)"
    );
    let opened = new.hear_a("event").await;
    assert_eq!(opened["event"], "session_opened");
    let call = rig.call("same", "{}");
    let frame = new.hear_a("tool_call").await;
    new.answer(&frame, "new").await;
    assert_eq!(text(&call.outcome().await), "new");
    assert!(rig.table.lookup("gone").is_none() && rig.table.lookup("fresh").is_some());
    assert!(rig.host.commands().is_empty());
    // One guard, not two.
    let asked = rig.ask_tool("bash", "{}");
    new.opine("tool_call", json!({"block": true, "reason": "no"}))
        .await;
    asked.await.unwrap();
    let rest = old.hear_out().await;
    assert_eq!(rest.last().unwrap()["type"], "shutdown", "{rest:?}");
    assert_eq!(rig.report("a").tools, ["fresh", "same"]);
}

#[tokio::test(start_paused = true)]
async fn an_event_goes_to_one_of_the_two() {
    let mut rig = Rig::of(&["a"]);
    let listens = || json!({"type": "subscribe", "events": ["turn_start"]});
    let mut old = rig.joined("a", &[listens()]).await;
    // It says so much that it cannot notice for a while that it has to go.
    let flood = tokio::spawn(async move {
        let line = json!({"type": "notify", "message": "flood"}).to_string() + "\n";
        old.try_write(line.repeat(600).as_bytes()).await;
        old
    });
    until("nothing more is taken", || rig.news.len() == 256).await;
    let (reloading, mut door) = reload(&rig, &["a"], false);
    let mut new = door.recv().await.unwrap();
    new.join("a", &[listens()]).await;
    // Room for the news of the swap, and for no more of the old one's.
    while !reloading.is_finished() {
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
        if !reloading.is_finished() {
            rig.next_news().await;
        }
    }
    rig.board.announce(&Observation::TurnStart { step: 1 });
    assert_eq!(new.hear_a("event").await["step"], 1);
    drop(rig.news);
    let heard = flood.await.unwrap().hear_out().await;
    assert_eq!(heard, [json!({"type": "shutdown"})]);
}

#[tokio::test(start_paused = true)]
async fn whoever_fails_leaves_the_old_one_in_its_place() {
    let mut rig = Rig::of(&["a"]);
    let mut old = rig.joined("a", &[tool("look"), guard()]).await;
    for silent in [true, false] {
        let (reloading, mut door) = reload(&rig, &["a"], false);
        let mut new = door.recv().await.unwrap();
        if silent {
            new.write(b"this is no hello\n").await;
        } else {
            new.hello("a").await;
            new.hear_a("hello_ack").await;
            new.say(tool("look")).await;
            drop(new);
        }
        let report = reloading.await.unwrap();
        assert_eq!((report.stopped, report.loaded), (0, 0));
        assert_eq!(report.errors.len(), 1, "{report}");
        let News::Failed { extension, .. } = rig.next_news().await else {
            panic!("other news")
        };
        assert_eq!(extension, "a");
        let call = rig.call("look", "{}");
        let frame = old.hear_a("tool_call").await;
        old.answer(&frame, "old").await;
        assert_eq!(text(&call.outcome().await), "old");
        let asked = rig.ask_tool("bash", "{}");
        old.opine("tool_call", json!({})).await;
        asked.await.unwrap();
        // The keys of its panels are its own still.
        let close = serde_json::from_value(json!({"panel_id": "p"})).unwrap();
        rig.host.panel("a", PanelWord::Close(close));
        old.hear_a("panel_close").await;
    }
    assert_eq!(rig.state("a"), State::Ready("ready"));
}

#[tokio::test(start_paused = true)]
async fn a_newcomer_that_fails_is_listed_with_the_reason() {
    let mut rig = Rig::of(&["a"]);
    rig.joined("a", &[]).await;
    for _ in 0..2 {
        let (reloading, mut door) = reload(&rig, &["b"], false);
        let mut new = door.recv().await.unwrap();
        new.write(b"this is no hello\n").await;
        assert_eq!(reloading.await.unwrap().errors.len(), 1);
        let names: Vec<_> = rig.host.report().into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["a", "b"]);
        let State::Failed(why) = rig.state("b") else {
            panic!("it has not failed")
        };
        assert!(why.contains("hello"), "{why}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_in_flight_ends_with_the_old_one() {
    let mut rig = Rig::of(&["a"]);
    let mut old = rig.joined("a", &[tool("look")]).await;
    let call = rig.call("look", "{}");
    old.hear_a("tool_call").await;
    let (reloading, mut door) = reload(&rig, &["a"], false);
    let mut new = door.recv().await.unwrap();
    new.join("a", &[tool("look")]).await;
    reloading.await.unwrap();
    let outcome = call.outcome().await;
    assert_eq!(outcome.status, Status::Failed);
    assert!(text(&outcome).contains("stopped"), "{}", text(&outcome));
}

#[tokio::test(start_paused = true)]
async fn what_the_old_one_showed_goes_and_what_the_new_one_shows_comes_after() {
    let mut rig = Rig::of(&["a"]);
    let _old = rig.joined("a", &[]).await;
    let (reloading, mut door) = reload(&rig, &["a"], false);
    let mut new = door.recv().await.unwrap();
    new.join("a", &[json!({"type": "status", "key": "k", "text": "x"})])
        .await;
    reloading.await.unwrap();
    assert!(matches!(rig.next_news().await, News::Replaced { .. }));
    assert!(matches!(rig.next_news().await, News::Status { .. }));
}

#[tokio::test(start_paused = true)]
async fn a_reload_of_all_stops_who_is_not_invited_and_starts_who_is_new() {
    let mut rig = Rig::of(&["a", "b"]);
    let _a = rig.joined("a", &[tool("of_a")]).await;
    let mut b = rig.joined("b", &[tool("of_b")]).await;
    rig.host
        .session(Boundary::Opened, facts(), std::collections::BTreeMap::new());
    let (reloading, mut door) = reload(&rig, &["c"], true);
    let mut c = door.recv().await.unwrap();
    c.join("c", &[tool("of_c")]).await;
    let report = reloading.await.unwrap();
    assert_eq!((report.stopped, report.loaded), (2, 1), "{report}");
    let rest = b.hear_out().await;
    assert_eq!(rest.last().unwrap()["type"], "shutdown");
    until("names are gone", || rig.table.lookup("of_b").is_none()).await;
    assert!(rig.table.lookup("of_a").is_none() && rig.table.lookup("of_c").is_some());
    assert_eq!(rig.host.report().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_stopped_host_starts_nobody_anew() {
    let mut rig = Rig::of(&["a"]);
    let a = rig.joined("a", &[]).await;
    drop(a);
    rig.host.stop().await;
    let (reloading, _door) = reload(&rig, &["a"], false);
    assert_eq!(reloading.await.unwrap(), Reloaded::default());
}
