//! Listeners that do not answer, and what their silence counts as.

use serde_json::Value;
use zeug_hook::{Did, OnFailure, Silence, Verdict};

use crate::kit::*;

/// A guest with one subscription and, behind it, one that agrees to everything.
async fn rig(item: Value, users: Option<OnFailure>) -> (Rig, Far, Far) {
    let mut rig = Rig::new(vec![
        Seat {
            on_failure: users,
            ..Seat::new("a")
        },
        Seat::new("b"),
    ]);
    let moment = item.get("name").unwrap_or(&item).clone();
    let subscribe = |item: Value| json!({"type": "subscribe", "intercept": [item]});
    let a = rig.joined("a", &[subscribe(item)]).await;
    let b = rig.joined("b", &[subscribe(moment)]).await;
    (rig, a, b)
}

/// A subscription of `tool_call` with this word.
fn on_failure(word: &str) -> Value {
    json!({"name": "tool_call", "on_failure": word})
}

#[tokio::test(start_paused = true)]
async fn silence_counts_as_no_opinion_after_5_s() {
    for item in [json!("tool_call"), on_failure("allow")] {
        let (rig, _a, mut b) = rig(item, None).await;
        let start = Instant::now();
        let chain = rig.ask_tool("bash", "{}");
        b.opine("tool_call", json!({})).await;
        took(start, s(5));
        let out = chain.await.unwrap();
        assert_eq!(out.verdict, Verdict::Pass);
        assert_eq!(out.steps[0].did, Did::Failed(Silence::TimedOut(s(5))));
        assert_eq!(out.steps[0].took.as_secs(), 5);
        assert_eq!(out.steps[1].did, Did::Kept);
        // Its author can read of it, once.
        let chain = rig.ask_tool("bash", "{}");
        b.opine("tool_call", json!({})).await;
        chain.await.unwrap();
        let remarks = rig.report("a").diagnostics;
        let remark = "event_intercept tool_call: no answer within 5s";
        assert_eq!(remarks, [remark]);
    }
}

