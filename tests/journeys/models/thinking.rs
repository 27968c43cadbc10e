//! A model's signed reasoning goes back to it, also from another process.

use serde_json::{Value, json};

use super::server::{SIGNATURE, Server};
use super::{KEY, with_env};
use crate::support::World;

/// The blocks of reasoning in a request, with those behind them.
fn reasoning(body: &Value) -> Vec<(Value, Value)> {
    let messages = body["messages"].as_array().unwrap();
    let blocks = |message: &Value| message["content"].as_array().cloned().unwrap_or_default();
    let pairs = |blocks: Vec<Value>| {
        let pairs = blocks
            .windows(2)
            .filter(|pair| pair[0]["type"] == "thinking");
        pairs
            .map(|pair| (pair[0].clone(), pair[1].clone()))
            .collect::<Vec<_>>()
    };
    messages.iter().map(blocks).flat_map(pairs).collect()
}

#[test]
fn a_signature_survives_a_restart() {
    let world = World::new();
    let server = Server::thinking();
    world.config(&format!(
        "provider = \"anthropic\"\nreasoning = \"low\"\n[providers.anthropic]\nbase_url = {:?}\n",
        server.url()
    ));
    let run = |args: &[&str]| with_env(&world, &[("ANTHROPIC_API_KEY", KEY)], args).exits(0);
    assert_eq!(run(&["-p", "look"]).stdout, "thought\n");
    let ran = run(&["-c", "-p", "look again"]);
    assert_eq!(ran.stdout, "thought\n");
    let heard = server.heard();
    assert_eq!(heard.len(), 4, "{heard:#?}");
    assert!(reasoning(&heard[0].body).is_empty());
    let same_process = reasoning(&heard[1].body);
    let thinking = json!({"type": "thinking", "thinking": "which files are there",
        "signature": SIGNATURE});
    assert_eq!(same_process.len(), 1, "{:#}", heard[1].body);
    assert_eq!(same_process[0].0, thinking);
    assert_eq!(same_process[0].1["id"], "toolu_1");
    let restarted = reasoning(&heard[2].body);
    assert_eq!(restarted, same_process, "the same words, byte for byte");
    // What was said before is sent again as it was: the provider's cache can be used.
    let said = |at: usize| heard[at].body["messages"].as_array().unwrap().clone();
    let texts = |messages: &[Value]| -> Vec<String> {
        let without_marks = |message: &Value| {
            let mut message = message.clone();
            for block in message["content"].as_array_mut().into_iter().flatten() {
                block.as_object_mut().unwrap().remove("cache_control");
            }
            message.to_string()
        };
        messages.iter().map(without_marks).collect()
    };
    let (before, after) = (texts(&said(1)), texts(&said(2)));
    assert_eq!(after[..before.len()], before[..]);
}
