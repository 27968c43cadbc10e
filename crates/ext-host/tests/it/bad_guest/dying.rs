//! Dying at every stage, by exit and by signal; the message says how, and what was last said.

use zeug_hook::{Did, Silence};
use zeug_transcript::Status;

use crate::kit::*;

const HOWS: [(&str, &str); 3] = [
    ("exit:7", "exit status 7"),
    ("exit:0", "exit status 0"),
    ("signal:SEGV", "killed by SIGSEGV"),
];

/// One that dies at `stage`, and everything that must be said about it.
async fn dying(stage: &str, how: (&str, &str)) -> Option<(Scene, [String; 2])> {
    let flags = [
        "--die-at",
        stage,
        "--die-how",
        how.0,
        "--stderr",
        "oh no, not again",
    ];
    let scene = Scene::of(&flags).await?;
    Some((
        scene,
        [how.1.to_owned(), "last words: oh no, not again".to_owned()],
    ))
}

fn says(message: &str, parts: &[String]) {
    for part in parts {
        assert!(message.contains(part), "{message:?} lacks {part:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_hello() {
    for how in HOWS {
        let Some((mut scene, parts)) = dying("start", how).await else {
            return;
        };
        let message = scene.end_of_bad().await;
        says(&message, &parts);
        says(&message, &["extension exited before hello".to_owned()]);
        says(&message, &["/ext-bad.log)".to_owned()]);
        soon("it has failed", || {
            scene.bad_state() == State::Failed(message.clone())
        })
        .await;
        scene.all_gone("bad").await;
        scene.good_answers().await;
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_hello_and_after_the_ack_and_after_ready() {
    for stage in ["hello", "ack", "ready"] {
        for how in HOWS {
            let Some((mut scene, parts)) = dying(stage, how).await else {
                return;
            };
            let message = scene.end_of_bad().await;
            says(&message, &parts);
            says(&message, &["/ext-bad.log)".to_owned()]);
            let gone =
                || matches!(scene.bad_state(), State::Gone(why) if message.starts_with(&why));
            soon("it is gone", gone).await;
            assert!(scene.rig.table.lookup("echo").is_none(), "{stage}");
            assert_eq!(scene.rig.report("bad").commands, [""; 0], "{stage}");
            scene.all_gone("bad").await;
            scene.good_answers().await;
            scene.end().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_the_middle_of_a_call() {
    for how in HOWS {
        let Some((mut scene, parts)) = dying("tool", how).await else {
            return;
        };
        let call = scene.call_bad().await;
        scene.good_answers().await;
        let outcome = call.outcome().await;
        assert_eq!(outcome.status, Status::Failed);
        says(&text(&outcome), &parts);
        says(&text(&outcome), &["extension bad/echo failed: ".to_owned()]);
        says(&scene.end_of_bad().await, &parts);
        scene.good_answers().await;
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_the_middle_of_a_command() {
    for how in HOWS {
        let Some((scene, parts)) = dying("command", how).await else {
            return;
        };
        let mut scene = scene.settled().await;
        let run = scene.rig.command("hail", "");
        scene.good_answers().await;
        let error = run.await.unwrap().unwrap_err();
        says(&error.to_string(), &parts);
        says(&scene.end_of_bad().await, &parts);
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_asked() {
    for how in HOWS {
        let Some((scene, parts)) = dying("intercept", how).await else {
            return;
        };
        let mut scene = scene.settled().await;
        let chain = scene.rig.ask_tool("bash", "{}");
        scene.good_answers().await;
        let out = chain.await.unwrap();
        let Did::Failed(Silence::Gone(why)) = &out.steps[0].did else {
            panic!("{:?}", out.steps)
        };
        says(why, &parts);
        says(&scene.end_of_bad().await, &parts);
        assert_eq!(scene.rig.board.tool_call.snapshot().len(), 0);
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_the_goodbye_is_nothing_to_talk_about() {
    for how in HOWS {
        let Some((scene, _)) = dying("shutdown", how).await else {
            return;
        };
        let mut scene = scene.settled().await;
        scene.good_answers().await;
        scene.rig.host.stop().await;
        assert_eq!(scene.rig.waiting_news(), []);
        assert_eq!(scene.bad_state(), State::Stopped);
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn last_words_of_several_lines_are_kept() {
    let flags = ["--die-at", "ack", "--stderr", "one\ntwo\n\u{1b}[31mthree"];
    let Some(mut scene) = Scene::of(&flags).await else {
        return;
    };
    let message = scene.end_of_bad().await;
    says(
        &message,
        &["exit status 3; last words:\n  one\n  two\n  three".to_owned()],
    );
    scene.good_answers().await;
    scene.end().await;
}
