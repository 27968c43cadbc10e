//! The questions of the four moments, and what every answer to them means.

use serde_json::Value;
use zeug_hook::{Did, Verdict};

use crate::kit::*;

async fn rig(moment: &str) -> (Rig, Far) {
    let mut rig = Rig::of(&["a"]);
    let subscribe = json!({"type": "subscribe", "intercept": [moment]});
    let a = rig.joined("a", &[subscribe]).await;
    (rig, a)
}

/// The line of a question, after its id.
fn after_id(line: &str) -> &str {
    let start = r#"{"type":"event_intercept","id":"ask-"#;
    let rest = line.strip_prefix(start).expect(line);
    rest.trim_start_matches(|c: char| c.is_ascii_digit())
}

fn refused(reason: &str) -> Verdict {
    Verdict::Refused {
        extension: "a".to_owned(),
        reason: reason.to_owned(),
    }
}

#[tokio::test(start_paused = true)]
async fn the_four_questions_read_like_this() {
    let (rig, mut a) = rig("tool_call").await;
    let chain = rig.ask_tool("bash", r#"{ "command": "ls" }"#);
    assert_eq!(
        after_id(&a.hear_line().await),
        r#"","event":"tool_call","tool_id":"toolu_1","tool_name":"bash","tool_args":{"command":"ls"}}"#
    );
    chain.abort();

    let (rig, mut a) = self::rig("turn_start").await;
    let chain = rig.ask_turn(2);
    assert_eq!(
        after_id(&a.hear_line().await),
        r#"","event":"turn_start","step":2}"#
    );
    chain.abort();

    let (rig, mut a) = self::rig("assistant_message").await;
    let chain = rig.ask_message("one\ntwo");
    assert_eq!(
        after_id(&a.hear_line().await),
        r#"","event":"assistant_message","text":"one\ntwo"}"#
    );
    chain.abort();

    let (rig, mut a) = self::rig("before_agent_start").await;
    let chain = rig.ask_agent("Be kind.");
    assert_eq!(
        after_id(&a.hear_line().await),
        r#"","event":"before_agent_start","session_id":"s-1","agent_run_id":"r-1","cwd":"/project","provider":"puppet","model":"puppet-1","system_prompt":"Be kind."}"#
    );
    chain.abort();
}

#[tokio::test(start_paused = true)]
async fn a_call_that_an_extension_started_is_asked_about_with_its_origin() {
    let (rig, mut a) = rig("tool_call").await;
    let mut facts = tool_facts("bash");
    facts.origin_extension = Some("b".to_owned());
    let chain = zeug_hook::Chain::of(&rig.board.tool_call, &facts);
    let args = zeug_stdx::json::RawJson::empty_object();
    let chain = tokio::spawn(async move { chain.run(&facts, args).await });
    let question = a.opine("tool_call", json!({})).await;
    assert_eq!(question["origin_extension"], "b");
    assert_eq!(chain.await.unwrap().verdict, Verdict::Pass);
}

/// What becomes of `{"command":"ls"}` with this answer: the verdict and the arguments.
async fn tool_call(answer: Value) -> (Verdict, String, Did) {
    let (rig, mut a) = rig("tool_call").await;
    let chain = rig.ask_tool("bash", r#"{"command":"ls"}"#);
    a.opine("tool_call", answer).await;
    let out = chain.await.unwrap();
    assert_eq!(out.steps.len(), 1);
    (
        out.verdict,
        out.value.get().to_owned(),
        out.steps[0].did.clone(),
    )
}

#[tokio::test(start_paused = true)]
async fn tool_call_may_be_refused_or_rewritten() {
    let same = r#"{"command":"ls"}"#;
    let check = async |answer: Value, verdict: Verdict, args: &str, did: Did| {
        let shown = answer.to_string();
        assert_eq!(
            tool_call(answer).await,
            (verdict, args.to_owned(), did),
            "{shown}"
        );
    };
    check(json!({}), Verdict::Pass, same, Did::Kept).await;
    check(
        json!({"block": false, "reason": "x"}),
        Verdict::Pass,
        same,
        Did::Kept,
    )
    .await;
    check(json!({"block": null}), Verdict::Pass, same, Did::Kept).await;
    check(
        json!({"block": true, "reason": "no pushes", "modified_args": {}}),
        refused("no pushes"),
        same,
        Did::Refused("no pushes".into()),
    )
    .await;
    let default = "tool call refused by extension guard";
    for reason in [
        json!({"block": true}),
        json!({"block": true, "reason": " "}),
    ] {
        check(reason, refused(default), same, Did::Refused(default.into())).await;
    }
    check(
        json!({"modified_args": {"command": "ls -la", "timeout": 30}}),
        Verdict::Pass,
        r#"{"command":"ls -la","timeout":30}"#,
        Did::Changed,
    )
    .await;
    check(
        json!({"modified_args": {"command": "ls"}}),
        Verdict::Pass,
        same,
        Did::Kept,
    )
    .await;
    check(
        json!({"modified_args": null}),
        Verdict::Pass,
        same,
        Did::Kept,
    )
    .await;
    check(
        json!({"replace_text": "x", "context": "y", "system_prompt": "z"}),
        Verdict::Pass,
        same,
        Did::Kept,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn arguments_that_are_no_object_are_a_failed_answer() {
    for args in [json!([1]), json!("ls"), json!(7), json!(true)] {
        let (verdict, value, did) = tool_call(json!({"modified_args": args})).await;
        assert_eq!(verdict, Verdict::Pass);
        assert_eq!(value, r#"{"command":"ls"}"#);
        assert!(
            matches!(&did, Did::Failed(why) if why.to_string().contains("modified_args must be a JSON object")),
            "{did:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn turn_start_may_be_refused_or_given_context() {
    let check = async |answer: Value, verdict: Verdict, context: &str| {
        let (rig, mut a) = rig("turn_start").await;
        let chain = rig.ask_turn(1);
        a.opine("turn_start", answer).await;
        let out = chain.await.unwrap();
        assert_eq!((out.verdict, out.value.as_str()), (verdict, context));
    };
    check(json!({}), Verdict::Pass, "").await;
    check(
        json!({"context": "Branch: main"}),
        Verdict::Pass,
        "[a]\nBranch: main",
    )
    .await;
    check(json!({"context": " \n"}), Verdict::Pass, "").await;
    // Nothing here can be rewritten.
    check(
        json!({"modified_args": {"step": 7}, "replace_text": "x", "system_prompt": "y"}),
        Verdict::Pass,
        "",
    )
    .await;
    check(
        json!({"block": true, "reason": "quota", "context": "x"}),
        refused("quota"),
        "",
    )
    .await;
    check(
        json!({"block": true}),
        refused("turn blocked by extension guard"),
        "",
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_assistant_message_may_be_replaced_or_suppressed() {
    let check = async |answer: Value, verdict: Verdict, shown: &str| {
        let (rig, mut a) = rig("assistant_message").await;
        let chain = rig.ask_message("the key is sk-1");
        a.opine("assistant_message", answer).await;
        let out = chain.await.unwrap();
        assert_eq!((out.verdict, out.value.as_str()), (verdict, shown));
    };
    let same = "the key is sk-1";
    check(json!({}), Verdict::Pass, same).await;
    check(
        json!({"replace_text": "[redacted]"}),
        Verdict::Pass,
        "[redacted]",
    )
    .await;
    check(json!({"replace_text": ""}), Verdict::Pass, same).await;
    check(
        json!({"block": true, "reason": "secret"}),
        refused("secret"),
        same,
    )
    .await;
    check(
        json!({"block": true, "replace_text": "x"}),
        refused("message withheld by an extension"),
        same,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_system_prompt_may_be_replaced_or_removed_but_never_refused() {
    let check = async |answer: Value, prompt: &str| {
        let (rig, mut a) = rig("before_agent_start").await;
        let chain = rig.ask_agent("Be kind.");
        a.opine("before_agent_start", answer).await;
        let out = chain.await.unwrap();
        assert_eq!((out.verdict, &*out.value), (Verdict::Pass, prompt));
    };
    check(json!({}), "Be kind.").await;
    check(json!({"system_prompt": null}), "Be kind.").await;
    check(json!({"system_prompt": "Be terse."}), "Be terse.").await;
    check(json!({"system_prompt": ""}), "").await;
    check(json!({"block": true, "reason": "no"}), "Be kind.").await;
    check(
        json!({"block": true, "system_prompt": "Be terse."}),
        "Be terse.",
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_system_prompt_that_is_no_text_keeps_what_was_there() {
    for wrong in [
        json!(7),
        json!(["Be terse."]),
        json!({"text": "x"}),
        json!(true),
    ] {
        let (rig, mut a) = rig("before_agent_start").await;
        let chain = rig.ask_agent("Be kind.");
        a.opine("before_agent_start", json!({"system_prompt": wrong}))
            .await;
        let out = chain.await.unwrap();
        assert_eq!((out.verdict, &*out.value), (Verdict::Pass, "Be kind."));
        assert!(matches!(out.steps[0].did, Did::Failed(_)), "{wrong}");
        rig.diagnostic("a", "bad event_intercept_response frame");
    }
}

#[tokio::test(start_paused = true)]
async fn a_system_prompt_over_1_mib_encoded_is_a_failed_answer() {
    const MOST: usize = 1024 * 1024;
    let check = async |prompt: String, kept: bool| {
        let (rig, mut a) = rig("before_agent_start").await;
        let chain = rig.ask_agent("Be kind.");
        a.opine("before_agent_start", json!({"system_prompt": prompt}))
            .await;
        let out = chain.await.unwrap();
        assert_eq!(*out.value == *"Be kind.", kept);
        assert_eq!(matches!(out.steps[0].did, Did::Failed(_)), kept);
        let remarks = rig.report("a").diagnostics;
        assert_eq!(remarks.len(), usize::from(kept), "{remarks:?}");
        assert!(remarks.iter().all(|remark| remark.contains("1 MiB")));
    };
    check("x".repeat(MOST - 2), false).await;
    check("x".repeat(MOST - 1), true).await;
    // Each takes two bytes on the wire.
    check("\"".repeat(MOST / 2 - 1), false).await;
    check("\"".repeat(MOST / 2), true).await;
}
