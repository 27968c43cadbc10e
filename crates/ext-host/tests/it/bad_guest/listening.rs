//! Interceptions that are answered oddly, late, or not at all.

use std::time::Instant;

use zeug_hook::{Did, Silence, Verdict};

use crate::kit::*;

const EVERYWHERE: &str = "tool_call,turn_start,assistant_message,before_agent_start";

/// Both guests listen everywhere, the bad one with these flags.
async fn listening(flags: &[&str]) -> Option<Scene> {
    let everywhere = ["--intercept", EVERYWHERE];
    let flags = [flags, &everywhere].concat();
    let scene = Scene::with(&flags, &everywhere, limits()).await?;
    Some(scene.settled().await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silence_is_no_opinion_and_the_next_is_asked() {
    let Some(scene) = listening(&["--intercept-silent"]).await else {
        return;
    };
    let silent = Did::Failed(Silence::TimedOut(ms(400)));
    let (tool, turn, message, agent) = tokio::join!(
        scene.rig.ask_tool("bash", "{}"),
        scene.rig.ask_turn(1),
        scene.rig.ask_message("hi"),
        scene.rig.ask_agent("Be kind."),
    );
    scene.good_answers().await;
    let (tool, turn) = (tool.unwrap(), turn.unwrap());
    let (message, agent) = (message.unwrap(), agent.unwrap());
    for steps in [&tool.steps, &turn.steps, &message.steps, &agent.steps] {
        assert_eq!(steps[0].did, silent);
        assert_eq!(
            (steps[1].extension.as_str(), &steps[1].did),
            ("good", &Did::Kept)
        );
    }
    assert_eq!(tool.verdict, Verdict::Pass);
    assert_eq!(message.value, "hi");
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silence_counts_as_the_subscription_says() {
    for (word, refused) in [("block", true), ("ask", false), ("allow", false)] {
        let flags = [
            "--intercept-silent",
            "--on-failure",
            word,
            "--priority",
            "5",
        ];
        let Some(scene) = listening(&flags).await else {
            return;
        };
        let out = scene.rig.ask_tool("bash", "{}").await.unwrap();
        match (word, &out.verdict) {
            ("block", Verdict::Refused { extension, .. })
            | ("ask", Verdict::Ask { extension, .. }) => assert_eq!(extension, "bad"),
            ("allow", Verdict::Pass) => {}
            other => panic!("{other:?}"),
        }
        assert_eq!(out.steps.len() == 1, refused);
        scene.good_answers().await;
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_answer_counts_within_the_deadline_only() {
    for (flags, did) in [
        (["--intercept-slow", "100", "--intercept-block"], true),
        (["--intercept-slow", "900", "--intercept-block"], false),
    ] {
        let Some(scene) = listening(&flags).await else {
            return;
        };
        let chain = scene.rig.ask_tool("bash", "{}");
        scene.good_answers().await;
        let out = chain.await.unwrap();
        assert_eq!(matches!(out.verdict, Verdict::Refused { .. }), did);
        let again = scene.rig.ask_tool("bash", "{}").await.unwrap();
        assert_eq!(again.verdict, out.verdict, "a late answer counts nowhere");
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nonsense_fails_at_once() {
    let Some(scene) = listening(&["--intercept-nonsense", "--on-failure", "block"]).await else {
        return;
    };
    let start = Instant::now();
    let out = scene.rig.ask_tool("bash", "{}").await.unwrap();
    let took = start.elapsed();
    assert!(took < ms(400), "{took:?}");
    assert!(
        matches!(&out.steps[0].did, Did::Failed(Silence::Nonsense(why)) if why.contains("bad event_intercept_response")),
        "{:?}",
        out.steps
    );
    assert!(matches!(out.verdict, Verdict::Refused { .. }));
    let out = scene.rig.ask_agent("Be kind.").await.unwrap();
    assert_eq!((out.verdict, &*out.value), (Verdict::Pass, "Be kind."));
    scene.good_answers().await;
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refusal_ends_it_wherever_one_may_refuse() {
    let Some(scene) = listening(&["--intercept-block", "not today"]).await else {
        return;
    };
    let refused = Verdict::Refused {
        extension: "bad".into(),
        reason: "not today".into(),
    };
    let tool = scene.rig.ask_tool("bash", "{}").await.unwrap();
    let turn = scene.rig.ask_turn(1).await.unwrap();
    let message = scene.rig.ask_message("hi").await.unwrap();
    let agent = scene.rig.ask_agent("Be kind.").await.unwrap();
    assert_eq!((tool.verdict, tool.steps.len()), (refused.clone(), 1));
    assert_eq!((turn.verdict, turn.steps.len()), (refused.clone(), 1));
    assert_eq!((message.verdict, message.steps.len()), (refused, 1));
    assert_eq!((agent.verdict, agent.steps.len()), (Verdict::Pass, 2));
    scene.good_answers().await;
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rewrites_arrive_at_all_four_moments() {
    let Some(scene) = listening(&["--rewrite"]).await else {
        return;
    };
    let tool = scene.rig.ask_tool("bash", r#"{"n":1}"#).await.unwrap();
    assert_eq!(tool.value.get(), r#"{"n":1,"rewritten_by":"bad"}"#);
    let turn = scene.rig.ask_turn(1).await.unwrap();
    assert_eq!(turn.value, "[bad]\ncontext of bad");
    let message = scene.rig.ask_message("hi").await.unwrap();
    assert_eq!(message.value, "[bad] hi");
    let agent = scene.rig.ask_agent("Be kind.").await.unwrap();
    assert_eq!(&*agent.value, "Be kind.\n[bad]");
    scene.good_answers().await;
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rewrite_to_something_else_than_an_object_fails() {
    let Some(scene) = listening(&["--rewrite", "[1]", "--match", "bash,mcp_*"]).await else {
        return;
    };
    let out = scene.rig.ask_tool("bash", r#"{"n":1}"#).await.unwrap();
    assert!(matches!(
        out.steps[0].did,
        Did::Failed(Silence::Nonsense(_))
    ));
    assert_eq!(out.value.get(), r#"{"n":1}"#);
    let out = scene.rig.ask_tool("read", "{}").await.unwrap();
    assert_eq!(out.steps.len(), 1, "only the good one wants to know");
    assert_eq!(out.steps[0].extension, "good");
    scene.good_answers().await;
    scene.end().await;
}
