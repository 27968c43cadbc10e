//! Results that come late, twice, as something else, or never.

use zeug_transcript::Status;

use crate::kit::*;

fn look() -> serde_json::Value {
    json!({"type": "register_tool", "name": "look"})
}

#[tokio::test(start_paused = true)]
async fn a_tool_without_an_answer_is_timed_out_after_60_s_and_told_so() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[look()]).await;
    let start = Instant::now();
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    let outcome = call.outcome().await;
    took(start, s(60));
    assert_eq!(outcome.status, Status::TimedOut);
    assert_eq!(
        text(&outcome),
        "extension a/look failed: no answer within 60 s"
    );
    let cancel = a.hear_line().await;
    assert_eq!(
        cancel,
        json!({"type": "tool_cancel", "id": frame["id"]}).to_string()
    );
}

#[tokio::test(start_paused = true)]
async fn without_the_capability_nobody_is_told_of_a_timeout() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.meet("a").await;
    a.burst(&[
        json!({"type": "hello", "name": "a", "capabilities": ["tools", "tool_cancelling"]}),
        look(),
        json!({"type": "ready"}),
    ])
    .await;
    a.hear_a("hello_ack").await;
    rig.host.settled().await;
    let call = rig.call("look", "{}");
    a.hear_a("tool_call").await;
    assert_eq!(call.outcome().await.status, Status::TimedOut);
    a.hear_nothing(s(5)).await;
}

#[tokio::test(start_paused = true)]
async fn progress_does_not_extend_the_deadline() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[look()]).await;
    let start = Instant::now();
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    for _ in 0..5 {
        tokio::time::sleep(s(10)).await;
        a.say(json!({"type": "tool_progress", "id": frame["id"], "text": "still"}))
            .await;
    }
    assert_eq!(call.outcome().await.status, Status::TimedOut);
    took(start, s(60));
}

#[tokio::test(start_paused = true)]
async fn an_interactive_tool_has_no_deadline() {
    let mut rig = Rig::of(&["a"]);
    let tool = json!({"type": "register_tool", "name": "look", "interactive": true});
    let mut a = rig.joined("a", &[tool]).await;
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    tokio::time::sleep(s(3600)).await;
    a.answer(&frame, "a person said yes").await;
    assert_eq!(text(&call.outcome().await), "a person said yes");
}

#[tokio::test(start_paused = true)]
async fn a_late_result_is_nothing() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[look()]).await;
    let call = rig.call("look", "{}");
    let late = a.hear_a("tool_call").await;
    call.outcome().await;
    a.hear_a("tool_cancel").await;
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    a.answer(&late, "too late").await;
    a.answer(&frame, "in time").await;
    assert_eq!(text(&call.outcome().await), "in time");
    rig.caught_up(&mut a).await;
    assert_eq!(rig.report("a").diagnostics, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn the_second_of_two_results_is_nothing() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[look()]).await;
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    a.answer(&frame, "first").await;
    a.answer(&frame, "second").await;
    assert_eq!(text(&call.outcome().await), "first");
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    a.answer(&frame, "third").await;
    assert_eq!(text(&call.outcome().await), "third");
    assert_eq!(rig.state("a"), State::Ready("ready"));
}

#[tokio::test(start_paused = true)]
async fn results_in_any_order_find_their_calls() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[look()]).await;
    let calls: Vec<_> = (0..5)
        .map(|n| rig.call("look", &format!("[{n}]")))
        .collect();
    let mut frames = Vec::new();
    for _ in 0..5 {
        frames.push(a.hear_a("tool_call").await);
    }
    for frame in frames.iter().rev() {
        a.answer(frame, &frame["args"].to_string()).await;
    }
    for (n, call) in calls.into_iter().enumerate() {
        assert_eq!(text(&call.outcome().await), format!("[{n}]"));
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_of_another_kind_fails_the_call_with_a_remark() {
    for answer in ["command_response", "event_intercept_response"] {
        let mut rig = Rig::of(&["a"]);
        let mut a = rig.joined("a", &[look()]).await;
        let start = Instant::now();
        let call = rig.call("look", "{}");
        let frame = a.hear_a("tool_call").await;
        a.say(json!({"type": answer, "id": frame["id"]})).await;
        let outcome = call.outcome().await;
        assert_eq!(start.elapsed(), ms(0));
        assert_eq!(outcome.status, Status::Failed, "{answer}");
        rig.caught_up(&mut a).await;
        rig.diagnostic("a", frame["id"].as_str().unwrap());
    }
}

#[tokio::test(start_paused = true)]
async fn a_bad_frame_that_is_no_answer_harms_no_call() {
    for kind in ["tool_progress", "call_tool", "notify", "register_tool"] {
        let mut rig = Rig::of(&["a"]);
        let mut a = rig.joined("a", &[look()]).await;
        let call = rig.call("look", "{}");
        let frame = a.hear_a("tool_call").await;
        a.say(json!({"type": kind, "id": frame["id"], "text": [], "name": 7, "message": {}}))
            .await;
        a.answer(&frame, "unharmed").await;
        assert_eq!(text(&call.outcome().await), "unharmed", "{kind}");
        rig.diagnostic("a", &format!("bad {kind} frame"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_goes_on_when_its_tool_is_taken_back() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[look()]).await;
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    a.say(json!({"type": "unregister_tool", "name": "look"}))
        .await;
    rig.caught_up(&mut a).await;
    a.answer(&frame, "one last time").await;
    assert_eq!(text(&call.outcome().await), "one last time");
}
