//! Over real sockets: what a network does to answers.

use std::time::{Duration, Instant};

use futures::StreamExt as _;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use zeug_provider::{Delta, FailureKind};
use zeug_providers::http::Timeouts;
use zeug_providers::{Connect, Key};
use zeug_transcript::StopReason;

use crate::kit::grammar::{self, Act, Grammar};
use crate::kit::server::{Do, EVENTS, Server, events, head};
use crate::kit::{KEY, Talk, plain};

const ACTS: [Act; 4] = [
    Act::Think("Hm, 世界."),
    Act::Text("Grüße 🦀 und mehr"),
    Act::Call("c1", "read", r#"{"path":"ä"}"#),
    Act::Stop,
];
/// Short, so that a test which waits for one waits not long; the work itself takes far less.
const SHORT: Duration = Duration::from_millis(150);

fn at(server: &Server, provider: &str, model: &str) -> Connect {
    Connect {
        base_url: Some(server.url.clone()),
        key: Some(Key::new(KEY)),
        ..Connect::new(provider, model)
    }
}

fn talk(server: &Server, provider: &str, model: &str) -> Talk {
    Talk::of(at(server, provider, model)).user("Go.")
}

/// A provider that speaks a grammar at an address of its own.
fn speaker(grammar: Grammar, server: &Server) -> Connect {
    let (provider, model) = match grammar {
        Grammar::Anthropic => ("anthropic", "claude-opus-4-6"),
        Grammar::Responses => ("openai-responses", "gpt-5.2"),
        Grammar::Chat | Grammar::ReasoningContent => ("openai", "local"),
        Grammar::Gemini => ("gemini", "gemini-3-flash-preview"),
        Grammar::Ollama => ("ollama", "qwen3"),
    };
    at(server, provider, model)
}

fn kind(grammar: Grammar) -> &'static str {
    match grammar {
        Grammar::Ollama => "application/x-ndjson",
        _ => EVENTS,
    }
}

#[tokio::test]
async fn answers_arrive_whole_however_they_are_split() {
    for (grammar, ..) in Grammar::ALL {
        let body = grammar.body(&ACTS).into_bytes();
        let mut answers = vec![vec![
            head(200, kind(grammar)),
            Do::Chunk(body.clone()),
            Do::End,
        ]];
        for size in [1, 5, 33] {
            let pieces = Do::Pieces(body.clone(), size);
            answers.push(vec![head(200, kind(grammar)), pieces, Do::End]);
        }
        let count = answers.len();
        let server = Server::start(answers).await;
        let talk = Talk::of(speaker(grammar, &server)).user("Go.");
        let mut first = None;
        for _ in 0..count {
            let parts = plain(&talk.answer().await);
            assert_eq!(*first.get_or_insert(parts.clone()), parts, "{grammar:?}");
        }
        let seen = server.seen();
        assert_eq!(seen.len(), count);
        assert!(seen[0].line.starts_with("POST /"), "{}", seen[0].line);
        let sent: Value = serde_json::from_slice(&seen[0].body).unwrap();
        assert!(sent.is_object());
    }
}

#[tokio::test]
async fn a_cut_answer_is_a_failure_and_the_next_request_works() {
    for (grammar, ..) in Grammar::ALL {
        let body = grammar.body(&ACTS);
        let half = body.as_bytes()[..body.find("🦀").unwrap()].to_vec();
        // In the middle of a character, of a chunk, and of nothing in particular.
        let mut torn = half.clone();
        torn.extend_from_slice(&"🦀".as_bytes()[..2]);
        let answers = vec![
            vec![head(200, kind(grammar)), Do::Chunk(torn), Do::Cut],
            vec![head(200, kind(grammar)), Do::Chunk(half), Do::End],
            vec![Do::Cut],
            vec![
                head(200, kind(grammar)),
                Do::Chunk(body.into_bytes()),
                Do::End,
            ],
        ];
        let server = Server::start(answers).await;
        let talk = Talk::of(speaker(grammar, &server)).user("Go.");
        for _ in 0..3 {
            let (_, failure) = talk.pieces().await;
            let failure = failure.unwrap();
            assert_eq!(failure.kind, FailureKind::Network, "{grammar:?}: {failure}");
        }
        assert_eq!(talk.answer().await.text(""), "Grüße 🦀 und mehr");
    }
}

