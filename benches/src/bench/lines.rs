//! Cutting a stream in memory into lines, against the search for line ends alone.

use std::hint::black_box;

use anyhow::ensure;
use zeug_ext_wire::{Limits, Line, LineReader};

use crate::effort::Effort;
use crate::payload;
use crate::row::Row;

/// Against the search alone, which passes over cached bytes faster than they can be copied: only
/// there to notice a reader that does something twice.
const LIMIT_SEARCH: f64 = 40.0;

/// Against what no reader can do without: copy, search, check for UTF-8. The reader also makes
/// blocks, and moves a frame while its block grows.
const LIMIT_LEAST: f64 = 3.0;

pub(super) fn run(effort: Effort) -> anyhow::Result<Vec<Row>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let mut rows = Vec::new();
    for (bytes, size) in payload::SIZES {
        let line = payload::tool_result(bytes).to_string() + "\n";
        let count = (4 * 1024 * 1024 / bytes).max(2);
        let stream = line.repeat(count).into_bytes();
        let read = || runtime.block_on(frames(&stream));
        ensure!(read() == count, "the reader lost lines");
        let name = format!("read lines of {size}");
        let mut row = |against: &str, baseline: &mut dyn FnMut(), limit| {
            let reader = || {
                black_box(read());
            };
            let (reader, baseline) = effort.alternate(reader, baseline);
            let (reader, baseline) = (reader.per(count), baseline.per(count));
            rows.push(Row::new(&name, &reader, against, &baseline).limit(limit));
        };
        row("memchr of line ends", &mut || search(&stream), LIMIT_SEARCH);
        let mut copy = Vec::with_capacity(bytes);
        row(
            "memchr, copy, from_utf8",
            &mut || least(&stream, &mut copy),
            LIMIT_LEAST,
        );
    }
    Ok(rows)
}

fn search(stream: &[u8]) {
    for at in memchr::memchr_iter(b'\n', black_box(stream)) {
        black_box(at);
    }
}

fn least(stream: &[u8], copy: &mut Vec<u8>) {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', black_box(stream)) {
        copy.clear();
        copy.extend_from_slice(&stream[start..end]);
        black_box(std::str::from_utf8(black_box(copy)).is_ok());
        start = end + 1;
    }
}

/// Reads to the end and counts.
async fn frames(stream: &[u8]) -> usize {
    let mut reader = LineReader::new(stream, &Limits::default());
    let mut count = 0;
    while let Ok(Some(line)) = reader.next().await {
        count += usize::from(matches!(black_box(line), Line::Frame(_)));
    }
    count
}
