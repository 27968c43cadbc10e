//! Answers as they arrive: what is odd, what is missing, what is new.

use futures::StreamExt as _;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use zeug_provider::{Delta, FailureKind};
use zeug_providers::http::{Memory, Reply};
use zeug_transcript::{AssistantMessage, Part, StopReason};

use crate::kit::grammar::{Act, Grammar, events, named};
use crate::kit::{Talk, plain, saying, usage};

const ACTS: [Act; 4] = [
    Act::Think("Hm."),
    Act::Text("Hi. äöü 世界 🦀"),
    Act::Call("c1", "read", r#"{"path":"ä"}"#),
    Act::Stop,
];

fn talk(provider: &str, model: &str, reply: Reply) -> Talk {
    Talk::new(provider, model, &Memory::new([reply])).user("Go.")
}

async fn answer(provider: &str, model: &str, reply: Reply) -> AssistantMessage {
    talk(provider, model, reply).answer().await
}

#[tokio::test]
async fn bytes_may_be_split_anywhere() {
    for (grammar, provider, model) in Grammar::ALL {
        let whole = answer(provider, model, grammar.reply(&ACTS)).await;
        for size in [1, 2, 3, 7, 64] {
            let split = answer(provider, model, grammar.reply(&ACTS).split(size)).await;
            assert_eq!(plain(&split), plain(&whole), "{provider} by {size}");
        }
    }
}

#[tokio::test]
async fn lines_may_end_the_windows_way_and_comments_are_skipped() {
    for (grammar, provider, model) in Grammar::ALL {
        if grammar == Grammar::Ollama {
            continue;
        }
        let body = format!(": hello\n\n{}", grammar.body(&ACTS)).replace('\n', "\r\n");
        let odd = answer(provider, model, Reply::events(body)).await;
        let whole = answer(provider, model, grammar.reply(&ACTS)).await;
        assert_eq!(plain(&odd), plain(&whole), "{provider}");
    }
}

#[tokio::test]
async fn unknown_events_and_fields_are_skipped() {
    let news = json!({"type": "brand_new", "what": {"is": ["this"]}});
    for (grammar, provider, model) in Grammar::ALL {
        let body = grammar.body(&ACTS);
        let body = if grammar == Grammar::Ollama {
            body.replace("\"done\":false", "\"done\":false,\"brand\":\"new\"")
        } else {
            format!("event: brand_new\ndata: {news}\n\n{body}")
        };
        let odd = answer(
            provider,
            model,
            Reply::status(200)
                .header("content-type", "text/event-stream")
                .bytes(body),
        )
        .await;
        let whole = answer(provider, model, grammar.reply(&ACTS)).await;
        assert_eq!(plain(&odd), plain(&whole), "{provider}");
    }
}

#[tokio::test]
async fn pieces_arrive_as_they_come() {
    let (pieces, _) = talk(
        "anthropic",
        "claude-opus-4-6",
        Grammar::Anthropic.reply(&ACTS),
    )
    .pieces()
    .await;
    let call = |piece: &Delta| match piece {
        Delta::ToolCallStart { id, name } => format!("start {id} {name}"),
        Delta::ToolCallArgs { json, .. } => json.clone(),
        Delta::ToolCallEnd { id } => format!("end {id}"),
        Delta::Text(text) | Delta::Thinking(text) => text.clone(),
        Delta::ThinkingSignature(_) => "note".into(),
        Delta::Usage(_) => "usage".into(),
        Delta::Stop(_) => "stop".into(),
    };
    let shown: Vec<String> = pieces.iter().map(call).collect();
    assert_eq!(
        shown,
        [
            "H",
            "m.",
            "Hi. äöü ",
            "世界 🦀",
            "start c1 read",
            "{\"path",
            "\":\"ä\"}",
            "end c1",
            "usage",
            "note",
            "stop"
        ]
    );
}

fn chat_chunk(delta: Value, finish: Value) -> Value {
    json!({"object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}

/// Two calls told by turns, in Chat's words.
fn interleaved_chat() -> String {
    let call = |index: u64, rest: Value| {
        let mut call = json!({"index": index});
        call.as_object_mut()
            .unwrap()
            .extend(rest.as_object().unwrap().clone());
        chat_chunk(json!({"tool_calls": [call]}), Value::Null)
    };
    let args = |index, text: &str| call(index, json!({"function": {"arguments": text}}));
    events(&[
        call(
            0,
            json!({"id": "a", "function": {"name": "read", "arguments": ""}}),
        ),
        call(
            1,
            json!({"id": "b", "function": {"name": "write", "arguments": ""}}),
        ),
        args(0, "{\"x\""),
        args(1, "{\"y\""),
        args(0, ":1}"),
        args(1, ":2}"),
        chat_chunk(json!({}), json!("tool_calls")),
    ])
}

/// The same in the words of Responses.
fn interleaved_responses() -> String {
    let item = |index: u64, id: &str, name: &str| {
        json!({"type": "response.output_item.added", "output_index": index, "item":
            {"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name,
                "arguments": ""}})
    };
    let delta = |index: u64, text: &str| {
        json!({"type": "response.function_call_arguments.delta", "output_index": index,
            "delta": text})
    };
    let done = |index: u64, id: &str, name: &str, args: &str| {
        json!({"type": "response.output_item.done", "output_index": index, "item":
            {"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name,
                "arguments": args, "status": "completed"}})
    };
    named(&[
        item(0, "a", "read"),
        item(1, "b", "write"),
        delta(0, "{\"x\""),
        delta(1, "{\"y\""),
        delta(0, ":1}"),
        delta(1, ":2}"),
        done(0, "a", "read", "{\"x\":1}"),
        done(1, "b", "write", "{\"y\":2}"),
        json!({"type": "response.completed", "response": {"status": "completed"}}),
    ])
}

#[tokio::test]
async fn two_calls_may_interleave() {
    for (provider, body) in [
        ("openrouter", interleaved_chat()),
        ("openai", interleaved_responses()),
    ] {
        let said = answer(provider, "m", Reply::events(body)).await;
        let calls: Vec<_> = said
            .tool_calls()
            .map(|call| (call.id.as_str(), call.name.as_str(), call.args.as_str()))
            .collect();
        let expect = [("a", "read", "{\"x\":1}"), ("b", "write", "{\"y\":2}")];
        assert_eq!(calls, expect, "{provider}");
        assert_eq!(said.stop, StopReason::ToolUse);
    }
}

#[tokio::test]
async fn calls_without_arguments_have_an_empty_object() {
    let call = |args: Value| {
        let call = json!({"index": 0, "id": "a", "function": {"name": "list", "arguments": args}});
        events(&[
            chat_chunk(json!({"tool_calls": [call]}), Value::Null),
            chat_chunk(json!({}), json!("tool_calls")),
        ])
    };
    for args in [
        json!(""),
        json!("{}"),
        Value::Null,
        json!("null"),
        json!({}),
    ] {
        let said = answer("openrouter", "m", Reply::events(call(args.clone()))).await;
        let call = said.tool_calls().next().unwrap().clone();
        assert_eq!(call.args, "{}", "{args}");
    }
}

#[tokio::test]
async fn arguments_that_are_no_json_pass_as_the_model_wrote_them() {
    let call = json!({"index": 0, "id": "a", "function": {"name": "t", "arguments": "{\"x\": "}});
    let body = events(&[
        chat_chunk(json!({"tool_calls": [call]}), Value::Null),
        chat_chunk(json!({}), json!("tool_calls")),
    ]);
    let said = answer("openrouter", "m", Reply::events(body)).await;
    assert_eq!(said.tool_calls().next().unwrap().args, "{\"x\": ");
}

#[tokio::test]
async fn an_answer_at_its_limit_says_so() {
    let anthropic = Grammar::Anthropic
        .body(&ACTS[1..2])
        .replace("end_turn", "max_tokens");
    let chat = Grammar::Chat
        .body(&ACTS[1..2])
        .replace("\"stop\"", "\"length\"");
    let gemini = Grammar::Gemini
        .body(&ACTS[1..2])
        .replace("STOP", "MAX_TOKENS");
    let responses = Grammar::Responses
        .body(&ACTS[1..2])
        .replace("response.completed", "response.incomplete")
        .replace(
            "\"status\":\"completed\",\"output\"",
            "\"incomplete_details\":{\"reason\":\"max_output_tokens\"},\"output\"",
        );
    for (provider, body) in [
        ("anthropic", anthropic),
        ("openrouter", chat),
        ("gemini", gemini),
        ("openai", responses),
    ] {
        let said = answer(provider, "m", Reply::events(body)).await;
        assert_eq!(said.stop, StopReason::Length, "{provider}");
        assert_eq!(said.text(""), "Hi. äöü 世界 🦀", "{provider}");
    }
}

#[tokio::test]
async fn a_refusal_is_a_failure_with_its_tokens_counted() {
    let anthropic = Grammar::Anthropic
        .body(&ACTS[1..2])
        .replace("end_turn", "refusal");
    let chat = Grammar::Chat
        .body(&ACTS[1..2])
        .replace("\"stop\"", "\"content_filter\"");
    let gemini = Grammar::Gemini.body(&ACTS[1..2]).replace("STOP", "SAFETY");
    for (provider, body) in [
        ("anthropic", anthropic),
        ("openrouter", chat),
        ("gemini", gemini),
    ] {
        let (pieces, failure) = talk(provider, "m", Reply::events(body)).pieces().await;
        let failure = failure.unwrap();
        assert_eq!(failure.kind, FailureKind::Refused, "{provider}: {failure}");
        assert!(!failure.kind.is_retryable());
        assert!(
            pieces.contains(&Delta::Usage(usage(6, 5, 4, 0))),
            "{provider}: {pieces:?}"
        );
    }
}

#[tokio::test]
async fn a_blocked_prompt_is_a_refusal() {
    let body = events(&[json!({"promptFeedback": {"blockReason": "SAFETY"}})]);
    let failure = talk("gemini", "m", Reply::events(body)).failure().await;
    assert_eq!(failure.kind, FailureKind::Refused, "{failure}");
}

#[tokio::test]
async fn a_whole_answer_in_place_of_a_stream_is_understood() {
    let chat = json!({"object": "chat.completion", "choices": [{"index": 0, "message":
        {"role": "assistant", "content": "Hi.", "tool_calls": [{"id": "a", "type": "function",
            "function": {"name": "read", "arguments": "{}"}}]}, "finish_reason": "tool_calls"}]});
    let anthropic = json!({"type": "message", "content": [{"type": "text", "text": "Hi."},
        {"type": "tool_use", "id": "a", "name": "read", "input": {}}], "stop_reason": "tool_use"});
    for (provider, body) in [("openrouter", chat), ("anthropic", anthropic)] {
        let body = serde_json::to_string_pretty(&body).unwrap();
        let said = answer(provider, "m", Reply::json(200, body)).await;
        assert_eq!(said.text(""), "Hi.", "{provider}");
        assert_eq!(said.tool_calls().next().unwrap().id, "a", "{provider}");
    }
}

#[tokio::test]
async fn a_stream_that_does_not_say_what_it_is_is_understood() {
    let body = Grammar::Chat.body(&ACTS);
    let said = answer("openrouter", "m", Reply::status(201).bytes(body)).await;
    assert_eq!(said.text(""), "Hi. äöü 世界 🦀");
}

#[tokio::test]
async fn reasoning_between_tags_is_reasoning() {
    let record = |content: &str, done: bool| {
        json!({"message": {"role": "assistant", "content": content}, "done": done,
            "done_reason": "stop"})
    };
    let lines = [
        record("<thi", false),
        record("nk>Hm.</think>\n\nHi.", false),
        record("", true),
    ];
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let said = answer("ollama", "m", Reply::status(200).bytes(body)).await;
    let expect = [
        Part::Thinking {
            text: "Hm.".into(),
            signature: None,
        },
        Part::Text("Hi.".into()),
    ];
    assert_eq!(plain(&said), expect);
}

#[tokio::test]
async fn tokens_that_were_written_to_the_cache_are_counted_apart() {
    let body = Grammar::Anthropic.body(&ACTS).replace(
        "\"cache_creation_input_tokens\":0",
        "\"cache_creation_input_tokens\":7",
    );
    let said = answer("anthropic", "m", Reply::events(body)).await;
    assert_eq!(said.usage, Some(usage(6, 5, 4, 7)));
}

#[tokio::test]
async fn a_cancelled_answer_ends_as_such() {
    let reply = Reply::events(Grammar::Anthropic.body(&ACTS[..2]))
        .split(400)
        .stalled();
    let talk = talk("anthropic", "m", reply);
    let cancel = CancellationToken::new();
    let stream = talk
        .provider
        .stream(talk.request.clone(), cancel.clone())
        .await;
    let mut stream = stream.unwrap();
    assert_eq!(stream.next().await, Some(Ok(Delta::Thinking("H".into()))));
    cancel.cancel();
    let rest: Vec<_> = stream.collect().await;
    assert_eq!(rest.last(), Some(&Ok(Delta::Stop(StopReason::Aborted))));

    let memory = Memory::new([saying(Grammar::Anthropic, "ok")]);
    let talk = Talk::new("anthropic", "m", &memory).user("Go.");
    let stream = talk
        .provider
        .stream(talk.request.clone(), cancel)
        .await
        .unwrap();
    let all: Vec<_> = stream.collect().await;
    assert_eq!(all, [Ok(Delta::Stop(StopReason::Aborted))]);
    assert!(
        memory.seen().is_empty(),
        "nothing is sent after a cancellation"
    );
}
