//! The same answer in the grammar of every provider, written by hand after their documentation.
//!
//! The suites of `providers` and of the binary both read this; each uses its part.

use serde_json::{Value, json};
use zeug_providers::http::Reply;

/// One thing a model does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    Think(&'static str),
    Text(&'static str),
    /// Id, name, arguments.
    Call(&'static str, &'static str, &'static str),
    Stop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    Anthropic,
    Responses,
    Chat,
    /// Chat as most servers that reason speak it.
    ReasoningContent,
    Gemini,
    Ollama,
}

use Act::{Call, Stop, Text, Think};

impl Grammar {
    /// With a provider that speaks it, and a model there.
    pub(crate) const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::Anthropic, "anthropic", "claude-opus-4-6"),
        (Self::Responses, "openai", "gpt-5.2"),
        (Self::Chat, "openrouter", "some/model"),
        (Self::Gemini, "gemini", "gemini-3-flash-preview"),
        (Self::Ollama, "ollama", "qwen3"),
    ];

    /// What the server answers; 10 tokens in, 4 of them cached, 5 out.
    pub(crate) fn reply(self, acts: &[Act]) -> Reply {
        let text = self.body(acts);
        match self {
            Self::Ollama => Reply::status(200)
                .header("content-type", "application/x-ndjson")
                .bytes(text),
            _ => Reply::events(text),
        }
    }

    pub(crate) fn body(self, acts: &[Act]) -> String {
        match self {
            Self::Anthropic => named(&anthropic(acts)),
            Self::Responses => named(&responses(acts)),
            Self::Chat => events(&chat(acts, "reasoning")) + "data: [DONE]\n\n",
            Self::ReasoningContent => events(&chat(acts, "reasoning_content")) + "data: [DONE]\n\n",
            Self::Gemini => events(&gemini(acts)),
            Self::Ollama => ollama(acts)
                .iter()
                .map(|line| format!("{line}\n"))
                .collect(),
        }
    }
}

/// Events with their names.
pub(crate) fn named(all: &[Value]) -> String {
    all.iter()
        .map(|event| {
            let kind = event["type"].as_str().unwrap_or_default();
            format!("event: {kind}\ndata: {event}\n\n")
        })
        .collect()
}

/// Events without names.
pub(crate) fn events(all: &[Value]) -> String {
    all.iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect()
}

/// A text in two pieces, cut at a character.
fn halves(text: &str) -> [&str; 2] {
    let at = (text.len() / 2..=text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len());
    let (one, two) = text.split_at(at);
    [one, two]
}

fn calls(acts: &[Act]) -> bool {
    acts.iter().any(|act| matches!(act, Call(..)))
}

fn anthropic(acts: &[Act]) -> Vec<Value> {
    let usage = json!({"input_tokens": 6, "cache_read_input_tokens": 4,
        "cache_creation_input_tokens": 0, "output_tokens": 1});
    let mut all = vec![json!({"type": "message_start", "message": {"id": "msg_1",
        "type": "message", "role": "assistant", "content": [], "model": "m", "usage": usage}})];
    for (index, act) in acts.iter().enumerate() {
        let (block, kind, key, text) = match act {
            Think(text) => (
                json!({"type": "thinking", "thinking": "", "signature": ""}),
                "thinking_delta",
                "thinking",
                text,
            ),
            Text(text) => (
                json!({"type": "text", "text": ""}),
                "text_delta",
                "text",
                text,
            ),
            Call(id, name, args) => (
                json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
                "input_json_delta",
                "partial_json",
                args,
            ),
            Stop => continue,
        };
        let mut event = |kind: &str, key: &str, value: Value| {
            all.push(json!({"type": kind, "index": index, key: value}));
        };
        event("content_block_start", "content_block", block);
        for piece in halves(text) {
            event(
                "content_block_delta",
                "delta",
                json!({"type": kind, key: piece}),
            );
        }
        if matches!(act, Think(_)) {
            let signed = json!({"type": "signature_delta", "signature": "c2lnbmVk"});
            event("content_block_delta", "delta", signed);
        }
        all.push(json!({"type": "content_block_stop", "index": index}));
    }
    let reason = if calls(acts) { "tool_use" } else { "end_turn" };
    all.push(
        json!({"type": "message_delta", "delta": {"stop_reason": reason},
        "usage": {"output_tokens": 5}}),
    );
    all.push(json!({"type": "message_stop"}));
    all
}

