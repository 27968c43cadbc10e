//! What a model said goes back to it as it said it, and to nobody else.

use serde_json::{Value, json};
use zeug_providers::http::{Memory, Reply};
use zeug_transcript::{Message, Part};

use crate::kit::grammar::{Act, Grammar, events, named};
use crate::kit::{KEY, Talk, described, last_body, note, saying};

const TURN: [Act; 4] = [
    Act::Think("The secret plan is to read."),
    Act::Text("Reading."),
    Act::Call("call_1", "read", r#"{"path":"a.rs"}"#),
    Act::Stop,
];
const SCHEMA: &str = r#"{"type":"object"}"#;

fn started(provider: &str, model: &str, memory: &Memory) -> Talk {
    Talk::new(provider, model, memory)
        .user("Go.")
        .tool("read", SCHEMA)
}

/// The body of a second request after this first answer.
async fn after(provider: &str, model: &str, first: Reply, grammar: Grammar) -> Value {
    let memory = Memory::new([first, saying(grammar, "ok")]);
    let talk = started(provider, model, &memory).play().await;
    let calls = match talk.request.messages.last() {
        Some(Message::Assistant(said)) => said.tool_calls().count(),
        _ => 0,
    };
    let talk = (0..calls).fold(talk, |talk, at| talk.ok(at, "done"));
    let talk = if calls == 0 { talk.user("And?") } else { talk };
    talk.answer().await;
    last_body(&memory)
}

#[tokio::test]
async fn a_restart_changes_nothing() {
    for (grammar, provider, model) in Grammar::ALL {
        let memory = Memory::new([
            grammar.reply(&TURN),
            saying(grammar, "ok"),
            saying(grammar, "ok"),
        ]);
        let talk = started(provider, model, &memory).play().await.ok(0, "done");
        talk.answer().await;
        let before = last_body(&memory);
        let stored = serde_json::to_string(&talk.request.messages).unwrap();
        let mut again = started(provider, model, &memory);
        again.request.messages = serde_json::from_str(&stored).unwrap();
        again.answer().await;
        assert_eq!(last_body(&memory), before, "{provider}");
    }
}

#[tokio::test]
async fn another_model_gets_neither_reasoning_nor_signature() {
    for (grammar, provider, model) in Grammar::ALL {
        for (other, to_provider, to_model) in Grammar::ALL {
            let memory = Memory::new([grammar.reply(&TURN), saying(other, "ok")]);
            let mut talk = started(provider, model, &memory).play().await.ok(0, "done");
            // Another model, also when it is at the same provider.
            let to_model = if to_provider == provider {
                "another"
            } else {
                to_model
            };
            talk.provider = started(to_provider, to_model, &memory).provider;
            talk.request.model = to_model.into();
            talk.answer().await;
            let sent = last_body(&memory).to_string();
            let case = format!("{provider} to {to_provider}");
            for private in ["secret plan", "c2lnbmVk", "ZW5jcnlwdGVk", "rs_0", "fc_2"] {
                assert!(!sent.contains(private), "{case}: {private} in {sent}");
            }
            assert!(sent.contains("Reading."), "{case}: {sent}");
            assert!(sent.contains("a.rs"), "{case}: {sent}");
        }
    }
}

#[tokio::test]
async fn the_first_model_gets_its_reasoning_again_when_it_is_back() {
    let memory = Memory::new([
        Grammar::Anthropic.reply(&TURN),
        saying(Grammar::Chat, "from another"),
        saying(Grammar::Anthropic, "ok"),
    ]);
    let first = started("anthropic", "claude-opus-4-6", &memory);
    let mut talk = first.clone().play().await.ok(0, "done");
    talk.provider = started("openrouter", "x/y", &memory).provider;
    talk.request.model = "x/y".into();
    let mut talk = talk.play().await.user("Back.");
    talk.provider = first.provider;
    talk.request.model = "claude-opus-4-6".into();
    talk.answer().await;
    let sent = last_body(&memory);
    assert_eq!(sent["messages"][1]["content"][0]["signature"], "c2lnbmVk");
    assert_eq!(sent["messages"][3]["content"][0]["text"], "from another");
}

#[tokio::test]
async fn an_edited_message_goes_back_without_its_proof() {
    for (grammar, provider, model) in Grammar::ALL {
        let memory = Memory::new([grammar.reply(&TURN), saying(grammar, "ok")]);
        let mut talk = started(provider, model, &memory).play().await.ok(0, "done");
        let Some(Message::Assistant(said)) = talk.request.messages.get_mut(1) else {
            unreachable!()
        };
        let mut edited = String::new();
        for part in &mut said.parts {
            if let Part::Text(text) = part {
                // As long as it was: no length gives the edit away.
                *text = text.to_uppercase();
                edited.push_str(text);
            }
        }
        talk.answer().await;
        let sent = last_body(&memory).to_string();
        assert!(sent.contains(&edited), "{provider}: {sent}");
        for proof in ["c2lnbmVk", "ZW5jcnlwdGVk"] {
            assert!(!sent.contains(proof), "{provider}: {sent}");
        }
    }
}

#[tokio::test]
async fn a_note_repeats_no_text_and_is_no_part_of_the_conversation() {
    let long = "A long thought that would be stored twice. ".repeat(50);
    let long: &'static str = long.leak();
    for (grammar, provider, model) in Grammar::ALL {
        let acts = [Act::Think(long), Act::Text("Hi."), Act::Stop];
        let memory = Memory::new([grammar.reply(&acts), saying(grammar, "ok")]);
        let talk = started(provider, model, &memory)
            .play()
            .await
            .user("Again.");
        let Some(Message::Assistant(said)) = talk.request.messages.get(1) else {
            unreachable!()
        };
        if let Some(note) = note(said) {
            assert!(note.len() < 600, "{provider}: {note}");
        }
        talk.answer().await;
        let sent = last_body(&memory).to_string();
        assert!(
            !sent.contains(r#"\"sum\""#) && !sent.contains(r#""$""#),
            "{provider}: {sent}"
        );
    }
}

#[tokio::test]
async fn what_nobody_signed_needs_no_note() {
    for (grammar, provider, model) in Grammar::ALL {
        let acts = [Act::Text("Hi."), Act::Call("c", "read", "{}"), Act::Stop];
        let memory = Memory::new([grammar.reply(&acts)]);
        let said = started(provider, model, &memory).answer().await;
        let signs = matches!(grammar, Grammar::Responses | Grammar::Gemini);
        assert_eq!(note(&said).is_some(), signs, "{provider}");
    }
}

#[tokio::test]
async fn reasoning_that_is_only_encrypted_goes_back_in_its_place() {
    let item = json!({"type": "reasoning", "id": "rs_1", "summary": [],
        "encrypted_content": "ZW5jcnlwdGVk"});
    let call = json!({"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "read",
        "arguments": "{}", "status": "completed"});
    let first = named(&[
        json!({"type": "response.output_item.added", "output_index": 0,
            "item": {"type": "reasoning", "id": "rs_1", "summary": []}}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.output_item.added", "output_index": 1,
            "item": {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "read",
                "arguments": ""}}),
        json!({"type": "response.output_item.done", "output_index": 1, "item": call}),
        json!({"type": "response.completed", "response": {"status": "completed",
            "output": [item, call]}}),
    ]);
    let sent = after(
        "openai",
        "gpt-5.2",
        Reply::events(first),
        Grammar::Responses,
    )
    .await;
    assert_eq!(sent["input"][1], item);
    assert_eq!(sent["input"][2], call);
    assert_eq!(sent["input"][3]["call_id"], "c1");
}

#[tokio::test]
async fn redacted_thinking_goes_back() {
    let redacted = json!({"type": "redacted_thinking", "data": "b3BhcXVl"});
    let first = named(&[
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": redacted}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1,
            "content_block": {"type": "text", "text": "Hi."}}),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
    ]);
    let first = Reply::events(first);
    let sent = after("anthropic", "claude-opus-4-6", first, Grammar::Anthropic).await;
    assert_eq!(sent["messages"][1]["content"][0], redacted);
    assert_eq!(sent["messages"][1]["content"][1]["text"], "Hi.");
}

