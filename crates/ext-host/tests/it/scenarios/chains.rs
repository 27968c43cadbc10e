//! Who is asked at a moment, in which order, and how their answers combine.

use serde_json::Value;
use zeug_hook::{Did, Verdict};

use crate::kit::*;

fn intercept(items: Value) -> Value {
    json!({"type": "subscribe", "intercept": items})
}

/// Guests of these names, each subscribed to `tool_call`, joined in another order than the load
/// order.
async fn guests<const N: usize>(names: [&str; N]) -> (Rig, [Far; N]) {
    let mut rig = Rig::of(&names);
    let mut fars = Vec::new();
    for name in names.iter().rev() {
        fars.push(rig.joined(name, &[intercept(json!(["tool_call"]))]).await);
    }
    fars.reverse();
    (rig, <[Far; N]>::try_from(fars).ok().unwrap())
}

#[tokio::test(start_paused = true)]
async fn load_order_holds_whoever_subscribed_first() {
    let (rig, [mut a, mut b, mut c]) = guests(["a", "b", "c"]).await;
    let chain = rig.ask_tool("bash", r#"{"n":0}"#);
    let question = a.hear_a("event_intercept").await;
    b.hear_nothing(ms(10)).await;
    c.hear_nothing(ms(10)).await;
    a.reply(&question, json!({})).await;
    b.opine("tool_call", json!({})).await;
    c.opine("tool_call", json!({})).await;
    let out = chain.await.unwrap();
    let asked: Vec<_> = out.steps.iter().map(|s| s.extension.as_str()).collect();
    assert_eq!(asked, ["a", "b", "c"]);
    assert_eq!(out.verdict, Verdict::Pass);
}

#[tokio::test(start_paused = true)]
async fn the_first_refusal_ends_it() {
    let (rig, [mut a, mut b, mut c]) = guests(["a", "b", "c"]).await;
    let chain = rig.ask_tool("bash", "{}");
    a.opine("tool_call", json!({})).await;
    b.opine("tool_call", json!({"block": true, "reason": "no"}))
        .await;
    let out = chain.await.unwrap();
    assert_eq!(
        out.verdict,
        Verdict::Refused {
            extension: "b".into(),
            reason: "no".into()
        }
    );
    c.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn within_an_extension_priority_decides_and_then_time() {
    let mut rig = Rig::of(&["a", "b"]);
    let item =
        |id: &str, priority: i32| json!({"name": "tool_call", "id": id, "priority": priority});
    let _b = rig.joined("b", &[intercept(json!([item("b9", 9)]))]).await;
    let _a = rig
        .joined(
            "a",
            &[
                intercept(json!([item("a0", 0), item("a5", 5)])),
                intercept(json!([item("a5-later", 5), item("a-1", -1)])),
                intercept(json!(["tool_call"])),
            ],
        )
        .await;
    let listeners = rig.board.tool_call.snapshot();
    let ids: Vec<_> = listeners
        .iter()
        .map(|l| l.meta().id.as_deref().unwrap_or("plain"))
        .collect();
    assert_eq!(ids, ["a5", "a5-later", "a0", "plain", "a-1", "b9"]);
}

#[tokio::test(start_paused = true)]
async fn each_sees_what_those_before_it_made_of_the_arguments() {
    let (rig, [mut a, mut b, mut c]) = guests(["a", "b", "c"]).await;
    let chain = rig.ask_tool("bash", r#"{"n":0}"#);
    a.opine("tool_call", json!({"modified_args": {"n": 1}}))
        .await;
    let seen = b
        .opine("tool_call", json!({"modified_args": {"n": 2}}))
        .await;
    assert_eq!(seen["tool_args"], json!({"n": 1}));
    let seen = c.opine("tool_call", json!({})).await;
    assert_eq!(seen["tool_args"], json!({"n": 2}));
    // Whoever stands before the last rewrite is asked once more, with what will run.
    let seen = a.opine("tool_call", json!({})).await;
    assert_eq!(seen["tool_args"], json!({"n": 2}));
    let out = chain.await.unwrap();
    assert_eq!((out.value.get(), out.changed), (r#"{"n":2}"#, true));
    let again: Vec<_> = out
        .steps
        .iter()
        .map(|s| (s.extension.as_str(), s.again))
        .collect();
    assert_eq!(
        again,
        [("a", false), ("b", false), ("c", false), ("a", true)]
    );
    b.hear_nothing(s(1)).await;
    c.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_second_look_may_refuse_but_not_rewrite() {
    for (answer, verdict) in [
        (json!({"modified_args": {"n": 9}}), Verdict::Pass),
        (
            json!({"block": true, "reason": "not like this"}),
            Verdict::Refused {
                extension: "a".into(),
                reason: "not like this".into(),
            },
        ),
    ] {
        let (rig, [mut a, mut b]) = guests(["a", "b"]).await;
        let chain = rig.ask_tool("bash", r#"{"n":0}"#);
        a.opine("tool_call", json!({})).await;
        b.opine("tool_call", json!({"modified_args": {"n": 1}}))
            .await;
        a.opine("tool_call", answer).await;
        let out = chain.await.unwrap();
        assert_eq!((out.verdict, out.value.get()), (verdict, r#"{"n":1}"#));
        b.hear_nothing(s(1)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_rewrite_by_the_first_needs_no_second_look() {
    let (rig, [mut a, mut b]) = guests(["a", "b"]).await;
    let chain = rig.ask_tool("bash", r#"{"n":0}"#);
    a.opine("tool_call", json!({"modified_args": {"n": 1}}))
        .await;
    b.opine("tool_call", json!({})).await;
    assert_eq!(chain.await.unwrap().steps.len(), 2);
    a.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn match_decides_which_tools_a_listener_is_asked_about() {
    let mut rig = Rig::of(&["a"]);
    let item = json!({"name": "tool_call", "match": ["bash", "mcp_*"]});
    let mut a = rig.joined("a", &[intercept(json!([item]))]).await;
    for tool in ["read", "bash2", "xmcp_a"] {
        let out = rig.ask_tool(tool, "{}").await.unwrap();
        assert_eq!(out.steps.len(), 0, "{tool}");
    }
    for tool in ["bash", "mcp_", "mcp_github_pr"] {
        let chain = rig.ask_tool(tool, "{}");
        let question = a.opine("tool_call", json!({})).await;
        assert_eq!(question["tool_name"], tool);
        chain.await.unwrap();
    }
    a.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn contexts_add_up_under_the_names_of_those_who_gave_them() {
    let mut rig = Rig::of(&["a", "b", "c"]);
    let subscribe = [intercept(json!(["turn_start"]))];
    let mut c = rig.joined("c", &subscribe).await;
    let mut b = rig.joined("b", &subscribe).await;
    let mut a = rig.joined("a", &subscribe).await;
    let chain = rig.ask_turn(1);
    a.opine("turn_start", json!({"context": "one"})).await;
    b.opine("turn_start", json!({})).await;
    c.opine("turn_start", json!({"context": "é".repeat(10_000)}))
        .await;
    let out = chain.await.unwrap();
    assert!(out.value.starts_with("[a]\none\n\n[c]\né"));
    assert!(out.value.ends_with("é\n[extension context truncated]"));
    assert!(out.value.len() <= 16 * 1024 && out.value.len() > 16 * 1024 - 3);
}

#[tokio::test(start_paused = true)]
async fn replacements_of_a_message_chain() {
    let mut rig = Rig::of(&["a", "b"]);
    let subscribe = [intercept(json!(["assistant_message"]))];
    let mut a = rig.joined("a", &subscribe).await;
    let mut b = rig.joined("b", &subscribe).await;
    let chain = rig.ask_message("original");
    a.opine("assistant_message", json!({"replace_text": "one"}))
        .await;
    let seen = b
        .opine("assistant_message", json!({"replace_text": "two"}))
        .await;
    assert_eq!(seen["text"], "one");
    let out = chain.await.unwrap();
    assert_eq!(out.value, "two");
    let did: Vec<_> = out.steps.into_iter().map(|s| s.did).collect();
    assert_eq!(did, [Did::Changed, Did::Changed], "nobody is asked twice");
}

#[tokio::test(start_paused = true)]
async fn one_preparation_is_named_alike_to_everybody() {
    let mut rig = Rig::of(&["a", "b"]);
    let subscribe = [intercept(json!(["before_agent_start"]))];
    let mut a = rig.joined("a", &subscribe).await;
    let mut b = rig.joined("b", &subscribe).await;
    let chain = rig.ask_agent("Be kind.");
    let one = a
        .opine("before_agent_start", json!({"system_prompt": ""}))
        .await;
    let two = b
        .opine("before_agent_start", json!({"system_prompt": "Be terse."}))
        .await;
    assert_eq!(one["agent_run_id"], two["agent_run_id"]);
    assert_eq!(two["system_prompt"], "", "removed is not absent");
    assert_eq!(&*chain.await.unwrap().value, "Be terse.");
}
