//! Processes that do not want to go, and those that they leave behind.

use std::time::Instant;

use zeug_transcript::Status;

use crate::kit::*;

/// Takes part with these flags; after the stop nobody is left.
async fn is_stopped(flags: &[&str], processes: usize) -> Option<Duration> {
    let scene = Scene::of(flags).await?.settled().await;
    let call = scene.call_bad().await;
    scene.good_answers().await;
    assert_eq!(text(&call.outcome().await), r#"{"a":1}"#, "{flags:?}");
    assert_eq!(scene.pids("bad").len(), processes, "{flags:?}");
    let start = Instant::now();
    scene.end().await;
    Some(start.elapsed())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_goes_by_itself_is_not_waited_for() {
    let patient = HostLimits {
        shutdown: s(20),
        terminate: s(20),
        ..limits()
    };
    // What is still written must be read, or the writer would hang in its pipe.
    for flags in [&[][..], &["--flood", "5000", "--when", "shutdown"]] {
        let Some(scene) = Scene::with(flags, &[], patient.clone()).await else {
            return;
        };
        let scene = scene.settled().await;
        let start = Instant::now();
        scene.end().await;
        let took = start.elapsed();
        assert!(took < s(5), "{took:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_immortal_is_killed_when_both_graces_are_over() {
    let Some(took) = is_stopped(&["--immortal"], 1).await else {
        return;
    };
    assert!(took >= ms(500), "{took:?}");
    eprintln!("an immortal guest was stopped in {took:?} (graces: 300 ms and 200 ms)");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_started_goes_with_it_at_the_stop() {
    for flags in [
        &["--grandchild"][..],
        &["--grandchild", "--setsid"],
        &["--immortal", "--grandchild"],
        &["--immortal", "--grandchild", "--setsid"],
    ] {
        if is_stopped(flags, 2).await.is_none() {
            return;
        }
    }
}

/// Dies at `stage` and leaves a child behind, which goes at once as well.
async fn leaves_a_child(stage: &str, more: &[&str]) -> Option<()> {
    let flags = [&["--grandchild", "--die-at", stage], more].concat();
    let mut scene = Scene::of(&flags).await?;
    if stage == "tool" {
        let outcome = scene.call_bad().await.outcome().await;
        assert_eq!(outcome.status, Status::Failed);
        assert!(text(&outcome).contains("exit status 3"), "{flags:?}");
    }
    let start = Instant::now();
    let message = scene.end_of_bad().await;
    let took = start.elapsed();
    assert!(message.contains("exit status 3"), "{flags:?}: {message}");
    assert!(took < s(5), "{flags:?}: {took:?}");
    scene.good_answers().await;
    assert_eq!(scene.pids("bad").len(), 2, "{flags:?}");
    scene.all_gone("bad").await;
    scene.end().await;
    Some(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_dies_takes_along_what_it_started() {
    for stage in ["start", "hello", "ready", "tool"] {
        for more in [
            &[][..],
            &["--setsid"],
            &["--immortal"],
            &["--immortal", "--setsid"],
        ] {
            if leaves_a_child(stage, more).await.is_none() {
                return;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropping_the_host_ends_everything_without_a_goodbye() {
    let flags = ["--immortal", "--grandchild", "--setsid"];
    let Some(scene) = Scene::of(&flags).await else {
        return;
    };
    let scene = scene.settled().await;
    let pids = [scene.pids("bad"), scene.pids("good")].concat();
    assert_eq!(pids.len(), 3);
    drop(scene);
    let gone = || pids.iter().all(|(_, pid)| !is_alive(*pid));
    soon("everybody is gone", gone).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deaf_immortal_that_is_spoken_to_is_stopped_in_time() {
    let flags = [
        "--deaf",
        "--immortal",
        "--grandchild",
        "--events",
        "turn_start",
    ];
    let Some(scene) = Scene::of(&flags).await else {
        return;
    };
    let scene = scene.settled().await;
    for step in 0..200 {
        let event = zeug_hook::Observation::TurnStart { step };
        scene.rig.board.announce(&event);
    }
    scene.good_answers().await;
    scene.end().await;
}
