//! Figures: `cargo test -p zeug-session --release -- --ignored --nocapture figures::figures`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::time::Instant;

use zeug_session::{Journal, View};

use crate::locking::{again, instruction};
use crate::support::{Desk, assistant, result, state, user};

/// Entries as a working agent makes them, some 500 bytes each.
fn fill(journal: &mut Journal, entries: usize) {
    let text = "The quick brown fox jumps over the lazy dog. ".repeat(7);
    let mut written = 0;
    while written < entries {
        let call = format!("call-{written}");
        journal.append(user(&text)).unwrap();
        journal.append(assistant(&text, &[call.as_str()])).unwrap();
        journal
            .append_all([state("clock", "{\"plan\":[1,2,3]}"), result(&call, &text)])
            .unwrap();
        journal.append(assistant(&text, &[])).unwrap();
        written += 5;
    }
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// Measured in a process of its own, whose memory nothing else has touched.
#[test]
#[ignore = "the other process of another test"]
fn measures_one_opening() {
    let Some(path) = instruction() else { return };
    let before = resident_kib();
    let start = Instant::now();
    let view = View::open(path.as_ref()).unwrap();
    let opened = start.elapsed();
    let index = resident_kib() - before;
    let start = Instant::now();
    let page = view.page(view.tip().unwrap(), 50, |_| true).unwrap();
    let shown = start.elapsed();
    let start = Instant::now();
    let context = view.context(view.tip().unwrap()).unwrap();
    let resumed = start.elapsed();
    println!(
        "\nfigure {:>7} entries: open {opened:>9.2?}, +{index:>6} KiB resident; a page of {} {shown:.2?}; \
         whole context ({} messages) {resumed:.2?}, +{} KiB",
        view.len(),
        page.len(),
        context.items.len(),
        resident_kib() - before - index,
    );
}

fn measure(path: &Path) {
    let mut child = again("figures::measures_one_opening");
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", path.display()).unwrap();
    drop(input);
    let mut output = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_to_string(&mut output).unwrap();
    child.wait().unwrap();
    for line in output.lines().filter(|l| l.starts_with("figure")) {
        println!("{line}");
    }
    drop(reader.lines());
}

#[test]
#[ignore = "prints figures and takes its time"]
fn figures() {
    for entries in [1_000, 10_000, 100_000] {
        let desk = Desk::new();
        let mut journal = desk.create();
        let start = Instant::now();
        fill(&mut journal, entries);
        let took = start.elapsed();
        journal.commit().unwrap();
        drop(journal);
        let bytes = desk.bytes().len();
        println!(
            "append: {entries} entries, {:.1} MiB, {:.0} entries/s",
            bytes as f64 / f64::from(1 << 20),
            entries as f64 / took.as_secs_f64(),
        );
        measure(&desk.path);
    }
    let desk = Desk::new();
    let mut journal = desk.create();
    let start = Instant::now();
    let turns = 500;
    for turn in 0..turns {
        journal.append(user(&turn.to_string())).unwrap();
        journal.commit().unwrap();
    }
    println!("append and commit: {:.2?} each", start.elapsed() / turns);
}