#[tokio::test]
async fn a_stalled_answer_is_given_up_and_the_connection_closed() {
    let body = Grammar::Chat.body(&ACTS);
    let half = body[..body.find("🦀").unwrap()].to_owned();
    let server = Server::start(vec![vec![
        head(200, EVENTS),
        Do::Chunk(half.into()),
        Do::Stall,
    ]])
    .await;
    let mut connect = at(&server, "openai", "local");
    connect.http.timeouts = Timeouts {
        idle: SHORT,
        ..Timeouts::default()
    };
    let (pieces, failure) = Talk::of(connect).user("Go.").pieces().await;
    let failure = failure.unwrap();
    assert_eq!(failure.message, "nothing more came for 0.15 s");
    assert_eq!(failure.kind, FailureKind::Network);
    assert!(!pieces.is_empty());
    server.gone().await;
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_given_up() {
    let server = Server::start(vec![vec![Do::Stall]]).await;
    let mut connect = at(&server, "openai", "local");
    connect.http.timeouts = Timeouts {
        first_byte: SHORT,
        ..Timeouts::default()
    };
    let failure = Talk::of(connect).user("Go.").failure().await;
    assert_eq!(failure.message, "no answer within 0.15 s");
    assert_eq!(failure.kind, FailureKind::Network);
    server.gone().await;
}

#[tokio::test]
async fn limits_tell_when_to_come_back() {
    let limited = |name: &'static str, value: &str| {
        vec![
            Do::Head(
                429,
                vec![
                    ("content-type", "application/json".into()),
                    (name, value.into()),
                ],
            ),
            Do::Chunk(br#"{"error":{"message":"slow down"}}"#.to_vec()),
            Do::End,
        ]
    };
    let later = jiff_like_date();
    let server = Server::start(vec![
        limited("retry-after", "2"),
        limited("Retry-After", &later),
        limited("x-nothing", ""),
    ])
    .await;
    let talk = talk(&server, "openai", "local");
    let first = talk.failure().await;
    assert_eq!(first.to_string(), "openai/local: 429 slow down");
    assert_eq!(first.retry_after, Some(Duration::from_secs(2)));
    let wait = talk.failure().await.retry_after.unwrap();
    assert!(
        wait > Duration::from_secs(3000) && wait <= Duration::from_secs(3600),
        "{wait:?}"
    );
    assert_eq!(talk.failure().await.retry_after, None);
}

/// An HTTP date one hour from now.
fn jiff_like_date() -> String {
    use zeug_transcript::Timestamp;
    let then = Timestamp::now() + Duration::from_secs(3600);
    then.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

#[tokio::test]
async fn an_overload_in_the_middle_of_an_answer_can_be_retried() {
    let body = Grammar::Anthropic.body(&[Act::Text("So far so good"), Act::Stop]);
    let half = &body[..body.find("event: content_block_stop").unwrap()];
    let error = json!({"type": "error",
        "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let broken = format!("{half}event: error\ndata: {error}\n\n");
    let server = Server::start(vec![events(&broken), events(&body)]).await;
    let talk = talk(&server, "anthropic", "claude-opus-4-6");
    let (pieces, failure) = talk.pieces().await;
    let failure = failure.unwrap();
    assert_eq!(failure.kind, FailureKind::Overloaded);
    assert!(failure.kind.is_retryable());
    assert_eq!(failure.to_string(), "anthropic/claude-opus-4-6: Overloaded");
    assert_eq!(pieces.len(), 2, "{pieces:?}");
    assert_eq!(talk.answer().await.text(""), "So far so good");
}

#[tokio::test]
async fn an_argument_of_two_megabytes_arrives() {
    let long = "äx".repeat(700_000);
    let args = json!({ "content": long }).to_string();
    let mut all = vec![grammar_chunk(json!({"tool_calls": [{"index": 0, "id": "c",
        "function": {"name": "write", "arguments": ""}}]}))];
    let mut rest = args.as_str();
    while !rest.is_empty() {
        let at = (4096..=rest.len())
            .find(|at| rest.is_char_boundary(*at))
            .unwrap_or(rest.len());
        let (piece, more) = rest.split_at(at);
        all.push(grammar_chunk(json!({"tool_calls": [{"index": 0,
            "function": {"arguments": piece}}]})));
        rest = more;
    }
    all.push(json!({"object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}));
    // One event with all of it, too.
    let whole = [
        grammar_chunk(json!({"tool_calls": [{"index": 0, "id": "c",
            "function": {"name": "write", "arguments": args}}]})),
        all.last().cloned().unwrap(),
    ];
    for body in [grammar::events(&all), grammar::events(&whole)] {
        let pieces = Do::Pieces(body.into_bytes(), 16 * 1024);
        let server = Server::start(vec![vec![head(200, EVENTS), pieces, Do::End]]).await;
        let before = Instant::now();
        let said = talk(&server, "openai", "local").answer().await;
        println!("2 MB of arguments: {:?}", before.elapsed());
        let call = said.tool_calls().next().unwrap();
        assert!(
            call.args == args,
            "{} of {} bytes",
            call.args.len(),
            args.len()
        );
    }
}

fn grammar_chunk(delta: Value) -> Value {
    json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]})
}

#[tokio::test]
async fn giving_up_closes_the_connection_at_once() {
    for (grammar, ..) in Grammar::ALL {
        for by_token in [true, false] {
            let body = grammar.body(&ACTS);
            let half = body[..body.find("🦀").unwrap()].rfind('\n').unwrap() + 1;
            let half = body.as_bytes()[..half].to_vec();
            let answer = vec![head(200, kind(grammar)), Do::Chunk(half), Do::Stall];
            let server = Server::start(vec![answer]).await;
            let talk = Talk::of(speaker(grammar, &server)).user("Go.");
            let cancel = CancellationToken::new();
            let stream = talk
                .provider
                .stream(talk.request.clone(), cancel.clone())
                .await;
            let mut stream = stream.unwrap();
            assert!(matches!(stream.next().await, Some(Ok(Delta::Thinking(_)))));
            server.stalled().await;
            let given_up = Instant::now();
            if by_token {
                cancel.cancel();
                let last = stream.next().await;
                let pieces = stream.collect::<Vec<_>>().await;
                let last = pieces.into_iter().last().or(last).unwrap();
                assert_eq!(last, Ok(Delta::Stop(StopReason::Aborted)));
            } else {
                drop(stream);
            }
            let took = server.gone().await.saturating_duration_since(given_up);
            println!("{grammar:?} by {by_token}: the connection closed after {took:?}");
            assert!(took < Duration::from_millis(100), "{grammar:?}: {took:?}");
        }
    }
}

#[tokio::test]
async fn giving_up_before_the_answer_closes_the_connection() {
    let server = Server::start(vec![vec![Do::Stall]]).await;
    let talk = talk(&server, "openai", "local");
    let request = talk.request.clone();
    let asking = talk.provider.stream(request, CancellationToken::new());
    let given_up = tokio::select! {
        _ = asking => panic!("it does not answer"),
        () = server.stalled() => Instant::now(),
    };
    let took = server.gone().await.saturating_duration_since(given_up);
    assert!(took < Duration::from_millis(100), "{took:?}");
}
