//! What sessions cost, through the binary.
//!
//! `cargo test --release -p zeug-cli --test journeys -- --ignored --nocapture figures` prints the
//! table; the bounds hold in a debug build as well.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use zeug_session::{Body, Journal, NewSession};
use zeug_transcript::{
    AssistantMessage, Content, Message, Part, Status, StopReason, Timestamp, ToolCall, ToolMessage,
    UserMessage,
};

use crate::rpc::client::Rpc;
use crate::support::World;

/// The most that a start with a session of 100,000 entries may take (issue: below a second).
const SECOND: Duration = Duration::from_secs(1);

/// A conversation of so many entries: a question, a call, its result, an answer, each of some
/// hundred bytes, perhaps with a summary in the place of all but the last hundred.
fn session(file: &Path, entries: usize, compacted: bool) {
    let mut journal = Journal::create(file, NewSession::new()).unwrap();
    let now = Timestamp::UNIX_EPOCH;
    let text = "The quick brown fox jumps over the lazy dog. ".repeat(6);
    let mut last = Vec::new();
    for n in 0..entries / 4 {
        let said = |parts| AssistantMessage {
            parts,
            stop: StopReason::EndTurn,
            usage: None,
            provider: Some("puppet".into()),
            model: Some("puppet".into()),
            shown: None,
            time: now,
        };
        let call = ToolCall::new(format!("c{n}"), "read", "{\"path\":\"a\"}");
        let messages = [
            Message::User(UserMessage {
                content: vec![Content::text(format!("say {n} {text}"))],
                time: now,
            }),
            Message::Assistant(said(vec![Part::ToolCall(call.clone())])),
            Message::Tool(ToolMessage {
                call_id: call.id,
                tool_name: call.name,
                content: vec![Content::text(text.clone())],
                status: Status::Completed,
                time: now,
            }),
            Message::Assistant(said(vec![Part::Text(text.clone())])),
        ];
        last.push(journal.append_all(messages.map(Body::Message)).unwrap());
    }
    if !compacted {
        journal.close().unwrap();
        return;
    }
    let kept = journal.view().chain(last[last.len() - 25]).unwrap().nth(3);
    let compaction = zeug_session::Compaction {
        summary: "so far".into(),
        first_kept: kept.map(|head| head.id),
        covers_messages: 0,
        tokens_before: 0,
    };
    journal.append(Body::Compaction(compaction)).unwrap();
    journal.close().unwrap();
}

/// The most memory that a process had, in KiB.
fn peak_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let digits = line.and_then(|line| line.split_whitespace().nth(1));
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// How long it takes from the start of the process until it answers, and the memory it took.
fn start(world: &World, args: &[&str]) -> (Duration, u64, u64) {
    let begun = Instant::now();
    let mut rpc = Rpc::start(world, args);
    rpc.say(json!({"id": "s", "type": "get_state"}));
    let state = rpc.response("s");
    let took = begun.elapsed();
    let messages = state["data"]["message_count"].as_u64().unwrap();
    let peak = peak_kib(rpc.pid());
    assert_eq!(rpc.close_and_finish().2, 0);
    (took, peak, messages)
}

#[test]
#[ignore = "prints figures; takes a while to write them"]
fn figures_of_sessions() {
    let world = World::new();
    let (bare, bare_kib, _) = start(&world, &["--no-session"]);
    println!(
        "{:>8}  {:>9}  {:>9}  {:>9}  {:>10}",
        "entries", "file", "start", "peak", "written"
    );
    println!(
        "{:>8}  {:>9}  {:>7} ms  {:>5} KiB",
        "none",
        "",
        bare.as_millis(),
        bare_kib
    );
    let sizes = [1_000, 10_000, 100_000].map(|entries| (entries, true));
    // A model's window ends long before; what it costs to have all of it in memory.
    for (entries, compacted) in sizes.into_iter().chain([(100_000, false)]) {
        let file = world.project().join(format!("{entries}{compacted}.jsonl"));
        let begun = Instant::now();
        session(&file, entries, compacted);
        let rate = entries as f64 / begun.elapsed().as_secs_f64();
        let size = file.metadata().unwrap().len() / 1024;
        let name = file.to_str().unwrap();
        let (took, peak, messages) = start(&world, &["--session", name]);
        let told = if compacted { 101 } else { entries as u64 };
        assert_eq!(messages, told, "the summary and what was kept");
        let how = if compacted { "" } else { ", nothing compacted" };
        println!(
            "{entries:>8}  {size:>5} KiB  {:>7} ms  {peak:>5} KiB  {rate:>7.0} /s{how}",
            took.as_millis()
        );
        // A debug build reads a hundred thousand messages in more than that.
        assert!(took < SECOND || !compacted, "{entries} entries: {took:?}");
    }
}
