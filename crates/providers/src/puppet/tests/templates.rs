//! What can be seen of a request.

use zeug_transcript::Image;

use super::*;

#[tokio::test]
async fn the_request_is_readable() {
    let mut talk = Talk::new("say [{{system}}] [{{tools}}] [{{context}}]")
        .tool("read")
        .tool("weather");
    talk.request.system = Some("You are\ngear.".into());
    talk.request.context = Some("[clock]\nnoon".into());
    assert_eq!(
        talk.text().await,
        "[You are\ngear.] [read, weather] [[clock]\nnoon]"
    );
}

#[tokio::test]
async fn what_is_absent_is_empty() {
    let talk = Talk::new("say [{{system}}{{tools}}{{context}}{{last_result}}]");
    assert_eq!(talk.text().await, "[]");
}

#[tokio::test]
async fn the_last_result_is_readable() {
    let talk = Talk::new("call a\ncall b\nthen\nsay got {{last_result}}!");
    let talk = talk.play().await.ok("a", "1").result(
        "b",
        vec![
            Content::text("2"),
            Content::Image(Image::from_bytes("image/png", &[0])),
        ],
        Status::Completed,
    );
    assert_eq!(talk.text().await, "got 2\n[image/png, 1 bytes]!");
}

#[tokio::test]
async fn the_conversation_is_readable_as_it_was_sent() {
    let talk = Talk::new("think hm\nsay hi\ncall a {\"x\":1}").play().await;
    let talk = talk
        .result("a", vec![Content::text("no")], Status::Blocked)
        .user("say {{messages}}");
    assert_eq!(
        talk.text().await,
        "user: think hm\nsay hi\ncall a {\"x\":1}\n\
         assistant thinks: hm\n\
         assistant: hi\n\
         assistant calls a [puppet-1-1]: {\"x\":1}\n\
         tool a [c] blocked: no\n\
         user: say {{messages}}"
    );
}

#[tokio::test]
async fn what_means_nothing_stays() {
    let check = async |text: &str, expect: &str| {
        let mut talk = Talk::new(&format!("say {text}"));
        talk.request.system = Some("S".into());
        assert_eq!(talk.text().await, expect, "{text:?}");
    };
    check(
        "{{nothing}} {{}} {{ system }}",
        "{{nothing}} {{}} {{ system }}",
    )
    .await;
    check("{{system", "{{system").await;
    check("{{{system}}}", "{S}").await;
    check("{{x {{system}} {{system}}", "{{x S S").await;
    check("{ {system} }", "{ {system} }").await;
    check("{{ü}}{{system}}", "{{ü}}S").await;
}

#[tokio::test]
async fn only_said_text_is_filled_in() {
    let mut talk = Talk::new("think {{system}}\ncall a {\"x\":\"{{system}}\"}");
    talk.request.system = Some("S".into());
    let answer = talk.answer().await;
    assert!(matches!(&answer.parts[0], Part::Thinking { text, .. } if text == "{{system}}"));
    assert_eq!(
        answer.tool_calls().next().unwrap().args,
        "{\"x\":\"{{system}}\"}"
    );
}

#[tokio::test]
async fn what_was_filled_in_is_not_read_again() {
    let mut talk = Talk::new("say {{system}}");
    talk.request.system = Some("{{tools}}".into());
    assert_eq!(talk.tool("read").text().await, "{{tools}}");
}
