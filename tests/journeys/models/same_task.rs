//! One coding task with the whole agent over every wire: the same conversation, the same files.

use serde_json::{Map, Value, json};

use super::grammar::{Act, Grammar};
use super::server::Server;
use super::{KEY, with_env};
use crate::support::{World, example, have};

/// Read and ask the extension at once, edit, run something, tell about it.
const TURNS: &[&[Act]] = &[
    &[
        Act::Think("I look at the file and at the weather."),
        Act::Text("Let me look. äöü 世界"),
        Act::Call("c1", "read", r#"{"path":"notes.txt"}"#),
        Act::Call("c2", "weather", r#"{"city":"Berlin"}"#),
        Act::Stop,
    ],
    &[
        Act::Call(
            "c3",
            "edit",
            r#"{"path":"notes.txt","edits":[{"old_text":"sunny","new_text":"\"fog\"\n"}]}"#,
        ),
        Act::Stop,
    ],
    &[
        Act::Call("c4", "bash", r#"{"command":"cat notes.txt && exit 3"}"#),
        Act::Stop,
    ],
    &[Act::Text("It is foggy now."), Act::Stop],
];

/// What is the same over every wire.
struct Played {
    events: Vec<Value>,
    messages: Vec<Value>,
    file: String,
}

fn play(grammar: Grammar, provider: &str, model: &str) -> Played {
    let world = World::new();
    let server = Server::playing(grammar, TURNS);
    std::fs::write(world.project().join("notes.txt"), "Today: sunny\n").unwrap();
    world.config(&format!(
        "provider = {provider:?}\nmodel = {model:?}\n[providers.{provider}]\nbase_url = {:?}\n\
         [[providers.{provider}.models]]\nname = {model:?}\ninput_price = 1.0\n\
         output_price = 10.0\ncache_read_price = 0.5\n",
        server.url()
    ));
    let args = ["--json", "-e", &example("weather"), "--api-key", KEY, "Go."];
    let ran = with_env(&world, &[], &args).exits(0);
    let heard = server.heard();
    assert_eq!(heard.len(), TURNS.len(), "{provider}: {heard:#?}");
    let last = heard[3].body.to_string();
    for told in ["Today: sunny", "16°C, fog", "old_text", "[exit 3]"] {
        assert!(last.contains(told), "{provider}: no {told:?} in {last}");
    }
    let kept = ran.events()[0]["path"].as_str().map(str::to_owned);
    let rows = std::fs::read_to_string(kept.expect("a session")).unwrap();
    let rows = rows.lines().map(|row| serde_json::from_str(row).unwrap());
    let messages = rows.filter(|row: &Value| row["kind"] == "message");
    Played {
        events: plain(ran.events()),
        messages: plain(messages.collect()),
        file: std::fs::read_to_string(world.project().join("notes.txt")).unwrap(),
    }
}

/// Without what differs by right: names that providers give, proofs, times.
fn plain(values: Vec<Value>) -> Vec<Value> {
    let mut names = Map::new();
    values
        .into_iter()
        .filter(|value| value["type"] != "session")
        .map(|value| without(value, &mut names))
        .collect()
}

fn without(value: Value, names: &mut Map<String, Value>) -> Value {
    match value {
        Value::Array(all) => {
            let plain = all.into_iter().map(|one| without(one, names));
            // Reasoning without words is nothing but a proof.
            let silent = json!({"Thinking": {"text": ""}});
            plain.filter(|one| *one != silent).collect()
        }
        Value::Object(fields) => {
            let mut kept = Map::new();
            for (key, value) in fields {
                match key.as_str() {
                    "time" | "wall_time_seconds" | "signature" | "provider" | "model"
                    | "parent" => {}
                    // A call's name is where it is first heard of.
                    "id" | "call_id" => {
                        let next = names.len();
                        let name = value.as_str().unwrap_or_default().to_owned();
                        let known = names.entry(name).or_insert_with(|| json!(next));
                        kept.insert(key, known.clone());
                    }
                    _ => drop(kept.insert(key, without(value, names))),
                }
            }
            Value::Object(kept)
        }
        other => other,
    }
}

/// Pieces of one text are one: where a wire cuts is its own matter.
fn joined(events: &[Value]) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    for event in events {
        // Some wires say only at the end of the answer that arguments are complete.
        if event["type"] == "tool_use_end" {
            continue;
        }
        // How often a provider counts is its own matter, too; the last count says it all.
        let again = |last: &Value| last["type"] == event["type"] && last["id"] == event["id"];
        match all.last_mut().filter(|last| again(last)) {
            Some(last) if event["delta"].is_string() => {
                let whole = format!(
                    "{}{}",
                    last["delta"].as_str().unwrap_or_default(),
                    event["delta"].as_str().unwrap_or_default()
                );
                last["delta"] = json!(whole);
            }
            Some(last) if event["type"] == "usage" => *last = event.clone(),
            _ => all.push(event.clone()),
        }
    }
    all
}

#[test]
fn the_same_task_is_the_same_conversation_over_every_wire() {
    if !have("python3") {
        return;
    }
    let mut first: Option<(Played, &str)> = None;
    for (grammar, provider, model) in Grammar::ALL {
        // With an address of its own, plain `openai` speaks Chat.
        let provider = match grammar {
            Grammar::Responses => "openai-responses",
            _ => provider,
        };
        let played = play(grammar, provider, model);
        assert_eq!(played.file, "Today: \"fog\"\n\n", "{provider}");
        let usage = |event: &&Value| event["type"] == "usage";
        let spent = played.events.iter().rev().find(usage).unwrap();
        // 6 tokens in, 4 from the cache, 5 out, four times.
        assert_eq!(spent["cost_usd"], json!(0.000_058), "{provider}");
        assert_eq!(
            spent["cumulative"]["cost_usd"],
            json!(0.000_232),
            "{provider}"
        );
        let Some((first, by)) = &first else {
            first = Some((played, provider));
            continue;
        };
        let pair = |of: fn(&Played) -> Vec<Value>| (of(first), of(&played));
        let (one, other) = pair(|played| joined(&played.events));
        for (a, b) in one.iter().zip(&other) {
            assert_eq!(a, b, "{by} and {provider}");
        }
        assert_eq!(one.len(), other.len(), "{by} and {provider}");
        let (one, other) = pair(|played| played.messages.clone());
        assert!(one.len() >= 8, "{one:#?}");
        assert_eq!(one, other, "{by} and {provider}");
    }
}
