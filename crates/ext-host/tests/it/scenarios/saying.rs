//! What an extension says by itself: notes, calls of tools, and frames that have no effect yet.

use zeug_ext_host::Level;

use crate::kit::*;

fn note(level: Level, text: &str) -> News {
    News::Note {
        extension: "a".to_owned(),
        level,
        text: text.to_owned(),
    }
}

#[tokio::test(start_paused = true)]
async fn notes_arrive_with_their_level_and_their_line_ends() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    for level in ["info", "success", "warn", "error", "loud", ""] {
        a.say(json!({"type": "notify", "level": level, "message": level}))
            .await;
    }
    a.say(json!({"type": "notify", "message": "two\nlines \u{1b}[31m"}))
        .await;
    a.say(json!({"type": "notify", "level": "warn", "message": " \n"}))
        .await;
    a.say(json!({"type": "notify"})).await;
    a.say(json!({"type": "clear_notes"})).await;
    let news = rig.caught_up(&mut a).await;
    assert_eq!(
        news,
        [
            note(Level::Info, "info"),
            note(Level::Success, "success"),
            note(Level::Warn, "warn"),
            note(Level::Error, "error"),
            note(Level::Info, "loud"),
            note(Level::Info, "two\nlines \u{1b}[31m"),
            News::ClearNotes {
                extension: "a".to_owned()
            },
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn notes_from_before_ready_arrive_too() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.meet("a").await;
    a.burst(&[
        json!({"type": "hello", "name": "a"}),
        json!({"type": "notify", "message": "early"}),
    ])
    .await;
    assert_eq!(rig.next_news().await, note(Level::Info, "early"));
}

#[tokio::test(start_paused = true)]
async fn call_tool_is_refused_with_an_error_result() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    a.say(json!({"type": "call_tool", "id": "r1", "name": "read", "args": {"path": "a"}}))
        .await;
    let line = a.hear_line().await;
    assert_eq!(
        line,
        json!({"type": "tool_result", "id": "r1", "name": "read", "content": [{"type": "text",
            "text": "call_tool is not offered by this host: check hello_ack.capabilities first"}],
            "is_error": true})
        .to_string()
    );
    rig.diagnostic("a", "call_tool refused");
    a.say(json!({"type": "call_tool_cancel", "id": "r1"})).await;
    a.say(json!({"type": "shutdown_ack"})).await;
    assert_eq!(rig.caught_up(&mut a).await, []);
    assert_eq!(rig.report("a").diagnostics.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_frame_that_has_no_effect_yet_is_remarked_once_per_kind() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    let panel = json!({"id": "p"});
    for frame in [
        json!({"type": "open_panel", "panel": panel}),
        json!({"type": "panel_render", "panel_id": "p"}),
        json!({"type": "panel_close", "panel_id": "p"}),
        json!({"type": "status", "key": "k", "text": "1/2"}),
        json!({"type": "widget", "id": "w", "lines": ["x"]}),
        json!({"type": "widget_clear", "id": "w"}),
        json!({"type": "alert", "kind": "bell"}),
        json!({"type": "submit", "text": "x"}),
        json!({"type": "submit_slash", "text": "/x"}),
    ] {
        for _ in 0..3 {
            a.say(frame.clone()).await;
        }
        assert_eq!(rig.caught_up(&mut a).await, []);
        rig.diagnostic("a", frame["type"].as_str().unwrap());
    }
    assert_eq!(rig.report("a").diagnostics.len(), 9);
    assert_eq!(rig.state("a"), State::Ready("ready"));
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_notes_waits_for_whoever_takes_them_and_hinders_nobody_else() {
    let mut rig = Rig::of(&["a", "b"]);
    let mut a = rig.joined("a", &[]).await;
    let tool = json!({"type": "register_tool", "name": "look"});
    let mut b = rig.joined("b", &[tool]).await;
    let flood = tokio::spawn(async move {
        for n in 0..2000 {
            a.say(json!({"type": "notify", "message": format!("flood {n}")}))
                .await;
        }
        a
    });
    until("nothing more is taken", || rig.news.len() == 256).await;
    let call = rig.call("look", "{}");
    let frame = b.hear_a("tool_call").await;
    b.answer(&frame, "unhindered").await;
    assert_eq!(text(&call.outcome().await), "unhindered");
    for n in 0..2000 {
        assert_eq!(
            rig.next_news().await,
            note(Level::Info, &format!("flood {n}"))
        );
    }
    drop(flood.await.unwrap());
}
