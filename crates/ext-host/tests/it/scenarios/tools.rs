//! What a tool's result becomes for the model.

use serde_json::Value;
use zeug_stdx::json::RawJson;
use zeug_transcript::{Content, Image, Outcome, Status};

use crate::kit::*;

async fn rig() -> (Rig, Far) {
    let mut rig = Rig::of(&["a"]);
    let a = rig
        .joined("a", &[json!({"type": "register_tool", "name": "look"})])
        .await;
    (rig, a)
}

/// What becomes of a result with these fields.
async fn result(fields: Value) -> Outcome {
    let (rig, mut a) = rig().await;
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    let mut answer = json!({"type": "tool_result", "id": frame["id"]});
    answer
        .as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    a.say(answer).await;
    call.outcome().await
}

async fn check(content: Value, status: Status, expect: &[Content]) {
    let outcome = result(json!({"content": content})).await;
    assert_eq!((outcome.status, &outcome.content[..]), (status, expect));
}

#[tokio::test(start_paused = true)]
async fn arguments_go_out_as_they_came_in_on_one_line() {
    let (rig, mut a) = rig().await;
    let args = "{ \"z\": 1.50,\n \"a\": \"\\u003e  x\", \"big\": 12345678901234567890123 }";
    let call = rig.call("look", args);
    let line = a.hear_line().await;
    let id = serde_json::from_str::<Value>(&line).unwrap()["id"].clone();
    let expect = r#"{"z":1.50,"a":"\u003e  x","big":12345678901234567890123}"#;
    assert_eq!(
        line,
        format!(r#"{{"type":"tool_call","id":{id},"name":"look","args":{expect}}}"#)
    );
    call.task.abort();
}

#[tokio::test(start_paused = true)]
async fn ids_are_never_the_same() {
    let (rig, mut a) = rig().await;
    let mut ids = Vec::new();
    for _ in 0..20 {
        let call = rig.call("look", "{}");
        let frame = a.hear_a("tool_call").await;
        a.answer(&frame, "x").await;
        call.outcome().await;
        ids.push(frame["id"].as_str().unwrap().to_owned());
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 20);
}

#[tokio::test(start_paused = true)]
async fn text_and_images_arrive() {
    check(
        json!([
            {"type": "text", "text": "Berlin: 16°C"},
            {"type": "image", "mime_type": "image/png", "data": "iVBORw0KGgo="},
            {"type": "text", "text": ""},
            {"type": "text", "text": "after"},
        ]),
        Status::Completed,
        &[
            Content::text("Berlin: 16°C"),
            Content::Image(Image::from_base64("image/png", "iVBORw0KGgo=").unwrap()),
            Content::text("after"),
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_result_without_content_says_so() {
    let nothing = [Content::text("(extension returned no content)")];
    check(json!([]), Status::Completed, &nothing).await;
    check(json!(null), Status::Completed, &nothing).await;
    check(
        json!([{"type": "text", "text": ""}, {"type": "text"}]),
        Status::Completed,
        &nothing,
    )
    .await;
    let outcome = result(json!({})).await;
    assert_eq!(outcome.content, nothing);
}

#[tokio::test(start_paused = true)]
async fn an_undecodable_image_makes_the_result_an_error_that_says_so() {
    let outcome = result(json!({"content": [
        {"type": "text", "text": "before"},
        {"type": "image", "mime_type": "image/png", "data": "not base64!"},
    ]}))
    .await;
    assert_eq!(outcome.status, Status::Failed);
    assert_eq!(outcome.content[0], Content::text("before"));
    let said = text(&outcome);
    assert!(
        said.contains("extension a/look returned undecodable image: "),
        "{said}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_unknown_block_is_named() {
    check(
        json!([{"type": "video", "data": "…"}, {"type": "text", "text": "x"}]),
        Status::Completed,
        &[
            Content::text("[unknown block type \"video\" from extension a]"),
            Content::text("x"),
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_error_result_is_a_failed_call_with_its_content() {
    let outcome = result(json!({"is_error": true,
        "content": [{"type": "text", "text": "no such city"}]}))
    .await;
    assert_eq!(outcome, Outcome::failed("no such city"));
}

#[tokio::test(start_paused = true)]
async fn what_is_not_for_the_model_travels_beside_it() {
    let outcome = result(json!({"content": [{"type": "text", "text": "x"}],
        "details": {"plan": [1, 2]}, "structured_content": {"city": "Berlin"},
        "activate_tools": ["more", "and_more"]}))
    .await;
    assert_eq!(outcome.details.unwrap().get(), r#"{"plan":[1,2]}"#);
    assert_eq!(outcome.structured.unwrap().get(), r#"{"city":"Berlin"}"#);
    assert_eq!(outcome.activate_tools, ["more", "and_more"]);
}

#[tokio::test(start_paused = true)]
async fn null_details_clear_and_absent_ones_leave() {
    let outcome = result(json!({"details": null})).await;
    assert_eq!(outcome.details, Some(RawJson::null()));
    assert_eq!(result(json!({})).await.details, None);
}

#[tokio::test(start_paused = true)]
async fn a_result_with_a_wrong_field_fails_the_call_at_once() {
    let start = Instant::now();
    let outcome = result(json!({"content": "just text"})).await;
    assert_eq!(start.elapsed(), ms(0));
    assert_eq!(outcome.status, Status::Failed);
    let said = text(&outcome);
    assert!(said.starts_with("extension a/look failed: "), "{said}");
    assert!(said.contains("bad tool_result frame"), "{said}");
}

#[tokio::test(start_paused = true)]
async fn what_is_said_about_an_unreadable_result_is_bounded() {
    let outcome = result(json!({"is_error": "x".repeat(1024 * 1024)})).await;
    assert_eq!(outcome.status, Status::Failed);
    assert!(text(&outcome).len() < 2000, "{}", text(&outcome).len());
}

#[tokio::test(start_paused = true)]
async fn arguments_that_make_the_frame_too_long_fail_the_call_alone() {
    let (rig, mut a) = rig().await;
    let huge = format!(r#"{{"x":"{}"}}"#, "x".repeat(4 * 1024 * 1024));
    let outcome = rig.call("look", &huge).outcome().await;
    assert_eq!(outcome.status, Status::Failed);
    let said = text(&outcome);
    assert!(said.contains("over the limit of 4194304 bytes"), "{said}");
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    a.answer(&frame, "unharmed").await;
    assert_eq!(text(&call.outcome().await), "unharmed");
}

#[tokio::test(start_paused = true)]
async fn progress_is_shown_before_the_result_and_only_to_its_own_call() {
    let (rig, mut a) = rig().await;
    let mut call = rig.call("look", "{}");
    let mut other = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    for text in ["1 of 2", "2 of 2"] {
        a.say(json!({"type": "tool_progress", "id": frame["id"], "text": text}))
            .await;
    }
    a.say(json!({"type": "tool_progress", "id": "call-0", "text": "?"}))
        .await;
    a.answer(&frame, "done").await;
    assert_eq!(call.progress.recv().await.as_deref(), Some("1 of 2"));
    assert_eq!(call.progress.recv().await.as_deref(), Some("2 of 2"));
    assert_eq!(text(&call.outcome().await), "done");
    assert!(other.progress.try_recv().is_err());
    other.task.abort();
}
