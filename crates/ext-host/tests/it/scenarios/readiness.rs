//! When an extension counts as ready, and what it may still do afterwards.

use crate::kit::*;

/// A guest that was greeted, and the moment of that.
async fn greeted() -> (Rig, Far, Instant) {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.meet("a").await;
    a.hello("a").await;
    a.hear_a("hello_ack").await;
    (rig, a, Instant::now())
}

fn tool(name: &str) -> serde_json::Value {
    json!({"type": "register_tool", "name": name})
}

#[tokio::test(start_paused = true)]
async fn saying_ready_ends_the_wait_at_once() {
    let (rig, mut a, start) = greeted().await;
    a.say(json!({"type": "ready"})).await;
    rig.host.settled().await;
    assert_eq!(start.elapsed(), ms(0));
    assert_eq!(rig.state("a"), State::Ready("ready"));
}

#[tokio::test(start_paused = true)]
async fn a_second_ready_is_harmless() {
    let (mut rig, mut a, _) = greeted().await;
    a.say(json!({"type": "ready"})).await;
    a.say(json!({"type": "ready"})).await;
    assert_eq!(rig.caught_up(&mut a).await, []);
    assert_eq!(rig.state("a"), State::Ready("ready"));
    assert_eq!(rig.report("a").diagnostics, [""; 0]);
    a.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn silence_counts_from_the_first_frame_after_the_ack() {
    let (rig, mut a, start) = greeted().await;
    tokio::time::sleep(s(5)).await;
    assert_eq!(
        rig.state("a"),
        State::Starting,
        "a slow start is no silence"
    );
    a.say(tool("one")).await;
    tokio::time::sleep(ms(200)).await;
    a.say(tool("two")).await;
    rig.host.settled().await;
    took(start, ms(5450));
    assert_eq!(rig.state("a"), State::Ready("auto-ready"));
    assert_eq!(
        rig.report("a").diagnostics,
        [""; 0],
        "nothing is wrong with it"
    );
    assert_eq!(rig.report("a").tools, ["one", "two"]);
}

#[tokio::test(start_paused = true)]
async fn frames_that_came_before_the_ack_start_the_clock_too() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.meet("a").await;
    let start = Instant::now();
    a.burst(&[json!({"type": "hello", "name": "a"}), tool("one")])
        .await;
    rig.host.settled().await;
    took(start, ms(250));
    assert_eq!(rig.state("a"), State::Ready("auto-ready"));
}

#[tokio::test(start_paused = true)]
async fn whoever_says_nothing_after_the_ack_counts_as_ready_after_10_s() {
    let (rig, _a, start) = greeted().await;
    rig.host.settled().await;
    took(start, s(10));
    assert_eq!(rig.state("a"), State::Ready("ready-timeout"));
    rig.diagnostic("a", "timed out waiting for ready");
}

#[tokio::test(start_paused = true)]
async fn a_chatterbox_counts_as_ready_after_10_s() {
    let (rig, mut a, start) = greeted().await;
    let chatter = tokio::spawn(async move {
        for n in 0.. {
            a.say(tool(&format!("tool{n}"))).await;
            tokio::time::sleep(ms(100)).await;
        }
    });
    let settled = tokio::time::timeout(s(60), rig.host.settled()).await;
    assert!(settled.is_ok(), "never ready");
    took(start, s(10));
    chatter.abort();
    assert_eq!(rig.state("a"), State::Ready("ready-timeout"));
}

#[tokio::test(start_paused = true)]
async fn the_start_is_over_when_the_last_one_is_ready() {
    let mut rig = Rig::of(&["a", "b"]);
    rig.joined("a", &[]).await;
    let mut b = rig.meet("b").await;
    let start = Instant::now();
    b.hello("b").await;
    rig.host.settled().await;
    took(start, s(10));
}

#[tokio::test(start_paused = true)]
async fn what_is_registered_after_ready_takes_effect_and_is_announced() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    a.burst(&[
        tool("late"),
        json!({"type": "register_command", "name": "late"}),
        json!({"type": "subscribe", "events": ["turn_start"], "intercept": ["turn_start"]}),
    ])
    .await;
    let registered = News::Registered {
        extension: "a".to_owned(),
    };
    assert_eq!(
        rig.caught_up(&mut a).await,
        [registered.clone(), registered]
    );
    assert!(rig.table.lookup("late").is_some());
    assert_eq!(rig.report("a").commands, ["late"]);
    assert_eq!(rig.board.turn_start.snapshot().len(), 1);
    rig.board
        .announce(&zeug_hook::Observation::TurnStart { step: 1 });
    assert_eq!(a.hear_a("event").await["event"], "turn_start");
}

#[tokio::test(start_paused = true)]
async fn what_is_registered_in_time_is_not_announced() {
    let mut rig = Rig::of(&["a"]);
    let commands = json!({"type": "register_command", "name": "say"});
    let mut a = rig.joined("a", &[tool("look"), commands]).await;
    assert_eq!(rig.caught_up(&mut a).await, []);
}
