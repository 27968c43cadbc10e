//! A client that does not read. That the agent then stands still is shown in `zeug-front-rpc`,
//! where time is an argument.

use std::fs;

use serde_json::json;

use super::client::{Rpc, ids, of};
use crate::support::World;

/// The most kilobytes of memory that a process has held; 0 where the system does not tell.
fn peak_kb(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok())
        .unwrap_or_default()
}

#[test]
fn a_slow_reader_is_heard_and_costs_little() {
    let world = World::new();
    let mut rpc = Rpc::start(&world, &[]);
    // A prompt of 1.2 MB, whose answer has 200,000 events.
    let message = format!("say {}", "words ".repeat(200_000));
    rpc.say(json!({"id": "1", "type": "prompt", "message": message}));
    rpc.until("text_delta");
    // From here on nothing is read. What is asked is heard nevertheless.
    for n in 0..2000 {
        rpc.say(json!({"id": format!("p{n}"), "type": "ping"}));
    }
    rpc.say(json!({"id": "2", "type": "abort"}));
    let lines = rpc.until("done");
    let deltas = of(&lines, "text_delta").len();
    assert!(deltas < 20_000, "{deltas} were on their way");
    assert_eq!(of(&lines, "turn_end")[0]["stop"], "aborted");
    assert!(of(&lines, "error").is_empty());
    assert_eq!(ids(&lines).len(), 2001);
    let peak = peak_kb(rpc.pid());
    assert!(peak < 200_000, "{peak} kB");
    assert_eq!(rpc.close_and_finish().2, 0);
}
