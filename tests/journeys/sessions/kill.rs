//! Nothing that was told is lost when the process is killed.

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{acknowledged, assert_paired, short, shown};
use crate::support::World;

/// Kills; spread over sessions, so that damage can add up and files stay short.
const KILLS: u64 = 200;
const SESSIONS: u64 = 20;

/// A generator of moments: SplitMix64.
struct Moments(u64);

impl Moments {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    }
}

/// Runs a prompt of calls and kills it at some moment; the lines that were read by then.
fn killed(world: &World, file: &str, moments: &mut Moments) -> Vec<Value> {
    let turn = "say looking\ncall glob {\"pattern\":\"*\"}\ncall read {\"path\":\"a\"}\nthen\n";
    let prompt = format!("{}say end", turn.repeat(8));
    let mut child = world.start(["--json", "--session", file, &prompt]);
    let output = BufReader::new(child.stdout.take().unwrap());
    let lines_first = moments.next(90);
    let pause = Duration::from_micros(moments.next(1500));
    let mut lines = Vec::new();
    let mut read = output.lines();
    for line in read.by_ref().take(usize::try_from(lines_first).unwrap()) {
        lines.push(line.unwrap());
    }
    // No pause of the test's own: a moment is looked for that lies between two lines.
    let then = Instant::now() + pause;
    while Instant::now() < then {
        std::hint::spin_loop();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // What is in the pipe was told.
    lines.extend(read.map_while(Result::ok));
    let whole = lines
        .iter()
        .filter_map(|line| serde_json::from_str(line).ok());
    whole.collect()
}

#[test]
fn two_hundred_kills_lose_nothing_that_was_told() {
    let world = World::new();
    std::fs::write(world.project().join("a"), "text").unwrap();
    let seed = std::process::id().into();
    println!("seed {seed}");
    let mut moments = Moments(seed);
    let (mut told, mut cut_short) = (0, 0);
    for session in 0..SESSIONS {
        let file = format!("s{session}.jsonl");
        let mut expect: Vec<String> = Vec::new();
        for _ in 0..KILLS / SESSIONS {
            let events = killed(&world, &file, &mut moments);
            cut_short += usize::from(!events.iter().any(|event| event["type"] == "done"));
            let said = acknowledged(&events);
            told += said.len();
            expect.extend(said);
            if !world.project().join(&file).exists() {
                assert!(expect.is_empty(), "{file} is gone");
                continue;
            }
            let messages = shown(&world, &[&file]);
            assert_paired(&messages);
            let kept = short(&messages);
            let mut kept = kept.iter();
            for said in &expect {
                assert!(
                    kept.any(|kept| kept == said),
                    "seed {seed}, {file}: lost {said:?}; kept is {messages:?}"
                );
            }
        }
    }
    println!("{told} messages were told, {cut_short} of {KILLS} runs were cut short");
    assert!(told > 1000 && cut_short > 100, "{told} {cut_short}");
}
