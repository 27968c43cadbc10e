//! `kill -9` at any moment: the session opens again, and what was acknowledged is there.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;

use zeug_session::{Journal, View};

use crate::locking::{again, again_limited, instruction};
use crate::support::{Desk, assert_paired, assistant, result, short, state, told, user};

const ROUNDS: u64 = 50;

/// Some turns are large, so that a kill can tear a row.
fn padding(turn: u64) -> String {
    "x".repeat(if turn % 4 == 3 { 1 << 18 } else { 40 })
}

#[test]
#[ignore = "the other process of another test"]
fn writes_until_it_is_killed() {
    let Some(path) = instruction() else { return };
    let mut journal = Journal::open(path.as_ref()).unwrap();
    let first = journal.view().len() as u64;
    let mut out = std::io::stdout();
    for turn in first.. {
        let call = format!("c{turn}");
        journal.append(user(&format!("turn {turn}"))).unwrap();
        journal
            .append(assistant(&padding(turn), &[call.as_str()]))
            .unwrap();
        journal
            .append_all([
                state("clock", &turn.to_string()),
                result(&call, &padding(turn)),
            ])
            .unwrap();
        journal.commit().unwrap();
        writeln!(out, "\nack {turn}").unwrap();
        out.flush().unwrap();
    }
}

/// Lets another process write, kills it, and returns the turns that it said were safe.
fn killed(path: &Path, round: u64) -> Vec<u64> {
    let mut child = again("kill::writes_until_it_is_killed");
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", path.display()).unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acknowledged = Vec::new();
    let ack = |line: String| line.strip_prefix("ack ").map(|n| n.parse::<u64>().unwrap());
    while (acknowledged.len() as u64) < 1 + round % 5 {
        let line = output.next().expect("the writer ended by itself").unwrap();
        acknowledged.extend(ack(line));
    }
    // Somewhere in the next turns: scattered without a clock.
    for _ in 0..(round * 7919 % 13) * 150_000 {
        std::hint::spin_loop();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // The last line may be torn as well; half a number acknowledges nothing.
    let rest: Vec<String> = output.map_while(Result::ok).collect();
    acknowledged.extend(rest.into_iter().filter_map(ack));
    acknowledged
}

#[test]
fn a_writer_killed_at_any_moment_loses_nothing_that_it_acknowledged() {
    let desk = Desk::new();
    drop(desk.create());
    let mut safe = Vec::new();
    let mut torn = 0;
    for round in 0..ROUNDS {
        // A new file now and then, so that opening stays a small part of the writer's life.
        if round % 5 == 4 {
            std::fs::remove_file(&desk.path).unwrap();
            drop(desk.create());
            safe.clear();
        }
        safe.extend(killed(&desk.path, round));
        torn += usize::from(!desk.bytes().ends_with(b"\n"));
        let view = View::open(&desk.path).unwrap();
        assert!(view.problems().is_empty(), "round {round}");
        let context = view.context(view.tip().unwrap()).unwrap();
        assert!(context.problems.is_empty(), "round {round}");
        assert_paired(&context);
        let said: std::collections::HashSet<String> =
            context.items.iter().map(|i| short(&i.message)).collect();
        for turn in &safe {
            assert!(said.contains(&format!("u:turn {turn}")), "turn {turn}");
            let answered = format!("t:c{turn}:{}", padding(*turn));
            assert!(said.contains(&answered), "result of turn {turn}");
        }
        let last = safe.last().unwrap();
        let state: u64 = context.states["clock"].view().unwrap();
        assert!(state >= *last, "round {round}");
    }
    println!("{ROUNDS} kills, {torn} of them tore a row");
}

/// The text of the row that does not fit.
fn too_much() -> String {
    "x".repeat(1 << 20)
}

#[test]
#[ignore = "the other process of other tests"]
fn writes_more_than_fits() {
    let Some(path) = instruction() else { return };
    let mut journal = Journal::open(path.as_ref()).unwrap();
    journal.append(user("before")).unwrap();
    journal.commit().unwrap();
    let refused = journal.append(user(&too_much()));
    assert!(refused.unwrap_err().to_string().contains("cannot append"));
    // It was taken back, so what is smaller still fits.
    journal.append(user("after")).unwrap();
    journal.commit().unwrap();
    println!("\ndone");
}

/// Lets another process write more than it may; whether it came to its end.
fn overfill(desk: &Desk, signal: &str) -> bool {
    drop(desk.create());
    let mut child = again_limited("kill::writes_more_than_fits", signal);
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", desk.path.display()).unwrap();
    child.wait().unwrap().success()
}

#[test]
fn a_row_that_does_not_fit_is_taken_back_whole() {
    let desk = Desk::new();
    assert!(overfill(&desk, "trap '' XFSZ;"));
    let view = View::open(&desk.path).unwrap();
    assert!(view.problems().is_empty());
    assert_eq!(told(&view), ["u:before", "u:after"]);
}

#[test]
fn a_writer_killed_within_a_row_leaves_the_rows_before_it() {
    let desk = Desk::new();
    assert!(!overfill(&desk, ""), "the limit kills");
    assert!(!desk.bytes().ends_with(b"\n"), "a row is torn");
    let journal = desk.open();
    assert_eq!(told(journal.view()), ["u:before"]);
    assert!(desk.bytes().ends_with(b"\n"));
}
