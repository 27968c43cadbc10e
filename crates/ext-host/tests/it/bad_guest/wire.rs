//! What comes over the pipes, and what is not taken from them.

use zeug_ext_host::CommandError;
use zeug_hook::{Did, Observation, Silence};
use zeug_transcript::Status;

use crate::kit::*;

/// Half a line at `stage` and then nothing, ever.
async fn half_frame(stage: &str) -> Option<Scene> {
    let quick = HostLimits {
        ready: ms(500),
        ..limits()
    };
    let flags = ["--half-frame", "--when", stage, "--intercept", "tool_call"];
    Some(Scene::with(&flags, &[], quick).await?.settled().await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_frame_after_hello_holds_nobody_up() {
    for stage in ["hello", "ack"] {
        let Some(scene) = half_frame(stage).await else {
            return;
        };
        assert_eq!(scene.bad_state(), State::Ready("ready-timeout"), "{stage}");
        assert_eq!(scene.rig.report("bad").tools, [""; 0]);
        scene.good_answers().await;
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_an_answer_is_no_answer() {
    for stage in ["ready", "tool"] {
        let Some(scene) = half_frame(stage).await else {
            return;
        };
        let call = scene.call_bad().await;
        scene.good_answers().await;
        let outcome = call.outcome().await;
        assert_eq!(outcome.status, Status::TimedOut, "{stage}");
        assert_eq!(
            text(&outcome),
            "extension bad/echo failed: no answer within 1 s"
        );
        scene.end().await;
    }
    let scene = half_frame("command").await.unwrap();
    let run = scene.rig.command("hail", "");
    scene.good_answers().await;
    let error = run.await.unwrap().unwrap_err();
    assert!(matches!(error, CommandError::Timeout { .. }), "{error}");
    scene.end().await;
    let scene = half_frame("intercept").await.unwrap();
    let chain = scene.rig.ask_tool("bash", "{}");
    scene.good_answers().await;
    let out = chain.await.unwrap();
    assert_eq!(out.steps[0].did, Did::Failed(Silence::TimedOut(ms(400))));
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_goodbye_does_not_hold_the_stop_up() {
    let Some(scene) = half_frame("shutdown").await else {
        return;
    };
    scene.good_answers().await;
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_over_the_limit_disconnects_with_a_message_that_names_it() {
    for stage in ["hello", "ack", "ready", "tool", "command"] {
        let Some(mut scene) = Scene::of(&["--too-long", "--when", stage]).await else {
            return;
        };
        let waiting = async {
            match stage {
                "tool" => {
                    let outcome = scene.call_bad().await.outcome().await;
                    assert_eq!(outcome.status, Status::Failed);
                    Some(text(&outcome))
                }
                "command" => {
                    let there = || !scene.rig.report("bad").commands.is_empty();
                    soon("the command is there", there).await;
                    let error = scene.rig.command("hail", "").await.unwrap();
                    Some(error.unwrap_err().to_string())
                }
                _ => None,
            }
        };
        let (_, said) = tokio::join!(scene.good_answers(), waiting);
        let message = scene.end_of_bad().await;
        for told in [Some(message), said].into_iter().flatten() {
            assert!(
                told.contains("longer than 4194304 bytes"),
                "{stage}: {told}"
            );
        }
        scene.all_gone("bad").await;
        scene.good_answers().await;
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_over_the_limit_in_place_of_hello_is_refused() {
    let flags = ["--too-long", "--when", "start"];
    let Some(mut scene) = Scene::of(&flags).await else {
        return;
    };
    let message = scene.end_of_bad().await;
    assert!(
        message.contains("read hello: a line is longer"),
        "{message}"
    );
    scene.all_gone("bad").await;
    scene.good_answers().await;
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_of_just_the_limit_is_read() {
    let Some(mut scene) = Scene::of(&["--too-long", "4194304"]).await else {
        return;
    };
    let News::Note { text: note, .. } = scene.rig.next_news().await else {
        panic!("other news")
    };
    assert_eq!(note.len(), 64 * 1024 + "…".len(), "cut");
    let call = scene.call_bad().await;
    assert_eq!(text(&call.outcome().await), r#"{"a":1}"#);
    scene.good_answers().await;
    scene.end().await;
}

/// Takes this many notes of a flood, in order.
async fn flooded(scene: &mut Scene, notes: usize) {
    for n in 0..notes {
        loop {
            match scene.rig.next_news().await {
                News::Note { text, .. } => {
                    assert_eq!(text, format!("flood {n}"));
                    break;
                }
                News::Registered { .. } => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_notes_arrives_whole_and_hinders_nobody() {
    for flags in [
        &["--flood", "3000"][..],
        &["--flood", "3000", "--when", "tool"],
        &["--flood", "500", "--garbage"],
        &["--flood", "500", "--garbage", "--crlf", "--v1"],
    ] {
        let Some(mut scene) = Scene::of(flags).await else {
            return;
        };
        let call = scene.call_bad().await;
        // More notes wait than are kept, and nobody takes one: that is the flood's own affair.
        scene.good_answers().await;
        flooded(&mut scene, flags[1].parse().unwrap()).await;
        assert_eq!(text(&call.outcome().await), r#"{"a":1}"#, "{flags:?}");
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_that_nobody_takes_is_stopped_in_time() {
    let flags = ["--flood", "100000", "--when", "ready"];
    let Some(scene) = Scene::of(&flags).await else {
        return;
    };
    soon("no more is taken", || scene.rig.news.len() == 256).await;
    scene.good_answers().await;
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn garbage_between_all_frames_does_no_harm() {
    let flags = [
        "--garbage",
        "--progress",
        "2",
        "--double-result",
        "--intercept",
        "tool_call",
    ];
    let Some(scene) = Scene::of(&flags).await else {
        return;
    };
    let scene = scene.settled().await;
    assert_eq!(scene.bad_state(), State::Ready("ready"));
    for _ in 0..3 {
        let mut call = scene.call_bad().await;
        scene.good_answers().await;
        assert_eq!(call.progress.recv().await.as_deref(), Some("1 of 2"));
        assert_eq!(text(&call.outcome().await), r#"{"a":1}"#);
        let chain = scene.rig.ask_tool("bash", "{}");
        assert_eq!(chain.await.unwrap().steps[0].did, Did::Kept);
        let run = scene.rig.command("hail", "x").await.unwrap();
        assert!(run.is_ok(), "{run:?}");
    }
    for part in [
        "malformed json frame",
        "invalid UTF-8 at byte",
        "half of a surrogate pair at byte",
        "blank line",
        "has no \"type\"",
        "unknown frame type \"from_the_future\"",
        "bad notify frame",
    ] {
        scene.rig.diagnostic("bad", part);
    }
    let report = scene.rig.report("bad");
    assert_eq!(report.diagnostics.len(), 100);
    assert!(report.diagnostics_dropped > 0);
    assert_eq!(scene.rig.report("good").diagnostics, [""; 0]);
    scene.end().await;
}

/// Announces so many events, never more at once than the good guest has read.
async fn announce(scene: &Scene, events: u32) {
    for step in 1..=events {
        scene.rig.board.announce(&Observation::TurnStart { step });
        if step % 50 == 0 {
            let read = || scene.heard("good").len() > step as usize;
            soon("the good guest has read them", read).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deaf_guest_is_disconnected_and_the_others_get_every_event() {
    let events = ["--events", "turn_start"];
    for flags in [&["--deaf"][..], &["--deaf", "--preack"]] {
        let flags = [flags, &events].concat();
        let Some(scene) = Scene::with(&flags, &events, limits()).await else {
            return;
        };
        let mut scene = scene.settled().await;
        announce(&scene, 1500).await;
        let message = scene.end_of_bad().await;
        assert!(
            message.contains("does not keep up") || message.contains("stopped reading"),
            "{message}"
        );
        let steps: Vec<_> = scene
            .heard("good")
            .iter()
            .filter_map(|frame| frame["step"].as_u64())
            .collect();
        assert_eq!(steps, (1..=1500).collect::<Vec<_>>());
        scene.all_gone("bad").await;
        scene.good_answers().await;
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_to_a_deaf_guest_is_timed_out() {
    for flags in [&["--deaf"][..], &["--deaf", "--preack"]] {
        let Some(scene) = Scene::of(flags).await else {
            return;
        };
        let call = scene.call_bad().await;
        scene.good_answers().await;
        let outcome = call.outcome().await;
        assert_eq!(outcome.status, Status::TimedOut);
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_does_not_fit_into_a_deaf_guests_pipe_fails_with_the_cause() {
    let Some(scene) = Scene::of(&["--deaf"]).await else {
        return;
    };
    let mut scene = scene.settled().await;
    let huge = format!(r#"{{"x":"{}"}}"#, "x".repeat(2 * 1024 * 1024));
    let call = scene.rig.call("echo", &huge);
    scene.good_answers().await;
    let outcome = call.outcome().await;
    assert_eq!(outcome.status, Status::Failed);
    let said = text(&outcome);
    assert!(said.contains("not taken within 300 ms"), "{said}");
    let message = scene.end_of_bad().await;
    assert!(message.contains("stopped reading"), "{message}");
    scene.all_gone("bad").await;
    scene.end().await;
}
