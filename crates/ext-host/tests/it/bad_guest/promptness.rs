//! How soon whoever waits learns of a death.

use std::time::Instant;

use zeug_transcript::Status;

use crate::kit::*;

/// From the death of the guest in the middle of a call to the error of that call.
async fn told_after(flags: &[&str]) -> Option<Duration> {
    let scene = Scene::of(&[&["--die-at", "tool"], flags].concat())
        .await?
        .settled()
        .await;
    let pid = scene.pids("bad")[0].1;
    // A thread of its own: the runtime's threads are what is measured.
    let death = std::thread::spawn(move || {
        let deadline = Instant::now() + s(10);
        while is_alive(pid) && Instant::now() < deadline {
            std::thread::sleep(ms(1));
        }
        Instant::now()
    });
    let call = scene.call_bad().await;
    let told = async {
        let outcome = call.outcome().await;
        (outcome, Instant::now())
    };
    let (good, (outcome, told)) = tokio::join!(scene.good_answers(), told);
    assert_eq!(outcome.status, Status::Failed);
    let after = told.saturating_duration_since(death.join().unwrap());
    eprintln!("{flags:?}: told {after:?} after the death; the good guest answered in {good:?}");
    scene.all_gone("bad").await;
    scene.end().await;
    Some(after)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_waiter_learns_of_a_death_at_once() {
    for flags in [
        &["--die-how", "exit:3"][..],
        &["--die-how", "signal:KILL"],
        &["--die-how", "signal:SEGV", "--stderr", "last words"],
        &["--grandchild"],
        &["--grandchild", "--setsid"],
        &["--garbage", "--slow-tool", "10"],
    ] {
        let Some(after) = told_after(flags).await else {
            return;
        };
        assert!(after < s(1), "{flags:?}: told {after:?} after the death");
    }
}
