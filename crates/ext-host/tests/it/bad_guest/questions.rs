//! Calls and commands that are answered oddly.

use std::time::Instant;

use zeug_ext_host::Action;
use zeug_transcript::Status;

use crate::kit::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_tool_takes_its_time_and_the_good_one_does_not() {
    let patient = HostLimits {
        tool_reply: s(10),
        ..limits()
    };
    let Some(scene) = Scene::with(&["--slow-tool", "1200"], &[], patient).await else {
        return;
    };
    let start = Instant::now();
    let calls = [scene.call_bad().await, scene.call_bad().await];
    scene.good_answers().await;
    assert!(calls.iter().all(|call| !call.task.is_finished()));
    for call in calls {
        assert_eq!(text(&call.outcome().await), r#"{"a":1}"#);
    }
    assert!(start.elapsed() >= ms(1200));
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_is_too_slow_is_timed_out_and_told_when_it_wants_to_be() {
    for (flags, told) in [
        (&["--slow-tool", "60000"][..], false),
        (&["--slow-tool", "60000", "--cancel"], true),
    ] {
        let Some(scene) = Scene::of(flags).await else {
            return;
        };
        let call = scene.call_bad().await;
        let start = Instant::now();
        scene.good_answers().await;
        let outcome = call.outcome().await;
        let took = start.elapsed();
        assert!(took < s(2), "{took:?}");
        assert_eq!(outcome.status, Status::TimedOut);
        let call = scene.call_bad().await;
        // The second call is read after whatever came before it.
        let both = || {
            let calls = scene.heard("bad");
            calls.iter().filter(|f| f["type"] == "tool_call").count() == 2
        };
        soon("the second call was read", both).await;
        assert_eq!(scene.has_heard("bad", "tool_cancel"), told);
        call.cancel.cancel();
        assert_eq!(call.outcome().await.status, Status::Cancelled);
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_arrives_before_the_result() {
    let Some(scene) = Scene::of(&["--progress", "3"]).await else {
        return;
    };
    let mut call = scene.call_bad().await;
    for n in 1..=3 {
        let shown = call.progress.recv().await;
        assert_eq!(shown, Some(format!("{n} of 3")));
    }
    assert_eq!(text(&call.outcome().await), r#"{"a":1}"#);
    scene.good_answers().await;
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_result_is_a_failed_call() {
    let Some(scene) = Scene::of(&["--tool-error"]).await else {
        return;
    };
    let outcome = scene.call_bad().await.outcome().await;
    assert_eq!(outcome.status, Status::Failed);
    assert_eq!(text(&outcome), r#"{"a":1}"#);
    scene.good_answers().await;
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_result_is_nothing() {
    for flags in [
        &["--late-result"][..],
        &["--late-result", "--slow-tool", "1300"],
    ] {
        let Some(scene) = Scene::of(flags).await else {
            return;
        };
        for _ in 0..2 {
            let call = scene.call_bad().await;
            let calls = || scene.has_heard("bad", "tool_call");
            soon("the call was read", calls).await;
            call.cancel.cancel();
            assert_eq!(call.outcome().await.status, Status::Cancelled);
        }
        let outcome = scene.call_bad().await.outcome().await;
        assert_eq!(outcome.status, Status::TimedOut);
        // Once this is answered, so is everything before it.
        let run = scene.rig.command("hail", "").await.unwrap();
        assert!(run.is_ok());
        assert_eq!(scene.bad_state(), State::Ready("ready"));
        assert_eq!(scene.rig.report("bad").diagnostics, [""; 0]);
        scene.good_answers().await;
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_of_two_results_is_nothing() {
    let Some(scene) = Scene::of(&["--double-result"]).await else {
        return;
    };
    for _ in 0..20 {
        let outcome = scene.call_bad().await.outcome().await;
        assert_eq!(text(&outcome), r#"{"a":1}"#);
    }
    scene.good_answers().await;
    assert_eq!(scene.rig.report("bad").diagnostics, [""; 0]);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_action_of_a_command_arrives() {
    let said = || "hail the  whole world".to_owned();
    for (action, expect) in [
        ("display", Ok(Action::Display(said()))),
        ("prompt", Ok(Action::Prompt(said()))),
        ("insert", Ok(Action::Insert(said()))),
        ("noop", Ok(Action::Noop)),
        ("error", Err("extension /hail: hail the  whole world")),
        ("dance", Err("extension /hail: unknown action \"dance\"")),
    ] {
        let Some(scene) = Scene::of(&["--action", action]).await else {
            return;
        };
        let scene = scene.settled().await;
        let run = scene.rig.command("HAIL", " the  whole world ");
        let answer = run.await.unwrap();
        assert_eq!(
            answer.map_err(|e| e.to_string()),
            expect.map(|a| ("bad".to_owned(), a)).map_err(str::to_owned)
        );
        scene.good_answers().await;
        scene.end().await;
    }
}
