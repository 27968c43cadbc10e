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
async fn what_an_extension_shows_and_submits_is_news_in_its_order() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    a.burst(&[
        json!({"type": "open_panel", "panel": {"id": "p", "lines": ["x"]}}),
        json!({"type": "panel_render", "panel_id": "p", "lines": ["y"]}),
        json!({"type": "panel_close", "panel_id": "p"}),
        json!({"type": "status", "key": "k", "level": "warn", "text": "1/2"}),
        json!({"type": "status", "key": "k"}),
        json!({"type": "widget", "id": "w", "lines": ["x"]}),
        json!({"type": "widget_clear", "id": "w"}),
        json!({"type": "alert", "kind": "bell", "reason": "r"}),
        json!({"type": "submit", "text": " !rm -rf / "}),
        json!({"type": "submit_slash", "text": " /clear now "}),
    ])
    .await;
    let news = rig.caught_up(&mut a).await;
    let told: Vec<String> = news.iter().map(|news| format!("{news:?}")).collect();
    for (told, parts) in told.iter().zip([
        &["PanelOpen", r#"id: "p""#, r#"["x"]"#][..],
        &["PanelRender", r#"["y"]"#],
        &["PanelClose", r#""p""#],
        &["Status", r#""k""#, "Warn", r#""1/2""#],
        &["Status", r#"text: """#],
        &["Widget", r#""w""#, r#"["x"]"#],
        &["WidgetClear", r#""w""#],
        &["Alert", r#""r""#],
        &["Submit", r#"text: "!rm -rf /""#],
        &["SubmitSlash", r#"text: "/clear now""#],
    ]) {
        for part in parts {
            assert!(told.contains(part), "{told} has no {part}");
        }
    }
    assert_eq!(told.len(), 10);
    assert_eq!(rig.report("a").diagnostics, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn what_shows_nothing_is_ignored_with_a_reason() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    let long = "i".repeat(257);
    for (frame, why) in [
        (
            json!({"type": "open_panel", "panel": {"id": ""}}),
            "open_panel.panel.id",
        ),
        (
            json!({"type": "panel_render", "panel_id": " "}),
            "panel_render.panel_id",
        ),
        (
            json!({"type": "panel_close", "panel_id": long}),
            "panel_close.panel_id",
        ),
        (
            json!({"type": "status", "key": "", "text": "x"}),
            "status.key",
        ),
        (json!({"type": "widget", "id": ""}), "widget.id"),
        (json!({"type": "alert", "kind": "siren"}), "\"siren\""),
        (
            json!({"type": "submit_slash", "text": "clear"}),
            "begin with a slash",
        ),
    ] {
        a.say(frame).await;
        assert_eq!(rig.caught_up(&mut a).await, []);
        rig.diagnostic("a", why);
    }
    a.say(json!({"type": "submit", "text": "  "})).await;
    assert_eq!(rig.caught_up(&mut a).await, []);
}

#[tokio::test(start_paused = true)]
async fn the_owner_of_a_panel_is_told_of_keys_its_end_and_its_size() {
    use zeug_ext_host::PanelWord;
    let mut rig = Rig::of(&["a"]);
    let mut far = rig.meet("a").await;
    far.say(json!({"type": "hello", "name": "a", "capabilities": ["panel_resize"]}))
        .await;
    far.hear_a("hello_ack").await;
    let words = |name: &str| {
        let key = serde_json::from_value(json!({"panel_id": "p", "key": "rune", "text": "é"}));
        let close = serde_json::from_value(json!({"panel_id": "p"}));
        let size = json!({"panel_id": "p", "width": 60, "height": 18});
        rig.host.panel(name, PanelWord::Key(key.unwrap()));
        rig.host.panel(name, PanelWord::Close(close.unwrap()));
        let size = serde_json::from_value(size).unwrap();
        rig.host.panel(name, PanelWord::Resize(size));
    };
    words("nobody");
    words("a");
    let line = far.hear_line().await;
    assert_eq!(
        line,
        r#"{"type":"panel_key","panel_id":"p","key":"rune","text":"é"}"#
    );
    let line = far.hear_line().await;
    assert_eq!(line, r#"{"type":"panel_close","panel_id":"p"}"#);
    let line = far.hear_line().await;
    assert_eq!(
        line,
        r#"{"type":"panel_resize","panel_id":"p","width":60,"height":18}"#
    );
}

#[tokio::test(start_paused = true)]
async fn who_did_not_ask_for_sizes_hears_of_none() {
    use zeug_ext_host::PanelWord;
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    let size = json!({"panel_id": "p", "width": 60, "height": 18});
    let size = serde_json::from_value(size).unwrap();
    rig.host.panel("a", PanelWord::Resize(size));
    a.hear_nothing(s(1)).await;
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
