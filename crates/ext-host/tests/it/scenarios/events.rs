//! Who gets which events, in which order, and what becomes of those who do not read them.

use serde_json::Value;
use zeug_hook::Observation;

use crate::kit::*;

fn subscribe(events: Value) -> Value {
    json!({"type": "subscribe", "events": events})
}

fn step(step: u32) -> Observation {
    Observation::TurnStart { step }
}

#[tokio::test(start_paused = true)]
async fn only_subscribers_get_an_event() {
    let mut rig = Rig::of(&["a", "b", "c"]);
    let mut a = rig.joined("a", &[subscribe(json!(["turn_start"]))]).await;
    let mut b = rig.joined("b", &[subscribe(json!(["turn_end"]))]).await;
    let mut c = rig.joined("c", &[]).await;
    rig.board.announce(&step(1));
    assert_eq!(a.hear_a("event").await["step"], 1);
    a.hear_nothing(s(1)).await;
    b.hear_nothing(s(1)).await;
    c.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn subscribing_twice_brings_no_event_twice() {
    let mut rig = Rig::of(&["a"]);
    let twice = [
        subscribe(json!(["turn_start", "turn_start"])),
        subscribe(json!(["turn_start", "turn_end"])),
    ];
    let mut a = rig.joined("a", &twice).await;
    rig.board.announce(&step(1));
    a.hear_a("event").await;
    a.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn subscriptions_add_up() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[subscribe(json!(["turn_start"]))]).await;
    for more in [json!(["turn_end", "turn_start"]), json!([])] {
        a.say(subscribe(more)).await;
    }
    a.say(json!({"type": "subscribe", "intercept": ["turn_start"]}))
        .await;
    rig.caught_up(&mut a).await;
    rig.board.announce(&step(1));
    assert_eq!(a.hear_a("event").await["step"], 1);
    rig.board.announce(&Observation::TurnEnd {
        stop: zeug_transcript::StopReason::EndTurn,
        error: None,
    });
    assert_eq!(a.hear_a("event").await["event"], "turn_end");
    let chain = rig.ask_turn(2);
    a.opine("turn_start", json!({})).await;
    chain.await.unwrap();
    a.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn the_sequence_counts_all_events_also_those_that_nobody_wants() {
    let mut rig = Rig::of(&["a", "b"]);
    rig.board.announce(&Observation::SessionStart);
    let mut a = rig.joined("a", &[subscribe(json!(["turn_start"]))]).await;
    let wanted = json!(["turn_start", "session_start"]);
    let mut b = rig.joined("b", &[subscribe(wanted)]).await;
    rig.board.announce(&step(1));
    rig.board.announce(&Observation::SessionStart);
    rig.board
        .announce(&Observation::SessionEnd { reason: "shutdown" });
    rig.board.announce(&step(2));
    for (far, expect) in [(&mut a, &[2, 5][..]), (&mut b, &[2, 3, 5])] {
        for n in expect {
            assert_eq!(far.hear_a("event").await["sequence"], *n);
        }
        far.hear_nothing(s(1)).await;
    }
}

#[test]
fn the_sequence_rises_also_when_two_announce_at_once() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut rig = Rig::of(&["a"]);
        let mut a = rig.meet("a").await;
        a.join("a", &[subscribe(json!(["turn_start"]))]).await;
        rig.host.settled().await;
        for _ in 0..50 {
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| (0..50).for_each(|n| rig.board.announce(&step(n))));
                }
            });
            let mut last = 0;
            for _ in 0..100 {
                let sequence = a.hear_a("event").await["sequence"].as_u64().unwrap();
                assert!(sequence > last, "{sequence} came after {last}");
                last = sequence;
            }
        }
    });
}

