//! One name that two processes want.

use crate::kit::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_one_wins_whichever_process_is_faster() {
    let slow = ["--hello-after", "0.15"];
    for round in 0..10 {
        // Now the one, now the other, now both at once.
        let first = if round % 3 == 0 { &slow[..] } else { &[] };
        let second = if round % 3 == 1 { &slow[..] } else { &[] };
        let names = ["--tool", "same", "--command", "same"];
        let first = [&names[..], &["--name", "first"], first].concat();
        let second = [&names[..], &["--name", "good"], second].concat();
        let guests = [("first", &first[..]), ("good", &second[..])];
        let Some(scene) = Scene::cast(&guests, limits()).await else {
            return;
        };
        let scene = scene.settled().await;
        assert_eq!(scene.rig.report("first").tools, ["same"], "round {round}");
        assert_eq!(scene.rig.report("first").commands, ["same"]);
        let report = scene.rig.report("good");
        let lost = [("same".to_owned(), "first".to_owned())];
        assert_eq!(
            (report.shadowed_tools, report.shadowed_commands),
            (lost.clone().into(), lost.into())
        );
        scene
            .rig
            .diagnostic("good", "tool same of good is shadowed");
        scene
            .rig
            .diagnostic("good", "command /same of good is shadowed");
        let outcome = scene.rig.call("same", r#"{"a":1}"#).outcome().await;
        assert_eq!(text(&outcome), r#"{"a":1}"#);
        assert!(!scene.has_heard("good", "tool_call"));
        scene.end().await;
    }
}
