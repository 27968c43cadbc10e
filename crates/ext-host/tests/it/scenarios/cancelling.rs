//! Calls that are given up, before and after the extension saw them.

use zeug_transcript::Status;

use crate::kit::*;

/// A guest whose pipes hold so little that no frame fits: what it does not read is not written.
async fn narrow() -> (Rig, Far) {
    let seat = Seat {
        pipe_bytes: 16,
        ..Seat::new("a")
    };
    let mut rig = Rig::new(vec![seat]);
    let tool = json!({"type": "register_tool", "name": "look"});
    let a = rig.joined("a", &[tool]).await;
    (rig, a)
}

#[tokio::test(start_paused = true)]
async fn a_delivered_call_is_cancelled_with_a_word_to_the_extension() {
    let (rig, mut a) = narrow().await;
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    let start = Instant::now();
    call.cancel.cancel();
    let outcome = call.outcome().await;
    assert_eq!(start.elapsed(), ms(0));
    assert_eq!(outcome.status, Status::Cancelled);
    assert_eq!(
        text(&outcome),
        "extension a/look failed: the call was cancelled"
    );
    assert_eq!(a.hear_a("tool_cancel").await["id"], frame["id"]);
    a.answer(&frame, "too late").await;
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    a.answer(&frame, "in time").await;
    assert_eq!(text(&call.outcome().await), "in time");
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_future_is_dropped_is_cancelled_as_well() {
    let (rig, mut a) = narrow().await;
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    call.task.abort();
    assert_eq!(a.hear_a("tool_cancel").await["id"], frame["id"]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_answered_is_not_cancelled_afterwards() {
    let (rig, mut a) = narrow().await;
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    a.answer(&frame, "done").await;
    let cancel = call.cancel.clone();
    call.outcome().await;
    cancel.cancel();
    a.hear_nothing(s(5)).await;
}

#[tokio::test(start_paused = true)]
async fn a_queued_call_is_withdrawn_and_never_seen() {
    let (rig, mut a) = narrow().await;
    let calls: Vec<_> = (0..4)
        .map(|n| rig.call("look", &format!("[{n}]")))
        .collect();
    // The first fills the pipe; the others wait behind it.
    tokio::task::yield_now().await;
    let [one, two, three, four] = <[Called; 4]>::try_from(calls).ok().unwrap();
    let start = Instant::now();
    two.cancel.cancel();
    assert_eq!(two.outcome().await.status, Status::Cancelled);
    three.task.abort();
    assert!(three.task.await.is_err());
    assert_eq!(start.elapsed(), ms(0));
    let first = a.hear_a("tool_call").await;
    assert_eq!(first["args"], json!([0]));
    let second = a.hear_a("tool_call").await;
    assert_eq!(second["args"], json!([3]));
    a.answer(&first, "one").await;
    a.answer(&second, "four").await;
    assert_eq!(text(&one.outcome().await), "one");
    assert_eq!(text(&four.outcome().await), "four");
    a.hear_nothing(s(5)).await;
}

#[tokio::test(start_paused = true)]
async fn a_call_cancelled_while_it_is_written_arrives_whole_and_is_then_taken_back() {
    let (rig, mut a) = narrow().await;
    let call = rig.call(
        "look",
        r#"{"x":"a good deal longer than the pipe is wide"}"#,
    );
    tokio::task::yield_now().await;
    tokio::task::yield_now().await;
    call.cancel.cancel();
    assert_eq!(call.outcome().await.status, Status::Cancelled);
    tokio::time::sleep(ms(240)).await;
    let frame = a.hear_a("tool_call").await;
    assert_eq!(a.hear_a("tool_cancel").await["id"], frame["id"]);
    tokio::time::sleep(s(1)).await;
    assert_eq!(rig.state("a"), State::Ready("ready"));
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_frame_that_stays_half_written_ends_the_connection() {
    let (mut rig, mut a) = narrow().await;
    let start = Instant::now();
    let call = rig.call(
        "look",
        r#"{"x":"a good deal longer than the pipe is wide"}"#,
    );
    let other = rig.call("look", "{}");
    tokio::task::yield_now().await;
    tokio::task::yield_now().await;
    call.cancel.cancel();
    assert_eq!(call.outcome().await.status, Status::Cancelled);
    let outcome = other.outcome().await;
    took(start, ms(250));
    assert_eq!(outcome.status, Status::Failed);
    let said = text(&outcome);
    assert!(
        said.contains("half written and not finished within 250 ms"),
        "{said}"
    );
    let News::Gone { message, .. } = rig.next_news().await else {
        panic!("other news")
    };
    assert!(message.contains("half written"), "{message}");
    let rest = a.next().await;
    assert!(rest.is_none_or(|line| !line.ends_with('}')), "half a line");
}

#[tokio::test(start_paused = true)]
async fn a_frame_that_nobody_takes_ends_the_connection_after_5_s() {
    let (mut rig, _a) = narrow().await;
    let start = Instant::now();
    let call = rig.call(
        "look",
        r#"{"x":"a good deal longer than the pipe is wide"}"#,
    );
    let outcome = call.outcome().await;
    took(start, s(5));
    assert_eq!(outcome.status, Status::Failed);
    let said = text(&outcome);
    assert!(said.contains("not taken within 5 s"), "{said}");
    assert!(matches!(rig.next_news().await, News::Gone { .. }));
}

#[tokio::test(start_paused = true)]
async fn a_question_given_up_while_queued_is_never_seen() {
    let (rig, mut a) = narrow().await;
    a.say(json!({"type": "subscribe", "intercept": ["tool_call"]}))
        .await;
    until("it listens", || rig.board.tool_call.snapshot().len() == 1).await;
    let call = rig.call("look", "{}");
    tokio::task::yield_now().await;
    let chain = rig.ask_tool("bash", "{}");
    tokio::task::yield_now().await;
    chain.abort();
    assert!(chain.await.is_err());
    let frame = a.hear_a("tool_call").await;
    a.answer(&frame, "done").await;
    call.outcome().await;
    a.hear_nothing(s(1)).await;
}