#[tokio::test(start_paused = true)]
async fn silence_may_count_as_a_refusal() {
    let (rig, _a, mut b) = rig(on_failure("block"), None).await;
    let start = Instant::now();
    let out = rig.ask_tool("bash", "{}").await.unwrap();
    took(start, s(5));
    let Verdict::Refused { extension, reason } = out.verdict else {
        panic!("not refused")
    };
    assert_eq!(extension, "a");
    assert_eq!(reason, "extension a did not answer: no answer within 5s");
    b.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn silence_may_ask_the_user_unless_somebody_refuses() {
    let (rig, _a, mut b) = rig(on_failure("ask"), None).await;
    let chain = rig.ask_tool("bash", "{}");
    b.opine("tool_call", json!({})).await;
    assert!(
        matches!(&chain.await.unwrap().verdict, Verdict::Ask { extension, .. } if extension == "a")
    );
    let chain = rig.ask_tool("bash", "{}");
    b.opine("tool_call", json!({"block": true, "reason": "no"}))
        .await;
    let refused = Verdict::Refused {
        extension: "b".into(),
        reason: "no".into(),
    };
    assert_eq!(chain.await.unwrap().verdict, refused);
}

#[tokio::test(start_paused = true)]
async fn the_first_of_two_silences_is_what_the_user_is_asked_about() {
    let mut rig = Rig::of(&["a", "b"]);
    let subscribe = json!({"type": "subscribe", "intercept": [on_failure("ask")]});
    let _a = rig.joined("a", std::slice::from_ref(&subscribe)).await;
    let _b = rig.joined("b", &[subscribe]).await;
    let out = rig.ask_tool("bash", "{}").await.unwrap();
    assert_eq!(out.steps.len(), 2);
    assert!(matches!(out.verdict, Verdict::Ask { extension, .. } if extension == "a"));
}

#[tokio::test(start_paused = true)]
async fn the_users_word_wins_over_the_subscription_in_both_directions() {
    let check = async |own: &str, users: OnFailure, expect: &str| {
        let (rig, _a, b) = rig(on_failure(own), Some(users)).await;
        drop(b);
        let out = rig.ask_tool("bash", "{}").await.unwrap();
        let verdict = match out.verdict {
            Verdict::Pass => "pass",
            Verdict::Refused { .. } => "refused",
            Verdict::Ask { .. } => "ask",
        };
        assert_eq!(verdict, expect, "{own} under {users:?}");
    };
    check("allow", OnFailure::Block, "refused").await;
    check("allow", OnFailure::Ask, "ask").await;
    check("block", OnFailure::Allow, "pass").await;
    check("block", OnFailure::Ask, "ask").await;
    check("ask", OnFailure::Block, "refused").await;
    let (rig, _a, _b) = rig(json!("tool_call"), Some(OnFailure::Block)).await;
    let out = rig.ask_tool("bash", "{}").await.unwrap();
    assert!(
        matches!(out.verdict, Verdict::Refused { .. }),
        "plain strings too"
    );
}

#[tokio::test(start_paused = true)]
async fn an_unreadable_answer_with_an_id_fails_at_once() {
    for (fields, part) in [
        (json!({"block": "perhaps"}), "expected a boolean"),
        (json!({"reason": 7}), "expected a string"),
        (
            json!({"modified_args": "[]", "replace_text": {}}),
            "expected a string",
        ),
    ] {
        let (rig, mut a, mut b) = rig(json!("tool_call"), None).await;
        let start = Instant::now();
        let chain = rig.ask_tool("bash", "{}");
        a.opine("tool_call", fields).await;
        b.opine("tool_call", json!({})).await;
        assert_eq!(start.elapsed(), ms(0));
        let out = chain.await.unwrap();
        let Did::Failed(Silence::Nonsense(why)) = &out.steps[0].did else {
            panic!("{:?}", out.steps)
        };
        assert!(why.contains("bad event_intercept_response frame"), "{why}");
        assert!(why.contains(part), "{why}");
        rig.diagnostic("a", "bad event_intercept_response frame");
    }
}

#[tokio::test(start_paused = true)]
async fn half_a_surrogate_pair_in_an_answer_fails_it_at_once() {
    let (rig, mut a, _b) = rig(on_failure("block"), None).await;
    let start = Instant::now();
    let chain = rig.ask_tool("bash", "{}");
    let question = a.hear_a("event_intercept").await;
    let id = question["id"].as_str().unwrap();
    a.line(&format!(
        r#"{{"type":"event_intercept_response","id":"{id}","modified_args":{{"x":"\ud800"}}}}"#
    ))
    .await;
    let out = chain.await.unwrap();
    assert_eq!(start.elapsed(), ms(0));
    assert!(matches!(out.verdict, Verdict::Refused { .. }));
}

#[tokio::test(start_paused = true)]
async fn an_answer_of_another_kind_fails_at_once() {
    let (rig, mut a, mut b) = rig(json!("tool_call"), None).await;
    let start = Instant::now();
    let chain = rig.ask_tool("bash", "{}");
    let question = a.hear_a("event_intercept").await;
    a.answer(&question, "a tool's answer").await;
    b.opine("tool_call", json!({})).await;
    assert_eq!(start.elapsed(), ms(0));
    let out = chain.await.unwrap();
    assert!(matches!(
        &out.steps[0].did,
        Did::Failed(Silence::Nonsense(_))
    ));
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_read_and_has_no_id_is_waited_for() {
    let (rig, mut a, mut b) = rig(json!("tool_call"), None).await;
    let start = Instant::now();
    let chain = rig.ask_tool("bash", "{}");
    a.hear_a("event_intercept").await;
    a.line(r#"{"type":"event_intercept_response","block":tr"#)
        .await;
    b.opine("tool_call", json!({})).await;
    took(start, s(5));
    assert_eq!(chain.await.unwrap().verdict, Verdict::Pass);
}

#[tokio::test(start_paused = true)]
async fn a_late_answer_is_nothing() {
    let (mut rig, mut a, mut b) = rig(json!("tool_call"), None).await;
    let chain = rig.ask_tool("bash", "{}");
    let late = a.hear_a("event_intercept").await;
    b.opine("tool_call", json!({})).await;
    chain.await.unwrap();
    a.reply(&late, json!({"block": true})).await;
    rig.caught_up(&mut a).await;
    let remarks = rig.report("a").diagnostics;
    assert_eq!(remarks, ["event_intercept tool_call: no answer within 5s"]);
    let chain = rig.ask_tool("bash", "{}");
    a.opine("tool_call", json!({})).await;
    b.opine("tool_call", json!({})).await;
    assert_eq!(chain.await.unwrap().verdict, Verdict::Pass);
}

#[tokio::test(start_paused = true)]
async fn whoever_goes_while_asked_has_failed_with_the_cause() {
    for (word, verdict) in [("allow", "pass"), ("block", "refused"), ("ask", "ask")] {
        let (rig, mut a, mut b) = rig(on_failure(word), None).await;
        let start = Instant::now();
        let chain = rig.ask_tool("bash", "{}");
        a.hear_a("event_intercept").await;
        drop(a);
        if word != "block" {
            b.opine("tool_call", json!({})).await;
        }
        let out = chain.await.unwrap();
        assert!(start.elapsed() <= ms(110), "{:?}", start.elapsed());
        assert!(
            matches!(&out.steps[0].did, Did::Failed(Silence::Gone(why)) if why.contains("closed its stdout"))
        );
        let got = match out.verdict {
            Verdict::Pass => "pass",
            Verdict::Refused { .. } => "refused",
            Verdict::Ask { .. } => "ask",
        };
        assert_eq!(got, verdict);
        assert_eq!(rig.board.tool_call.snapshot().len(), 1, "only b is left");
    }
}

#[tokio::test(start_paused = true)]
async fn a_second_look_that_fails_counts_as_any_failure() {
    let (rig, mut a, mut b) = rig(on_failure("block"), None).await;
    let chain = rig.ask_tool("bash", r#"{"n":0}"#);
    a.opine("tool_call", json!({})).await;
    b.opine("tool_call", json!({"modified_args": {"n": 1}}))
        .await;
    let out = chain.await.unwrap();
    assert!(matches!(out.verdict, Verdict::Refused { .. }));
    assert!(out.steps[2].again);
}

#[tokio::test(start_paused = true)]
async fn a_turn_or_a_message_is_refused_by_silence_where_it_counts_as_that() {
    let item = json!({"name": "turn_start", "on_failure": "block"});
    let (rig, _a, _b) = rig(item, None).await;
    let out = rig.ask_turn(1).await.unwrap();
    assert!(matches!(out.verdict, Verdict::Refused { .. }));
    let item = json!({"name": "assistant_message", "on_failure": "block"});
    let (rig, _a, _b) = self::rig(item, None).await;
    let out = rig.ask_message("hi").await.unwrap();
    assert!(matches!(out.verdict, Verdict::Refused { .. }));
}

#[tokio::test(start_paused = true)]
async fn a_system_prompt_goes_on_to_the_next_whatever_silence_counts_as() {
    for word in ["allow", "block", "ask"] {
        let item = json!({"name": "before_agent_start", "on_failure": word});
        let (rig, _a, mut b) = rig(item, None).await;
        let chain = rig.ask_agent("Be kind.");
        let heard = tokio::time::timeout(s(10), b.hear()).await;
        let question = heard.expect("b was not asked");
        b.reply(&question, json!({"system_prompt": "Be terse."}))
            .await;
        let out = chain.await.unwrap();
        assert_eq!((out.verdict, &*out.value), (Verdict::Pass, "Be terse."));
    }
}
