//! One answer at a time.

use zeug_transcript::{Image, Usage};

use super::*;

async fn check(prompt: &str, expect: &str) {
    assert_eq!(Talk::new(prompt).text().await, expect, "{prompt:?}");
}

#[tokio::test]
async fn text_without_directives_is_repeated() {
    check("hello", "you said: hello").await;
    check("callback foo", "you said: callback foo").await;
    check("two\r\nlines\n", "you said: two\nlines").await;
    check("grüße, 世界 🌍", "you said: grüße, 世界 🌍").await;
    check("", "you said: ").await;
}

#[tokio::test]
async fn several_says_are_lines_of_one_text() {
    check("say It is warm.", "It is warm.").await;
    check("say a\nnot this\nsay b", "a\nb").await;
    check("say a\nsay\nsay b", "a\n\nb").await;
}

#[tokio::test]
async fn text_and_reasoning_arrive_word_by_word() {
    let deltas = Talk::new("think hm well\nsay It is warm.")
        .deltas()
        .await
        .unwrap();
    assert_eq!(
        deltas,
        [
            Delta::Thinking("hm ".into()),
            Delta::Thinking("well".into()),
            Delta::Text("It ".into()),
            Delta::Text("is ".into()),
            Delta::Text("warm.".into()),
            Delta::Stop(StopReason::EndTurn),
        ]
    );
}

#[tokio::test]
async fn a_call_arrives_with_its_arguments_as_written() {
    let deltas = Talk::new("call weather {\"city\": \"Berlin\", }\ncall ls")
        .deltas()
        .await
        .unwrap();
    assert_eq!(
        deltas,
        [
            Delta::ToolCallStart {
                id: "puppet-1-1".into(),
                name: "weather".into(),
            },
            Delta::ToolCallArgs {
                id: "puppet-1-1".into(),
                json: "{\"city\": \"Berlin\", }".into(),
            },
            Delta::ToolCallEnd {
                id: "puppet-1-1".into(),
            },
            Delta::ToolCallStart {
                id: "puppet-1-2".into(),
                name: "ls".into(),
            },
            Delta::ToolCallEnd {
                id: "puppet-1-2".into(),
            },
            Delta::Stop(StopReason::ToolUse),
        ]
    );
}

#[tokio::test]
async fn text_between_calls_starts_a_new_line() {
    let answer = Talk::new("say one\ncall a\nsay two").answer().await;
    assert_eq!(answer.text(""), "one\ntwo");
    assert_eq!(answer.stop, StopReason::ToolUse);
}

#[tokio::test]
async fn js_is_a_call_of_codemode() {
    let answer = Talk::new("js const x = 1\nreturn x").answer().await;
    let call = answer.tool_calls().next().unwrap();
    assert_eq!(call.name, "codemode");
    assert_eq!(call.args, r#"{"code":"const x = 1\nreturn x"}"#);
    assert_eq!(answer.stop, StopReason::ToolUse);
}

#[tokio::test]
async fn usage_is_reported_when_asked_for() {
    let answer = Talk::new("say x\nusage 1200 80").answer().await;
    assert_eq!(
        answer.usage,
        Some(Usage {
            input_tokens: 1200,
            output_tokens: 80,
            ..Usage::default()
        })
    );
    assert_eq!(Talk::new("say x").answer().await.usage, None);
}

#[tokio::test]
async fn images_of_a_prompt_are_named() {
    let talk = Talk::new("earlier").content(vec![
        Content::text("look"),
        Content::Image(Image::from_bytes("image/png", &[0; 7])),
    ]);
    assert_eq!(talk.text().await, "you said: look\n[image/png, 7 bytes]");
}

#[tokio::test]
async fn a_directive_that_cannot_be_read_is_explained() {
    check(
        "wait 200\nsay x",
        "puppet: cannot read `wait 200`: write `wait 200ms` or `wait 2s`\nx",
    )
    .await;
    check("wait for it", "you said: wait for it").await;
}

#[tokio::test]
async fn a_request_without_a_prompt_has_an_answer() {
    let mut talk = Talk::new("");
    talk.request.messages.clear();
    assert_eq!(talk.text().await, "you said: ");
}
