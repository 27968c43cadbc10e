//! `"restart": "on-crash"`.

use zeug_hook::Observation;

use crate::kit::*;

fn seat() -> Seat {
    Seat {
        restart_on_crash: true,
        ..Seat::new("a")
    }
}

fn frames() -> [serde_json::Value; 2] {
    [
        json!({"type": "register_tool", "name": "look"}),
        json!({"type": "subscribe", "events": ["turn_start"], "intercept": ["tool_call"]}),
    ]
}

async fn gone(rig: &mut Rig) {
    let news = rig.next_news().await;
    assert!(matches!(news, News::Gone { .. }), "{news:?}");
}

async fn remark(rig: &mut Rig) -> String {
    match rig.next_news().await {
        News::Remark { message, .. } => message,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_did_not_ask_for_it_is_not_started_again() {
    let mut rig = Rig::of(&["a"]);
    drop(rig.joined("a", &frames()).await);
    gone(&mut rig).await;
    tokio::time::sleep(s(100)).await;
    assert_eq!(rig.waiting_news(), []);
    assert!(matches!(rig.state("a"), State::Gone(_)));
}

#[tokio::test(start_paused = true)]
async fn waits_of_1_2_4_and_8_s_and_the_fifth_crash_is_the_last() {
    let mut rig = Rig::new(vec![seat()]);
    for wait in [1, 2, 4, 8] {
        drop(rig.joined("a", &frames()).await);
        gone(&mut rig).await;
        let start = Instant::now();
        assert_eq!(remark(&mut rig).await, "is started again after a crash");
        took(start, s(wait));
    }
    drop(rig.joined("a", &frames()).await);
    gone(&mut rig).await;
    assert_eq!(
        remark(&mut rig).await,
        "crashed 5 times in 5 minutes and is not started again"
    );
    tokio::time::sleep(s(600)).await;
    assert_eq!(rig.waiting_news(), []);
    assert!(matches!(rig.state("a"), State::Gone(_)));
    rig.host.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_crash_a_minute_and_a_half_is_forgiven() {
    let mut rig = Rig::new(vec![seat()]);
    for _ in 0..10 {
        let a = rig.joined("a", &frames()).await;
        tokio::time::sleep(s(90)).await;
        drop(a);
        gone(&mut rig).await;
        assert_eq!(remark(&mut rig).await, "is started again after a crash");
    }
}

#[tokio::test(start_paused = true)]
async fn the_new_one_has_its_own_registrations_at_its_old_place() {
    let mut rig = Rig::new(vec![seat(), Seat::new("b")]);
    let old = rig.joined("a", &frames()).await;
    let mut b = rig.joined("b", &frames()).await;
    drop(old);
    while !matches!(rig.next_news().await, News::Gone { .. }) {}
    assert_eq!(rig.report("b").tools, ["look"]);
    let mut a = rig.joined("a", &frames()).await;
    assert_eq!(rig.report("a").tools, ["look"]);
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    a.answer(&frame, "new").await;
    assert_eq!(text(&call.outcome().await), "new");
    let chain = rig.ask_tool("bash", "{}");
    a.opine("tool_call", json!({})).await;
    b.opine("tool_call", json!({})).await;
    chain.await.unwrap();
    rig.board.announce(&Observation::TurnStart { step: 1 });
    a.hear_a("event").await;
    b.hear_a("event").await;
}

#[tokio::test(start_paused = true)]
async fn a_new_one_that_does_not_get_up_counts_as_a_crash() {
    let mut rig = Rig::new(vec![seat()]);
    drop(rig.joined("a", &frames()).await);
    gone(&mut rig).await;
    for wait in [1, 2, 4, 8] {
        let start = Instant::now();
        remark(&mut rig).await;
        took(start, s(wait));
        rig.meet("a").await.write(b"oh no\n").await;
        assert!(matches!(rig.next_news().await, News::Failed { .. }));
    }
    assert!(remark(&mut rig).await.contains("not started again"));
}

#[tokio::test(start_paused = true)]
async fn whoever_never_took_part_is_not_started_again() {
    let mut rig = Rig::new(vec![seat()]);
    rig.meet("a").await.write(b"oh no\n").await;
    assert!(matches!(rig.next_news().await, News::Failed { .. }));
    tokio::time::sleep(s(100)).await;
    assert_eq!(rig.waiting_news(), []);
    assert!(matches!(rig.state("a"), State::Failed(_)));
}

#[tokio::test(start_paused = true)]
async fn stopping_ends_the_wait_for_the_next_start() {
    let mut rig = Rig::new(vec![seat()]);
    drop(rig.joined("a", &frames()).await);
    gone(&mut rig).await;
    let start = Instant::now();
    rig.host.stop().await;
    assert_eq!(start.elapsed(), ms(0));
    assert_eq!(rig.waiting_news(), []);
}
