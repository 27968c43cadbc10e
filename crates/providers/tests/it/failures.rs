//! What providers answer when something is wrong, and what is made of it.

use std::time::Duration;

use serde_json::{Value, json};
use zeug_provider::{Failure, FailureKind};
use zeug_providers::http::{Memory, Reply, TransportError};

use crate::kit::grammar::{Act, Grammar};
use crate::kit::{Talk, described};

use FailureKind::{
    Authentication, BadRequest, ContextOverflow, Network, Overloaded, Quota, RateLimited, Server,
};

async fn failure(provider: &str, reply: Reply) -> Failure {
    let memory = Memory::new([reply]);
    Talk::new(provider, "m", &memory).user("Go.").failure().await
}

async fn check(provider: &str, status: u16, body: Value, kind: FailureKind, words: &str) {
    let reply = Reply::json(status, body.to_string());
    let failure = failure(provider, reply).await;
    let case = format!("{provider} {status} {body}: {failure:?}");
    assert_eq!(failure.kind, kind, "{case}");
    assert_eq!(failure.status, Some(status), "{case}");
    let said = failure.to_string();
    assert!(said.starts_with(&format!("{provider}/m: {status} ")), "{case}");
    assert!(said.contains(words), "{case}");
}

fn error(kind: &str, message: &str) -> Value {
    json!({"error": {"type": kind, "message": message}})
}

fn anthropic(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "r"})
}

fn openai(code: Value, kind: &str, message: &str) -> Value {
    json!({"error": {"message": message, "type": kind, "param": null, "code": code}})
}

fn google(code: u16, status: &str, message: &str) -> Value {
    json!({"error": {"code": code, "message": message, "status": status}})
}

#[tokio::test]
async fn every_provider_says_in_its_way_that_a_conversation_is_too_long() {
    let invalid = "invalid_request_error";
    for (provider, status, body, words) in [
        (
            "anthropic",
            400,
            anthropic(invalid, "prompt is too long: 212345 tokens > 200000 maximum"),
            "212345",
        ),
        (
            "anthropic",
            400,
            anthropic(invalid, "input length and `max_tokens` exceed context limit: 1 + 2 > 3"),
            "1 + 2",
        ),
        ("anthropic", 413, anthropic("request_too_large", "Request exceeds"), "exceeds"),
        (
            "openai",
            400,
            openai(
                json!("context_length_exceeded"),
                invalid,
                "Your input exceeds the context window of this model.",
            ),
            "exceeds",
        ),
        (
            "openai-chat",
            400,
            openai(json!("context_length_exceeded"), invalid, "too many tokens"),
            "tokens",
        ),
        (
            "deepseek",
            400,
            openai(
                json!(invalid),
                invalid,
                "This model's maximum context length is 65536 tokens.",
            ),
            "65536",
        ),
        (
            "gemini",
            400,
            google(
                400,
                "INVALID_ARGUMENT",
                "The input token count (1100000) exceeds the maximum number of tokens allowed.",
            ),
            "1100000",
        ),
        (
            "xai",
            400,
            json!({"code": "Client specified an invalid argument",
                "error": "This model's maximum prompt length is 131072 but the request contains 9."}),
            "131072",
        ),
        (
            "groq",
            400,
            error(invalid, "Please reduce the length of the messages or completion."),
            "reduce",
        ),
        (
            "mistral",
            400,
            json!({"object": "error", "message":
                "Prompt contains 9 tokens, too large for model with 8 maximum context length",
                "type": "invalid_request_prompt_too_long", "code": "3051"}),
            "too large",
        ),
        (
            "llamacpp",
            400,
            json!({"error": {"code": 400, "type": "exceed_context_size_error",
                "message": "the request exceeds the available context size", "n_ctx": 4096}}),
            "available",
        ),
        (
            "openrouter",
            400,
            json!({"error": {"code": 400, "message": "Provider returned error", "metadata":
                {"raw": "{\"error\":{\"message\":\"prompt is too long: 9\"}}"}}}),
            "prompt is too long",
        ),
    ] {
        check(provider, status, body, ContextOverflow, words).await;
    }
}