#[tokio::test]
async fn details_of_reasoning_that_come_late_go_back() {
    let chunk = |delta: Value, finish: Value| {
        json!({"object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
    };
    let details = json!([{"type": "reasoning.encrypted", "data": "ZW5jcnlwdGVk", "id": "r1"}]);
    let first = events(&[
        chunk(json!({"reasoning": "Hm."}), Value::Null),
        chunk(json!({"content": "Hi."}), Value::Null),
        chunk(json!({"reasoning_details": details}), Value::Null),
        chunk(json!({}), json!("stop")),
    ]) + "data: [DONE]\n\n";
    let sent = after("openrouter", "x/y", Reply::events(first), Grammar::Chat).await;
    assert_eq!(sent["messages"][1]["reasoning"], "Hm.");
    assert_eq!(sent["messages"][1]["reasoning_details"], details);
}

#[tokio::test]
async fn a_signature_on_text_goes_back() {
    let first = events(&[
        json!({"candidates": [{"content": {"parts": [{"text": "Hi."}]}}]}),
        json!({"candidates": [{"content": {"parts": [{"text": "",
            "thoughtSignature": "c2lnbmVk"}]}, "finishReason": "STOP"}]}),
    ]);
    let first = Reply::events(first);
    let sent = after("gemini", "gemini-3-flash-preview", first, Grammar::Gemini).await;
    let part = json!({"text": "Hi.", "thoughtSignature": "c2lnbmVk"});
    assert_eq!(sent["contents"][1]["parts"][0], part);
}

#[tokio::test]
async fn mistral_gets_its_chunks_of_thinking_back() {
    let chunk = |content: Value, finish: Value| {
        json!({"object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": {"content": content}, "finish_reason": finish}]})
    };
    let thinking =
        json!([{"type": "thinking", "thinking": [{"type": "text", "text": "Hm, well."}]}]);
    let first = events(&[
        chunk(thinking.clone(), Value::Null),
        chunk(json!("Hi."), Value::Null),
        chunk(json!(""), json!("stop")),
    ]);
    let sent = after(
        "mistral",
        "magistral-medium",
        Reply::events(first),
        Grammar::Chat,
    )
    .await;
    assert_eq!(sent["messages"][1]["content"][0], thinking[0]);
    assert_eq!(sent["messages"][1]["content"][1]["text"], "Hi.");
}