#[tokio::test(start_paused = true)]
async fn an_event_arrives_before_the_question_about_the_same_thing() {
    let mut rig = Rig::of(&["a"]);
    let both = json!({"type": "subscribe", "events": ["turn_start", "tool_call"],
        "intercept": ["turn_start", "tool_call"]});
    let tool = json!({"type": "register_tool", "name": "look"});
    let mut a = rig.joined("a", &[both, tool]).await;
    for n in 1..20 {
        rig.board.announce(&step(n));
        let chain = rig.ask_turn(n);
        tokio::task::yield_now().await;
        let call = rig.call("look", "{}");
        tokio::task::yield_now().await;
        rig.board.announce(&step(n + 100));
        assert_eq!(a.hear_a("event").await["step"], n);
        a.opine("turn_start", json!({})).await;
        let frame = a.hear_a("tool_call").await;
        assert_eq!(a.hear_a("event").await["step"], n + 100);
        a.answer(&frame, "x").await;
        call.outcome().await;
        chain.await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn the_257th_waiting_frame_disconnects_a_deaf_guest_and_nobody_else() {
    let deaf = Seat {
        pipe_bytes: 16,
        ..Seat::new("deaf")
    };
    let mut rig = Rig::new(vec![deaf, Seat::new("a"), Seat::new("b")]);
    let events = subscribe(json!(["turn_start"]));
    let tool = json!({"type": "register_tool", "name": "shout"});
    let _deaf = rig.joined("deaf", &[events.clone(), tool]).await;
    let mut a = rig.joined("a", std::slice::from_ref(&events)).await;
    let mut b = rig.joined("b", &[events]).await;
    let start = Instant::now();
    let call = rig.call("shout", "{}");
    tokio::task::yield_now().await;
    tokio::task::yield_now().await;
    // The call is in flight; so many may wait behind it.
    for n in 1..=256 {
        rig.board.announce(&step(n));
        assert_eq!(a.hear_a("event").await["step"], n);
        assert_eq!(b.hear_a("event").await["step"], n);
    }
    assert_eq!(rig.state("deaf"), State::Ready("ready"));
    rig.board.announce(&step(257));
    let outcome = call.outcome().await;
    let said = text(&outcome);
    assert!(said.contains("does not keep up with reading"), "{said}");
    let News::Gone { extension, message } = rig.next_news().await else {
        panic!("other news")
    };
    assert_eq!(extension, "deaf");
    assert!(message.contains("256 frames"), "{message}");
    rig.board.announce(&step(258));
    for far in [&mut a, &mut b] {
        assert_eq!(far.hear_a("event").await["step"], 257);
        assert_eq!(far.hear_a("event").await["step"], 258);
    }
    assert_eq!(start.elapsed(), ms(0), "nobody waited");
    assert_eq!(rig.waiting_news(), [], "told once");
}

#[tokio::test(start_paused = true)]
async fn what_is_told_is_what_holds_at_that_moment() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[subscribe(json!(["turn_start"]))]).await;
    let mut now = facts();
    now.session_id = "s-2".to_owned();
    now.cwd = "/elsewhere".to_owned();
    rig.host.set_facts(now);
    rig.board.announce(&step(1));
    let event = a.hear_a("event").await;
    assert_eq!(event["session_id"], "s-2");
    assert_eq!(event["cwd"], "/elsewhere");
}

#[tokio::test(start_paused = true)]
async fn a_flood_waits_for_whoever_reads() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[subscribe(json!(["turn_start"]))]).await;
    let board = std::sync::Arc::clone(&rig.board);
    let flood = tokio::spawn(async move {
        for n in 1..=3000 {
            board.room().await;
            board.announce(&step(n));
        }
    });
    for n in 1..=3000 {
        assert_eq!(a.hear_a("event").await["step"], n);
    }
    flood.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_long_for_whoever_does_not_read() {
    let mut rig = Rig::new(vec![Seat {
        pipe_bytes: 64,
        ..Seat::new("a")
    }]);
    let _deaf = rig.joined("a", &[subscribe(json!(["turn_start"]))]).await;
    let start = Instant::now();
    for n in 1..=3000 {
        rig.board.room().await;
        rig.board.announce(&step(n));
    }
    // All in all, and not for each event.
    assert!(start.elapsed() <= s(2) + ms(10), "{:?}", start.elapsed());
    until("it is gone", || matches!(rig.state("a"), State::Gone(_))).await;
}
