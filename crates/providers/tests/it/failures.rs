//! What providers answer when something is wrong, and what is made of it.

use std::time::Duration;

use serde_json::{Value, json};
use zeug_provider::{Delta, Failure, FailureKind};
use zeug_providers::http::{Memory, Reply, TransportError};

use crate::kit::grammar::{Act, Grammar};
use crate::kit::{Talk, described};

use FailureKind::{BadRequest, Network, Server};

async fn failure(provider: &str, reply: Reply) -> Failure {
    let memory = Memory::new([reply]);
    Talk::new(provider, "m", &memory)
        .user("Go.")
        .failure()
        .await
}

fn anthropic(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "r"})
}

/// The kind of a word in the tables.
fn kind(word: &str) -> FailureKind {
    match word {
        "rate_limited" => FailureKind::RateLimited,
        "overloaded" => FailureKind::Overloaded,
        "server" => Server,
        "context_overflow" => FailureKind::ContextOverflow,
        "authentication" => FailureKind::Authentication,
        "quota" => FailureKind::Quota,
        "bad_request" => BadRequest,
        "refused" => FailureKind::Refused,
        word => panic!("{word}"),
    }
}

/// `[provider, status, kind, words, body]`: what providers answer, as they write it.
type Answered = (String, u16, String, String, Value);

#[tokio::test]
async fn what_providers_answer_is_told_apart() {
    let table = include_str!("failures/answers.json");
    let table: Vec<Answered> = serde_json::from_str(table).unwrap();
    for (provider, status, word, words, body) in table {
        let failure = failure(&provider, Reply::json(status, body.to_string())).await;
        let case = format!("{provider} {status} {body}: {failure:?}");
        assert_eq!(failure.kind, kind(&word), "{case}");
        assert_eq!(failure.status, Some(status), "{case}");
        let said = failure.to_string();
        assert!(
            said.starts_with(&format!("{provider}/m: {status} ")),
            "{case}"
        );
        assert!(said.contains(&words), "{case}");
    }
}

/// `[provider, kind, event]`: what comes in the middle of an answer.
type Event = (String, String, Value);

#[tokio::test]
async fn errors_in_the_middle_of_a_stream_are_told_apart() {
    let table = include_str!("failures/midstream.json");
    let table: Vec<Event> = serde_json::from_str(table).unwrap();
    for (provider, word, event) in table {
        let of = |known: &&(Grammar, &str, &str)| known.1 == provider;
        let (grammar, ..) = Grammar::ALL.iter().find(of).unwrap();
        let (line, body) = match grammar {
            Grammar::Ollama => (format!("{event}\n"), Reply::status(200)),
            _ => {
                let reply = Reply::status(200).header("content-type", "text/event-stream");
                (format!("data: {event}\n\n"), reply)
            }
        };
        let whole = grammar.body(&[Act::Text("So far"), Act::Stop]);
        // After the first piece of text, at the end of its event.
        let text = whole.find("So ").unwrap();
        let ends = if *grammar == Grammar::Ollama {
            "\n"
        } else {
            "\n\n"
        };
        let cut = text + whole[text..].find(ends).unwrap() + ends.len();
        let reply = body.bytes(format!("{}{line}", &whole[..cut]));
        let memory = Memory::new([reply]);
        let (pieces, failure) = Talk::new(&provider, "m", &memory)
            .user("Go.")
            .pieces()
            .await;
        let failure = failure.unwrap();
        assert_eq!(failure.kind, kind(&word), "{provider} {event} {failure:?}");
        assert_eq!(failure.message, "said", "{provider} {event}");
        assert_eq!(pieces, [Delta::Text("So ".into())], "{provider} {event}");
    }
}

#[tokio::test]
async fn a_page_in_place_of_an_error_is_readable() {
    let page = "<html>\n<head><title>502 Bad Gateway</title></head>\n<body></body></html>";
    let failure = failure("openai", Reply::status(502).bytes(page)).await;
    assert_eq!(failure.to_string(), "openai/m: 502 502 Bad Gateway");
    assert_eq!(failure.kind, Server);
    let failure = crate::failures::failure("openai", Reply::status(504)).await;
    assert_eq!(
        failure.to_string(),
        "openai/m: 504 the server gave no reason"
    );
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
    assert_eq!(
        wait(limited("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")).await,
        Some(seconds(0))
    );
    let date = wait(limited("retry-after", "Thu, 31 Dec 2099 23:59:59 GMT")).await;
    assert_eq!(date, Some(seconds(86_400)));
    assert_eq!(wait(limited("x-other", "17")).await, None);
    let body = json!({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "m",
        "details": [{"@type": "RetryInfo", "retryDelay": "34s"}]}});
    let failure = failure("gemini", Reply::json(429, body.to_string())).await;
    assert_eq!(failure.retry_after, Some(seconds(34)));
}

#[tokio::test]
async fn a_cut_stream_is_a_failure_of_the_network() {
    for (grammar, provider, model) in Grammar::ALL {
        let whole = grammar.body(&[Act::Text("Hello there, world."), Act::Stop]);
        let half = &whole[..whole.find("Hello").unwrap()];
        for reply in [
            Reply::events(half.to_owned()),
            Reply::events(half.to_owned()).broken(),
        ] {
            let memory = Memory::new([reply]);
            let (_, failure) = Talk::new(provider, model, &memory)
                .user("Go.")
                .pieces()
                .await;
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
    let page = Reply::status(200)
        .header("content-type", "text/html")
        .bytes("<html>");
    let failure = failure("openai", page).await;
    assert_eq!(failure.kind, BadRequest);
    assert!(failure.message.contains("text/html"), "{failure}");
    assert!(
        failure
            .advice
            .unwrap()
            .contains("https://api.openai.com/v1")
    );
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
    assert_eq!(
        advice,
        "check the key: --api-key, ANTHROPIC_API_KEY or `zeug login anthropic`"
    );
    let unknown = Reply::json(404, anthropic("not_found_error", "model: m").to_string());
    let failure = crate::failures::failure("anthropic", unknown).await;
    assert!(failure.advice.unwrap().contains("--list-models"));
    let memory = Memory::new([wrong()]);
    let mut own = described("mine", "m", &memory);
    own.key = None;
    own.base_url = Some("http://localhost:1/v1".into());
    let failure = Talk::of(own).user("Go.").failure().await;
    assert_eq!(
        failure.advice.unwrap(),
        "give a key: --api-key or `zeug login mine`"
    );
}