#[tokio::test]
async fn ids_are_distinct_here_though_the_provider_gives_one_twice_or_none() {
    let call = |index: u64, id: Value| {
        json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta":
            {"tool_calls": [{"index": index, "id": id, "type": "function",
                "function": {"name": "read", "arguments": "{}"}}]}}]})
    };
    let end = json!({"object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
    let all = [
        call(0, json!("same")),
        call(1, json!("same")),
        call(2, Value::Null),
        call(3, json!("")),
        end,
    ];
    let first = events(&all) + "data: [DONE]\n\n";
    let sent = after("openrouter", "x/y", Reply::events(first), Grammar::Chat).await;
    let messages = sent["messages"].as_array().unwrap();
    let calls = messages[1]["tool_calls"].as_array().unwrap();
    let ids: Vec<&str> = calls
        .iter()
        .map(|call| call["id"].as_str().unwrap())
        .collect();
    let results: Vec<&str> = messages[2..]
        .iter()
        .map(|result| result["tool_call_id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, results);
    assert_eq!(ids[0], "same");
    let mut distinct = ids.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 4, "{ids:?}");
}

#[tokio::test]
async fn an_id_that_comes_late_is_the_one_that_goes_back() {
    let chunk = |call: Value| {
        json!({"object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": {"tool_calls": [call]}}]})
    };
    let end = json!({"object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
    let first = events(&[
        chunk(json!({"index": 0, "function": {"name": "read", "arguments": "{\"a\""}})),
        chunk(json!({"index": 0, "id": "late", "function": {"arguments": ":1}"}})),
        end,
    ]) + "data: [DONE]\n\n";
    let sent = after("openrouter", "x/y", Reply::events(first), Grammar::Chat).await;
    assert_eq!(sent["messages"][1]["tool_calls"][0]["id"], "late");
    assert_eq!(sent["messages"][2]["tool_call_id"], "late");
}

#[tokio::test]
async fn a_message_of_nobody_known_is_plain() {
    let memory = Memory::new([
        Grammar::Anthropic.reply(&TURN),
        saying(Grammar::Anthropic, "ok"),
    ]);
    let talk = Talk::of(described("anthropic", "claude-opus-4-6", &memory));
    let mut talk = talk
        .user("Go.")
        .tool("read", SCHEMA)
        .play()
        .await
        .ok(0, "done");
    if let Some(Message::Assistant(said)) = talk.request.messages.get_mut(1) {
        said.provider = None;
        said.model = None;
    }
    talk.answer().await;
    let sent = last_body(&memory).to_string();
    assert!(
        !sent.contains("signature") && !sent.contains("secret plan"),
        "{sent}"
    );
    assert!(!sent.contains(KEY));
}

#[tokio::test]
async fn a_call_that_no_model_made_is_excused_where_signatures_are_wanted() {
    let memory = Memory::new([saying(Grammar::Gemini, "ok")]);
    let mut talk = started("gemini", "gemini-3-flash-preview", &memory);
    let call = Part::ToolCall(zeug_transcript::ToolCall::new("c1", "read", "{}"));
    let said = zeug_transcript::AssistantMessage {
        parts: vec![call],
        stop: zeug_transcript::StopReason::ToolUse,
        usage: None,
        provider: None,
        model: None,
        shown: None,
        time: crate::kit::NOW,
    };
    talk.request.messages.push(Message::Assistant(said));
    talk.ok(0, "done").answer().await;
    let body = last_body(&memory);
    let part = &body["contents"][1]["parts"][0];
    assert_eq!(
        part["thoughtSignature"], "skip_thought_signature_validator",
        "{body}"
    );
}