#[tokio::test]
async fn limits_money_and_keys_are_told_apart() {
    for (provider, status, body, kind) in [
        ("anthropic", 429, anthropic("rate_limit_error", "slow"), RateLimited),
        ("anthropic", 529, anthropic("overloaded_error", "Overloaded"), Overloaded),
        ("anthropic", 500, anthropic("api_error", "Internal"), Server),
        ("anthropic", 401, anthropic("authentication_error", "invalid x-api-key"), Authentication),
        (
            "anthropic",
            400,
            anthropic("invalid_request_error", "Your credit balance is too low to access"),
            Quota,
        ),
        ("openai", 429, openai(json!("rate_limit_exceeded"), "tokens", "Limit 3"), RateLimited),
        (
            "openai",
            429,
            openai(json!("insufficient_quota"), "insufficient_quota", "You exceeded"),
            Quota,
        ),
        (
            "openai",
            401,
            openai(json!("invalid_api_key"), "invalid_request_error", "Incorrect API key"),
            Authentication,
        ),
        ("openai", 503, openai(Value::Null, "server_error", "overloaded"), Overloaded),
        ("gemini", 429, google(429, "RESOURCE_EXHAUSTED", "quota"), RateLimited),
        ("gemini", 503, google(503, "UNAVAILABLE", "The model is overloaded"), Overloaded),
        (
            "gemini",
            400,
            json!({"error": {"code": 400, "status": "INVALID_ARGUMENT",
                "message": "API key not valid. Please pass a valid API key.",
                "details": [{"reason": "API_KEY_INVALID"}]}}),
            Authentication,
        ),
        (
            "xai",
            400,
            json!({"code": "invalid", "error": "Incorrect API key provided: xa***."}),
            Authentication,
        ),
        ("deepseek", 402, error("unknown_error", "Insufficient Balance"), Quota),
        ("openrouter", 402, json!({"error": {"code": 402, "message": "more credits"}}), Quota),
        ("groq", 498, error("invalid_request_error", "flex tier"), BadRequest),
        ("moonshot", 429, error("engine_overloaded_error", "busy"), Overloaded),
        ("moonshot", 429, error("exceeded_current_quota_error", "recharge"), Quota),
        ("mistral", 422, json!({"detail": [{"loc": ["body"], "msg": "Field required"}]}), BadRequest),
        ("openai", 400, openai(Value::Null, "invalid_request_error", "no"), BadRequest),
    ] {
        check(provider, status, body, kind, "").await;
    }
}

#[tokio::test]
async fn a_page_in_place_of_an_error_is_readable() {
    let page = "<html>\n<head><title>502 Bad Gateway</title></head>\n<body></body></html>";
    let failure = failure("openai", Reply::status(502).bytes(page)).await;
    assert_eq!(failure.to_string(), "openai/m: 502 502 Bad Gateway");
    assert_eq!(failure.kind, Server);
    let failure = crate::failures::failure("openai", Reply::status(504)).await;
    assert_eq!(failure.to_string(), "openai/m: 504 the server gave no reason");
    let long = "x".repeat(10_000);
    let failure = crate::failures::failure("openai", Reply::status(500).bytes(long)).await;
    assert!(failure.message.len() < 700, "{}", failure.message.len());
}

#[tokio::test]
async fn the_time_to_wait_is_told_in_three_ways() {
    let limited = |header: &str, value: &str| {
        Reply::json(429, anthropic("rate_limit_error", "slow").to_string()).header(header, value)
    };
    let wait = |reply| async { failure("anthropic", reply).await.retry_after };
    let seconds = Duration::from_secs;
    assert_eq!(wait(limited("retry-after", "17")).await, Some(seconds(17)));
    assert_eq!(wait(limited("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")).await, Some(seconds(0)));
    let date = wait(limited("retry-after", "Fri, 31 Dec 9999 23:59:59 GMT")).await;
    assert_eq!(date, Some(seconds(86_400)));
    assert_eq!(wait(limited("x-other", "17")).await, None);
    let body = json!({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "m",
        "details": [{"@type": "RetryInfo", "retryDelay": "34s"}]}});
    let failure = failure("gemini", Reply::json(429, body.to_string())).await;
    assert_eq!(failure.retry_after, Some(seconds(34)));
}

