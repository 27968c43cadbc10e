//! What goes over the wire, whole: the second request of a conversation with everything in it.
//!
//! The files in `golden/` were read by a person when they were made. When one changes, the test
//! says where the new form lies.

use std::path::Path;

use serde_json::{Value, json};
use zeug_provider::Effort;
use zeug_providers::Connect;
use zeug_providers::http::{HttpRequest, Memory};
use zeug_transcript::{Content, Image, Status};

use crate::kit::grammar::{Act, Grammar};
use crate::kit::{KEY, Talk, body, described, saying};

const READ: &str = r#"{"type":"object","properties":{"path":{"type":"string","description":"Where."}},"required":["path"],"additionalProperties":false}"#;
const NOTHING: &str = r#"{"type":"object","properties":{}}"#;

/// A picture of one pixel.
fn pixel() -> Content {
    Content::Image(Image {
        mime_type: "image/png".into(),
        data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==".into(),
    })
}

/// The second request of a conversation.
async fn second(grammar: Grammar, described: impl FnOnce(&Memory) -> Connect) -> HttpRequest {
    let first = grammar.reply(&[
        Act::Think("I should look at the picture."),
        Act::Text("Looking."),
        Act::Call("call_1", "read", r#"{"path":"a.png"}"#),
        Act::Call("call_2", "list", "{}"),
        Act::Stop,
    ]);
    let memory = Memory::new([first, saying(grammar, "ok")]);
    let mut talk = Talk::of(described(&memory))
        .system("You are terse.")
        .said(vec![Content::text("What is this?"), pixel()])
        .tool("read", READ)
        .tool("list", NOTHING);
    talk.request.reasoning = Some(Effort::High);
    let mut talk = talk
        .play()
        .await
        .result(0, vec![Content::text("here:"), pixel()], Status::Completed)
        .result(1, vec![Content::text("no such directory")], Status::Failed);
    talk.request.context = Some("The time is noon.".into());
    talk.answer().await;
    memory.seen().last().unwrap().clone()
}

/// A request as a document that a person can read.
fn readable(request: &HttpRequest) -> Value {
    let headers = request.headers.iter().map(|header| {
        let value = if header.secret {
            "secret"
        } else {
            &header.value
        };
        (header.name.clone(), Value::from(value))
    });
    json!({
        "method": request.method,
        "url": request.url,
        "headers": headers.collect::<serde_json::Map<_, _>>(),
        "body": body(request),
    })
}

fn check(name: &str, request: &HttpRequest) {
    let text = serde_json::to_string_pretty(&readable(request)).unwrap() + "\n";
    let text = text.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    assert!(
        !text.contains(KEY),
        "{name} has the key outside of a header"
    );
    let file = format!("{name}.json");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/golden");
    let expect = std::fs::read_to_string(folder.join(&file)).unwrap_or_default();
    if text != expect {
        let new = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&file);
        std::fs::write(&new, &text).unwrap();
        let differs = text
            .lines()
            .zip(expect.lines().chain(std::iter::repeat("")))
            .find(|(a, b)| a != b);
        panic!(
            "{name}: not as in {}; the first difference is {differs:?}; the new form is in {}",
            folder.join(&file).display(),
            new.display()
        );
    }
}

async fn known(grammar: Grammar, provider: &str, model: &str, name: &str) {
    let request = second(grammar, |memory| described(provider, model, memory)).await;
    check(name, &request);
}

#[tokio::test]
async fn anthropic() {
    known(
        Grammar::Anthropic,
        "anthropic",
        "claude-opus-4-6",
        "anthropic",
    )
    .await;
}

#[tokio::test]
async fn anthropic_with_a_budget() {
    let name = "anthropic-budget";
    known(Grammar::Anthropic, "anthropic", "claude-haiku-4-5", name).await;
}

#[tokio::test]
async fn openai_responses() {
    known(Grammar::Responses, "openai", "gpt-5.2", "openai-responses").await;
}

#[tokio::test]
async fn openai_chat() {
    known(Grammar::Chat, "openai-chat", "gpt-5.2", "openai-chat").await;
}

#[tokio::test]
async fn gemini() {
    known(
        Grammar::Gemini,
        "gemini",
        "gemini-3-flash-preview",
        "gemini",
    )
    .await;
}

#[tokio::test]
async fn ollama_is_told_how_much_it_must_hold() {
    let request = second(Grammar::Ollama, |memory| Connect {
        context_window: Some(32_768),
        key: None,
        ..described("ollama", "qwen3", memory)
    });
    check("ollama", &request.await);
}

#[tokio::test]
async fn openrouter() {
    let model = "anthropic/claude-sonnet-4.5";
    known(Grammar::Chat, "openrouter", model, "openrouter").await;
}

#[tokio::test]
async fn deepseek() {
    known(
        Grammar::ReasoningContent,
        "deepseek",
        "deepseek-v4-pro",
        "deepseek",
    )
    .await;
}

#[tokio::test]
async fn groq() {
    known(Grammar::Chat, "groq", "openai/gpt-oss-120b", "groq").await;
}

#[tokio::test]
async fn mistral() {
    known(Grammar::Chat, "mistral", "mistral-medium-latest", "mistral").await;
}

#[tokio::test]
async fn xai() {
    known(Grammar::Responses, "xai", "grok-4", "xai").await;
}

#[tokio::test]
async fn azure() {
    let request = second(Grammar::Chat, |memory| Connect {
        base_url: Some("https://mine.openai.azure.com".into()),
        ..described("azure", "my-deployment", memory)
    });
    check("azure", &request.await);
}

#[tokio::test]
async fn a_server_of_ones_own() {
    let request = second(Grammar::ReasoningContent, |memory| Connect {
        base_url: Some("http://localhost:1234".into()),
        headers: vec![("X-Team".into(), "blue".into())],
        key: None,
        ..described("mine", "local-model", memory)
    });
    check("own-server", &request.await);
}
