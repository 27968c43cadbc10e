//! Cutting a stream in memory into lines, against the search for line ends alone.

use std::hint::black_box;

use anyhow::ensure;
use zeug_ext_wire::{Limits, Line, LineReader};

use crate::effort::Effort;
use crate::payload;
use crate::row::Row;

/// Most of the time per line is overhead: a line of 200 bytes is searched in nanoseconds.
const LIMIT_SHORT: f64 = 20.0;
/// Searching reads each byte once at memory speed. The reader also copies it out of the stream,
/// checks it for UTF-8, and moves it while its buffer grows.
const LIMIT_LONG: f64 = 15.0;

pub(super) fn run(effort: Effort) -> anyhow::Result<Vec<Row>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let mut rows = Vec::new();
    for (bytes, size) in payload::SIZES {
        let line = payload::tool_result(bytes).to_string() + "\n";
        let count = (4 * 1024 * 1024 / bytes).max(2);
        let stream = line.repeat(count).into_bytes();
        let read = || runtime.block_on(frames(&stream));
        ensure!(read() == count, "the reader lost lines");
        let (reader, search) = effort.alternate(
            || drop(black_box(read())),
            || {
                memchr::memchr_iter(b'\n', black_box(&stream)).for_each(|at| {
                    black_box(at);
                });
            },
        );
        let name = format!("read lines of {size}");
        let (reader, search) = (reader.per(count), search.per(count));
        let limit = if bytes < 1024 { LIMIT_SHORT } else { LIMIT_LONG };
        rows.push(Row::new(name, &reader, "memchr of line ends", &search).limit(limit));
    }
    Ok(rows)
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
