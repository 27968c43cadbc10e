//! Who it is and how it introduces itself.

use std::path::PathBuf;
use std::sync::Arc;

use crate::kit::*;

/// Takes part and answers with these flags; gives how it became ready.
async fn takes_part(flags: &[&str]) -> Option<&'static str> {
    let scene = Scene::of(flags).await?.settled().await;
    let call = scene.call_bad().await;
    scene.good_answers().await;
    assert_eq!(text(&call.outcome().await), r#"{"a":1}"#, "{flags:?}");
    let State::Ready(how) = scene.bad_state() else {
        panic!("{flags:?}: {:?}", scene.bad_state())
    };
    let heard = scene.heard("bad");
    assert_eq!(heard[0]["type"], "hello_ack", "{flags:?}");
    scene.end().await;
    Some(how)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_dialects_and_every_manner_of_greeting_take_part() {
    for flags in [
        &[][..],
        &["--v1"],
        &["--v2"],
        &["--crlf"],
        &["--preack"],
        &["--v1", "--preack", "--crlf"],
        &["--hello-after", "0.3"],
    ] {
        let Some(how) = takes_part(flags).await else {
            return;
        };
        assert_eq!(how, "ready", "{flags:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_never_says_ready_takes_part_after_a_silence() {
    let Some(how) = takes_part(&["--no-ready"]).await else {
        return;
    };
    assert_eq!(how, "auto-ready");
    takes_part(&["--v1", "--no-ready", "--preack"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_comes_after_ready_takes_effect() {
    let Some(scene) = Scene::of(&["--tool-after-ready", "300"]).await else {
        return;
    };
    let mut scene = scene.settled().await;
    assert!(scene.rig.table.lookup("echo").is_none());
    scene.good_answers().await;
    let registered = News::Registered {
        extension: "bad".to_owned(),
    };
    assert_eq!(scene.rig.next_news().await, registered);
    let call = scene.call_bad().await;
    assert_eq!(text(&call.outcome().await), r#"{"a":1}"#);
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_may_have_many_names_or_none() {
    let flags = [
        "--tool",
        "x",
        "--tool",
        "y",
        "--command",
        "c",
        "--command",
        "d",
    ];
    let Some(scene) = Scene::of(&flags).await else {
        return;
    };
    let scene = scene.settled().await;
    let report = scene.rig.report("bad");
    assert_eq!(report.tools, ["x", "y"]);
    assert_eq!(report.commands, ["c", "d"]);
    scene.end().await;
    let none = Scene::of(&["--no-tool", "--no-command"]).await.unwrap();
    let none = none.settled().await;
    let report = none.rig.report("bad");
    assert_eq!((report.tools.len(), report.commands.len()), (0, 0));
    none.good_answers().await;
    none.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn its_schema_and_its_interactivity_are_known() {
    let schema = r#"{"type":"object","required":["city"]}"#;
    let Some(scene) = Scene::of(&["--schema", schema, "--interactive"]).await else {
        return;
    };
    let scene = scene.settled().await;
    let entry = scene.rig.table.lookup("echo").unwrap();
    assert!(entry.tool.spec().interactive);
    let check = |args: &str| {
        let args = zeug_stdx::json::RawJson::parse(args).unwrap();
        entry.schema.check(&args)
    };
    assert!(check(r#"{"city":"Berlin"}"#).is_ok());
    assert!(check("{}").unwrap_err().rule.contains("city"));
    scene.end().await;
    let bad = Scene::of(&["--schema", r#"{"type":"array"}"#])
        .await
        .unwrap();
    let bad = bad.settled().await;
    bad.rig.diagnostic("bad", "schema must describe an object");
    assert!(bad.rig.table.lookup("echo").is_none());
    bad.good_answers().await;
    bad.end().await;
}

/// Never takes part; the message has all these parts and the place to look at.
async fn is_refused(flags: &[&str], limits: HostLimits, parts: &[&str]) -> Option<()> {
    let mut scene = Scene::with(flags, &[], limits).await?;
    scene.good_answers().await;
    let message = scene.end_of_bad().await;
    for part in parts {
        assert!(message.contains(part), "{flags:?}: {message}");
    }
    for part in ["/ext-bad.log)", "(program: "] {
        assert!(message.contains(part), "{flags:?}: {message}");
    }
    soon("it has failed", || {
        scene.bad_state() == State::Failed(message.clone())
    })
    .await;
    scene.all_gone("bad").await;
    scene.good_answers().await;
    scene.end().await;
    Some(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_version_is_refused_with_both_numbers() {
    for version in ["7", "-1"] {
        let part = format!("version {version} (this host speaks 1 and 2)");
        let flags = ["--wrong-version", version];
        if is_refused(&flags, limits(), &[&part]).await.is_none() {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_says_something_else_first_is_refused() {
    let part = [r#"first frame must be hello (got "notify")"#];
    is_refused(&["--not-hello"], limits(), &part).await;
    let flags = ["--garbage", "--when", "start"];
    is_refused(&flags, limits(), &["parse hello"]).await;
}

/// A short time for `hello`, which the good guest must manage, too.
fn impatient() -> HostLimits {
    HostLimits {
        hello: s(3),
        ..limits()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_does_not_say_hello_in_time_is_refused() {
    let part = ["sent no hello within 3 s"];
    let check = async |flags: &[&str]| {
        is_refused(flags, impatient(), &part).await;
    };
    tokio::join!(
        check(&["--silent"]),
        check(&["--hello-after", "60"]),
        check(&["--half-frame", "--when", "start"]),
        check(&["--silent", "--immortal"]),
        check(&["--silent", "--immortal", "--grandchild", "--setsid"]),
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopping_does_not_wait_for_a_hello() {
    for flags in [&["--silent"][..], &["--silent", "--immortal"]] {
        let Some(scene) = Scene::of(flags).await else {
            return;
        };
        scene.good_answers().await;
        soon("it runs", || !scene.pids("bad").is_empty()).await;
        assert_eq!(scene.bad_state(), State::Starting);
        assert!(!scene.has_heard("bad", "shutdown"), "hello_ack comes first");
        scene.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_does_not_exist_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let launcher = zeug_ext_host::Launcher {
        spawner: zeug_process::Spawner::new(zeug_process::Watchdog::Off),
        program: PathBuf::from("./no-such-program"),
        language: "rust\u{1b}[2J\n".to_owned(),
        args: Vec::new(),
        dir: dir.path().to_owned(),
        env_set: Vec::new(),
        env_remove: Vec::new(),
        log: None,
    };
    let mut rig = Rig::new(vec![Seat {
        connector: Some(Arc::new(launcher)),
        ..Seat::new("a")
    }]);
    let News::Failed { message, .. } = rig.next_news().await else {
        panic!("other news")
    };
    assert!(message.starts_with("/ext/a: "), "{message}");
    assert!(
        message.contains("no-such-program, language: rust)"),
        "{message}"
    );
    rig.host.stop().await;
}
