//! What extensions are told of the session, and what they are given back there.

use std::collections::BTreeMap;

use serde_json::Value;
use zeug_ext_host::{Boundary, Facts, Session};
use zeug_hook::{Agent, Chain, Observation};
use zeug_stdx::json::RawJson;

use crate::kit::*;

const EVENTS: [&str; 5] = [
    "session_start",
    "session_opened",
    "session_switched",
    "session_forked",
    "session_compacted",
];

fn subscribe() -> Value {
    json!({"type": "subscribe", "events": EVENTS})
}

fn on(branch: &str) -> Facts {
    Facts {
        session: Some(Session {
            id: branch.to_owned(),
            path: Some("/sessions/s-1.jsonl".to_owned()),
            ..Session::default()
        }),
        ..facts()
    }
}

fn states(of: &[(&str, &str)]) -> BTreeMap<String, RawJson> {
    let one = |(name, state): &(&str, &str)| {
        let state = RawJson::parse((*state).to_owned()).unwrap();
        ((*name).to_owned(), state)
    };
    of.iter().map(one).collect()
}

/// The next event, which must be this one of this branch.
async fn hear(far: &mut Far, event: &str, branch: &str) -> Value {
    let frame = far.hear_a("event").await;
    assert_eq!(frame["event"], event, "{frame}");
    assert_eq!(frame["session"]["id"], branch, "{frame}");
    frame
}

#[tokio::test(start_paused = true)]
async fn the_session_follows_the_start_with_the_state_of_whoever_hears_of_it() {
    let mut rig = Rig::of(&["a", "b", "c"]);
    let remembered = states(&[("a", r#"{"n":1}"#), ("c", "3")]);
    rig.host.session(Boundary::Opened, on("b-1"), remembered);
    let mut a = rig.joined("a", &[subscribe()]).await;
    let mut b = rig.joined("b", &[subscribe()]).await;
    let mut c = rig.joined("c", &[]).await;
    a.hear_nothing(s(1)).await;
    rig.board.announce(&Observation::SessionStart);
    for (far, state) in [(&mut a, json!({"n": 1})), (&mut b, Value::Null)] {
        let start = hear(far, "session_start", "b-1").await;
        assert_eq!(start["state"], state);
        let opened = hear(far, "session_opened", "b-1").await;
        assert_eq!(opened["state"], state);
        assert_eq!(opened["session"]["path"], "/sessions/s-1.jsonl");
        assert_eq!(opened["session_id"], "s-1");
    }
    c.hear_nothing(s(1)).await;
    rig.board.announce(&Observation::SessionStart);
    hear(&mut a, "session_start", "b-1").await;
    a.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn the_ack_names_the_session_without_a_state() {
    let mut rig = Rig::of(&["a"]);
    let remembered = states(&[("a", "1")]);
    rig.host.session(Boundary::Opened, on("b-1"), remembered);
    let mut a = rig.meet("a").await;
    a.hello("a").await;
    let ack = a.hear_a("hello_ack").await;
    assert_eq!(ack["session"]["id"], "b-1");
    assert_eq!(ack["state"], Value::Null);
}

#[tokio::test(start_paused = true)]
async fn whoever_is_late_hears_of_the_session_when_it_is_ready() {
    let mut rig = Rig::of(&["a"]);
    rig.host
        .session(Boundary::Opened, on("b-1"), BTreeMap::new());
    rig.board.announce(&Observation::SessionStart);
    rig.host
        .session(Boundary::Switched, on("b-2"), states(&[("a", "2")]));
    let mut a = rig.joined("a", &[subscribe()]).await;
    assert_eq!(hear(&mut a, "session_opened", "b-2").await["state"], 2);
    a.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn each_boundary_has_its_event_and_each_listener_its_own_state() {
    let mut rig = Rig::of(&["a", "b"]);
    let mut a = rig.joined("a", &[subscribe()]).await;
    let mut b = rig.joined("b", &[subscribe()]).await;
    rig.host
        .session(Boundary::Opened, on("b-1"), BTreeMap::new());
    rig.board.announce(&Observation::SessionStart);
    for far in [&mut a, &mut b] {
        hear(far, "session_start", "b-1").await;
        hear(far, "session_opened", "b-1").await;
    }
    for (boundary, events) in [
        (Boundary::Switched, &["session_switched"][..]),
        (Boundary::Forked, &["session_forked", "session_switched"]),
        (Boundary::Compacted, &["session_compacted"]),
    ] {
        let remembered = states(&[("a", "1"), ("b", r#""two""#)]);
        rig.host.session(boundary, on("b-2"), remembered);
        let mut last = 0;
        for event in events {
            let frame = hear(&mut a, event, "b-2").await;
            assert_eq!(frame["state"], 1);
            assert_eq!(hear(&mut b, event, "b-2").await["state"], "two");
            let sequence = frame["sequence"].as_u64().unwrap();
            assert!(sequence > last);
            last = sequence;
        }
    }
    a.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn whoever_is_started_again_is_given_what_it_remembered_last() {
    let seat = Seat {
        restart_on_crash: true,
        ..Seat::new("a")
    };
    let mut rig = Rig::new(vec![seat]);
    let first = rig.joined("a", &[subscribe()]).await;
    rig.host
        .session(Boundary::Opened, on("b-1"), states(&[("a", "1")]));
    rig.board.announce(&Observation::SessionStart);
    rig.host.remember(states(&[("a", "2")]));
    drop(first);
    let mut again = rig.joined("a", &[subscribe()]).await;
    assert_eq!(hear(&mut again, "session_opened", "b-1").await["state"], 2);
}

#[tokio::test(start_paused = true)]
async fn a_guard_is_told_in_which_sub_agent_it_is_asked() {
    let mut rig = Rig::of(&["a"]);
    let intercept = json!({"type": "subscribe",
        "intercept": ["tool_call", "turn_start", "assistant_message", "before_agent_start"]});
    let mut a = rig.joined("a", &[intercept]).await;
    let agent = Agent {
        agent_id: "ag-1".to_owned(),
        agent_run_id: "run-1".to_owned(),
        name: "scout".to_owned(),
        depth: 1,
    };
    let within = Some(std::sync::Arc::new(agent));
    let facts = tool_facts("bash");
    let chain = Chain::of(&rig.board.tool_call, &facts).within(within.clone());
    let asked = tokio::spawn(async move { chain.run(&facts, RawJson::empty_object()).await });
    let question = a.opine("tool_call", json!({})).await;
    assert_eq!(question["agent_id"], "ag-1");
    assert_eq!(question["agent_run_id"], "run-1");
    assert_eq!(question["depth"], 1);
    asked.await.unwrap();

    let facts = agent_facts();
    let chain = Chain::of(&rig.board.before_agent_start, &facts).within(within);
    let asked = tokio::spawn(async move { chain.run(&facts, "be brief".into()).await });
    let question = a.opine("before_agent_start", json!({})).await;
    assert_eq!(question["agent_run_id"], "r-1", "the preparation's own");
    assert_eq!(question["depth"], 1);
    asked.await.unwrap();

    let main = rig.ask_turn(1);
    let question = a.opine("turn_start", json!({})).await;
    for key in ["agent_id", "agent_run_id", "depth"] {
        assert_eq!(question.get(key), None, "{question}");
    }
    main.await.unwrap();
}
