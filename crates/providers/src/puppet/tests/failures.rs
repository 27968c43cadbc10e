//! Failures, pauses and cancellation; the clock is paused, so nothing waits.

use std::time::Duration;

use tokio::time::Instant;
use zeug_provider::FailureKind;

use super::*;

#[tokio::test]
async fn a_failure_before_the_first_piece_refuses_the_request_once() {
    let talk = Talk::new("fail 529 overloaded\nsay ok");
    let cancel = CancellationToken::new();
    let refused = talk.puppet.stream(talk.request.clone(), cancel).await;
    assert_eq!(
        refused.err(),
        Some(Failure {
            kind: FailureKind::Overloaded,
            provider: "puppet".into(),
            model: "strings".into(),
            status: Some(529),
            message: "overloaded".into(),
            retry_after: None,
            advice: None,
        })
    );
    assert_eq!(talk.text().await, "ok");
    assert_eq!(talk.text().await, "ok");
}

#[tokio::test]
async fn a_failure_in_the_middle_comes_after_what_stands_before_it() {
    let talk = Talk::new("say one\nfail 500 broke\nsay two");
    let (deltas, failure) = talk.deltas().await.unwrap_err();
    assert_eq!(deltas, [Delta::Text("one".into())]);
    assert_eq!(failure.kind, FailureKind::Server);
    assert_eq!(talk.text().await, "one\ntwo");
}

#[tokio::test]
async fn several_failures_happen_one_attempt_each() {
    let talk = Talk::new("fail 429 slow\nsay one\nfail 503 busy\nfail 500 broke");
    let mut kinds = Vec::new();
    while let Err((_, failure)) = talk.deltas().await {
        kinds.push(failure.kind);
    }
    assert_eq!(
        kinds,
        [
            FailureKind::RateLimited,
            FailureKind::Overloaded,
            FailureKind::Server
        ]
    );
}

#[tokio::test]
async fn a_failure_with_a_mark_never_passes() {
    let talk = Talk::new("fail! 400 no");
    for _ in 0..3 {
        let (_, failure) = talk.deltas().await.unwrap_err();
        assert_eq!(failure.to_string(), "puppet/strings: 400 no");
    }
}

#[tokio::test]
async fn the_same_words_in_another_prompt_or_turn_fail_again() {
    let talk = Talk::new("fail 500 x\ncall a\nthen\nfail 500 x\nsay y");
    assert!(talk.deltas().await.is_err());
    let talk = talk.play().await.ok("a", "1");
    assert!(talk.deltas().await.is_err());
    assert_eq!(talk.text().await, "y");
    let talk = talk.user("fail 500 x");
    assert!(talk.deltas().await.is_err());
    let talk = talk.user("fail 500 x");
    assert!(talk.deltas().await.is_err());
    assert!(talk.deltas().await.is_ok());
}

#[tokio::test]
async fn a_failure_is_over_when_the_conversation_was_made_shorter() {
    let mut talk = Talk::new("hi")
        .play()
        .await
        .user("fail 413 too long\nsay fits");
    let (_, failure) = talk.deltas().await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::ContextOverflow);
    talk.request.messages.drain(..2);
    assert_eq!(talk.text().await, "fits");
}

#[tokio::test]
async fn a_failure_without_words_gets_some() {
    let (_, failure) = Talk::new("fail 401").deltas().await.unwrap_err();
    assert_eq!(failure.message, "the script asked for this failure");
    assert_eq!(failure.kind, FailureKind::Authentication);
}

#[tokio::test(start_paused = true)]
async fn a_pause_takes_its_time() {
    let talk = Talk::new("say a\nwait 200ms\nsay b\nwait 2s");
    let start = Instant::now();
    assert_eq!(talk.text().await, "a\nb");
    assert_eq!(start.elapsed(), Duration::from_millis(2200));
}

#[tokio::test(start_paused = true)]
async fn cancelling_ends_a_pause() {
    let talk = Talk::new("say a\nwait 3600s\nsay b");
    let cancel = CancellationToken::new();
    let start = Instant::now();
    let request = talk.request.clone();
    let mut stream = talk.puppet.stream(request, cancel.clone()).await.unwrap();
    assert_eq!(stream.next().await, Some(Ok(Delta::Text("a".into()))));
    let (rest, ()) = tokio::join!(stream.collect::<Vec<_>>(), async {
        tokio::time::advance(Duration::from_secs(1)).await;
        cancel.cancel();
    });
    assert_eq!(rest, [Ok(Delta::Stop(StopReason::Aborted))]);
    assert_eq!(start.elapsed(), Duration::from_secs(1));
}

#[tokio::test]
async fn a_cancelled_request_says_nothing() {
    let talk = Talk::new("say a\ncall b");
    let cancel = CancellationToken::new();
    cancel.cancel();
    let stream = talk.puppet.stream(talk.request.clone(), cancel).await;
    let all: Vec<_> = stream.unwrap().collect().await;
    assert_eq!(all, [Ok(Delta::Stop(StopReason::Aborted))]);
}