#[tokio::test]
async fn errors_in_the_middle_of_a_stream_are_told_apart() {
    let start = [Act::Text("So far")];
    let anthropic = |kind: &str| {
        let event = json!({"type": "error", "error": {"type": kind, "message": "said"}});
        format!("event: error\ndata: {event}\n\n")
    };
    let chat = |error: Value| format!("data: {}\n\n", json!({ "error": error }));
    let failed = |code: &str| {
        let event = json!({"type": "response.failed", "response": {"status": "failed",
            "error": {"code": code, "message": "said"}}});
        format!("data: {event}\n\n")
    };
    let sent = |code: &str| {
        let event = json!({"type": "error", "code": code, "message": "said"});
        format!("data: {event}\n\n")
    };
    for (grammar, provider, event, kind) in [
        (Grammar::Anthropic, "anthropic", anthropic("overloaded_error"), Overloaded),
        (Grammar::Anthropic, "anthropic", anthropic("rate_limit_error"), RateLimited),
        (Grammar::Anthropic, "anthropic", anthropic("api_error"), Server),
        (Grammar::Anthropic, "anthropic", anthropic("invalid_request_error"), BadRequest),
        (Grammar::Anthropic, "anthropic", anthropic("never_heard_of"), Server),
        (
            Grammar::Chat,
            "openrouter",
            chat(json!({"code": 502, "message": "said"})),
            Server,
        ),
        (
            Grammar::Chat,
            "openrouter",
            chat(json!({"code": 429, "message": "said"})),
            RateLimited,
        ),
        (Grammar::Chat, "openrouter", chat(json!("said")), Server),
        (Grammar::Responses, "openai", failed("rate_limit_exceeded"), RateLimited),
        (Grammar::Responses, "openai", failed("server_error"), Server),
        (Grammar::Responses, "openai", failed("context_length_exceeded"), ContextOverflow),
        (Grammar::Responses, "openai", sent("insufficient_quota"), Quota),
        (
            Grammar::Gemini,
            "gemini",
            format!("data: {}\n\n", google(503, "UNAVAILABLE", "said")),
            Overloaded,
        ),
        (Grammar::Ollama, "ollama", "{\"error\":\"said\"}\n".to_owned(), Server),
    ] {
        let body = grammar.body(&start);
        // All that comes before the end of the answer.
        let end = ["event: message_delta", "data: {\"type\":\"response.output_item.done\"",
            "event: response.output_item.done"];
        let cut = end.iter().filter_map(|end| body.find(end)).min();
        let cut = cut.or_else(|| body.find("So")).unwrap();
        let cut = match grammar {
            Grammar::Chat | Grammar::Gemini | Grammar::Ollama => {
                body[..body.find("\"So").unwrap()].rfind('\n').map_or(0, |at| at + 1)
            }
            _ => cut,
        };
        let body = format!("{}{event}", &body[..cut]);
        let memory = Memory::new([Reply::events(body)]);
        let (_, failure) = Talk::new(provider, "m", &memory).user("Go.").pieces().await;
        let failure = failure.unwrap();
        assert_eq!(failure.kind, kind, "{provider} {event} {failure:?}");
        assert_eq!(failure.message, "said", "{provider} {event}");
    }
}

#[tokio::test]
async fn a_cut_stream_is_a_failure_of_the_network() {
    for (grammar, provider, model) in Grammar::ALL {
        let whole = grammar.body(&[Act::Text("Hello there, world."), Act::Stop]);
        let half = &whole[..whole.find("there").unwrap()];
        for reply in [Reply::events(half.to_owned()), Reply::events(half.to_owned()).broken()] {
            let memory = Memory::new([reply]);
            let (_, failure) = Talk::new(provider, model, &memory).user("Go.").pieces().await;
            let failure = failure.unwrap();
            assert_eq!(failure.kind, Network, "{provider}: {failure}");
            assert!(failure.kind.is_retryable());
        }
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let gone = || {
        Reply::refused(TransportError::Connect {
            host: "localhost:11434".into(),
            reason: "Connection refused (os error 111)".into(),
        })
    };
    let failure = failure("ollama", gone()).await;
    assert_eq!(
        failure.to_string(),
        "ollama/m: no connection to localhost:11434: Connection refused (os error 111)"
    );
    assert_eq!(failure.kind, Network);
    assert!(failure.advice.unwrap().contains("ollama serve"));
    let failure = crate::failures::failure("vllm", gone()).await;
    assert!(failure.advice.unwrap().contains("http://localhost:8000/v1"));
}

#[tokio::test]
async fn what_is_no_stream_is_named() {
    let page = Reply::status(200).header("content-type", "text/html").bytes("<html>");
    let failure = failure("openai", page).await;
    assert_eq!(failure.kind, BadRequest);
    assert!(failure.message.contains("text/html"), "{failure}");
    assert!(failure.advice.unwrap().contains("https://api.openai.com/v1"));
    let nonsense = Reply::events("data: {not json}\n\n");
    let failure = crate::failures::failure("openai", nonsense).await;
    assert_eq!(failure.kind, Server, "{failure}");
    let moved = Reply::status(308).header("location", "https://elsewhere");
    let failure = crate::failures::failure("openai", moved).await;
    assert_eq!((failure.kind, failure.status), (BadRequest, Some(308)));
}

#[tokio::test]
async fn advice_names_the_variable_and_the_address() {
    let wrong = || Reply::json(401, anthropic("authentication_error", "no").to_string());
    let failure = failure("anthropic", wrong()).await;
    let advice = failure.advice.unwrap();
    assert_eq!(advice, "check the key: --api-key, ANTHROPIC_API_KEY or `zeug login anthropic`");
    let unknown = Reply::json(404, anthropic("not_found_error", "model: m").to_string());
    let failure = crate::failures::failure("anthropic", unknown).await;
    assert!(failure.advice.unwrap().contains("--list-models"));
    let memory = Memory::new([wrong()]);
    let mut own = described("mine", "m", &memory);
    own.key = None;
    own.base_url = Some("http://localhost:1/v1".into());
    let failure = Talk::of(own).user("Go.").failure().await;
    assert_eq!(failure.advice.unwrap(), "give a key: --api-key or `zeug login mine`");
}