fn responses(acts: &[Act]) -> Vec<Value> {
    let mut all = vec![json!({"type": "response.created", "response": {"id": "resp_1"}})];
    let mut output = Vec::new();
    for (index, act) in acts.iter().enumerate() {
        let (added, kind, extra, text, done) = match act {
            Think(text) => (
                json!({"type": "reasoning", "id": format!("rs_{index}"), "summary": []}),
                "response.reasoning_summary_text.delta",
                json!({"summary_index": 0}),
                text,
                json!({"type": "reasoning", "id": format!("rs_{index}"),
                    "summary": [{"type": "summary_text", "text": text}],
                    "encrypted_content": "ZW5jcnlwdGVk"}),
            ),
            Text(text) => (
                json!({"type": "message", "id": format!("msg_{index}"), "role": "assistant",
                    "content": [], "status": "in_progress"}),
                "response.output_text.delta",
                json!({"content_index": 0}),
                text,
                json!({"type": "message", "id": format!("msg_{index}"), "role": "assistant",
                    "status": "completed",
                    "content": [{"type": "output_text", "text": text, "annotations": []}]}),
            ),
            Call(id, name, args) => (
                json!({"type": "function_call", "id": format!("fc_{index}"), "call_id": id,
                    "name": name, "arguments": "", "status": "in_progress"}),
                "response.function_call_arguments.delta",
                json!({}),
                args,
                json!({"type": "function_call", "id": format!("fc_{index}"), "call_id": id,
                    "name": name, "arguments": args, "status": "completed"}),
            ),
            Stop => continue,
        };
        all.push(
            json!({"type": "response.output_item.added", "output_index": index,
            "item": added}),
        );
        for piece in halves(text) {
            let mut event = json!({"type": kind, "output_index": index, "item_id": added["id"],
                "delta": piece});
            event
                .as_object_mut()
                .unwrap()
                .extend(extra.as_object().unwrap().clone());
            all.push(event);
        }
        all.push(
            json!({"type": "response.output_item.done", "output_index": index,
            "item": done}),
        );
        output.push(done);
    }
    all.push(completed(&output));
    all
}

fn completed(output: &[Value]) -> Value {
    json!({"type": "response.completed", "response": {"id": "resp_1", "model": "m",
        "status": "completed", "output": output, "usage": {"input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 4}, "output_tokens": 5, "total_tokens": 15}}})
}

fn chat(acts: &[Act], field: &str) -> Vec<Value> {
    let chunk = |delta: Value, finish: Value| {
        json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
    };
    let mut all = vec![chunk(
        json!({"role": "assistant", "content": ""}),
        Value::Null,
    )];
    let mut index = 0;
    for act in acts {
        match act {
            Think(text) => {
                for piece in halves(text) {
                    all.push(chunk(json!({field: piece}), Value::Null));
                }
            }
            Text(text) => {
                for piece in halves(text) {
                    all.push(chunk(json!({"content": piece}), Value::Null));
                }
            }
            Call(id, name, args) => {
                let first = json!({"tool_calls": [{"index": index, "id": id, "type": "function",
                    "function": {"name": name, "arguments": ""}}]});
                all.push(chunk(first, Value::Null));
                for piece in halves(args) {
                    let more = json!({"tool_calls": [{"index": index,
                        "function": {"arguments": piece}}]});
                    all.push(chunk(more, Value::Null));
                }
                index += 1;
            }
            Stop => {}
        }
    }
    let reason = if calls(acts) { "tool_calls" } else { "stop" };
    all.push(chunk(json!({}), json!(reason)));
    all.push(
        json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15,
            "prompt_tokens_details": {"cached_tokens": 4}}}),
    );
    all
}

fn gemini(acts: &[Act]) -> Vec<Value> {
    let chunk = |parts: Vec<Value>| {
        json!({"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}],
            "modelVersion": "m", "responseId": "r1"})
    };
    let mut all = Vec::new();
    let mut signed = false;
    for act in acts {
        match act {
            Think(text) => all.extend(
                halves(text).map(|piece| chunk(vec![json!({"text": piece, "thought": true})])),
            ),
            Text(text) => {
                all.extend(halves(text).map(|piece| chunk(vec![json!({"text": piece})])));
            }
            Call(id, name, args) => {
                let args: Value = serde_json::from_str(args).unwrap();
                let mut part = json!({"functionCall": {"id": id, "name": name, "args": args}});
                // The first call of a turn is signed.
                if !std::mem::replace(&mut signed, true) {
                    part["thoughtSignature"] = json!("c2lnbmVk");
                }
                all.push(chunk(vec![part]));
            }
            Stop => {}
        }
    }
    all.push(
        json!({"candidates": [{"content": {"role": "model", "parts": [{"text": ""}]},
        "finishReason": "STOP", "index": 0}], "usageMetadata": {"promptTokenCount": 10,
        "cachedContentTokenCount": 4, "candidatesTokenCount": 3, "thoughtsTokenCount": 2,
        "totalTokenCount": 15}}),
    );
    all
}

fn ollama(acts: &[Act]) -> Vec<Value> {
    let record = |message: Value| json!({"model": "m", "message": message, "done": false});
    let mut all = Vec::new();
    for act in acts {
        match act {
            Think(text) => all.extend(halves(text).map(|piece| {
                record(json!({"role": "assistant", "content": "", "thinking": piece}))
            })),
            Text(text) => all.extend(
                halves(text).map(|piece| record(json!({"role": "assistant", "content": piece}))),
            ),
            Call(id, name, args) => {
                let args: Value = serde_json::from_str(args).unwrap();
                all.push(record(
                    json!({"role": "assistant", "content": "", "tool_calls":
                    [{"id": id, "function": {"index": 0, "name": name, "arguments": args}}]}),
                ));
            }
            Stop => {}
        }
    }
    all.push(
        json!({"model": "m", "message": {"role": "assistant", "content": ""}, "done": true,
        "done_reason": "stop", "prompt_eval_count": 10, "prompt_eval_cached_count": 4,
        "eval_count": 5}),
    );
    all
}
