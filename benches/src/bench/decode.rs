//! Reading frames: what the host does with each line of an extension, against a plain parse.

use std::hint::black_box;

use anyhow::{Context, ensure};
use serde_json::Value;
use zeug_ext_protocol::FromExtension;

use crate::effort::Effort;
use crate::payload;
use crate::row::Row;

/// A frame is read twice, once for its type and once for its fields, and searched for half
/// surrogate pairs in between; a parse to a tree reads it once and allocates more.
const LIMIT: f64 = 3.0;

pub(super) fn run(effort: Effort) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (bytes, size) in payload::SIZES {
        let result = payload::tool_result(bytes).to_string();
        rows.push(row(effort, &format!("decode tool_result {size}"), &result)?);
        let call = payload::call_tool(bytes).to_string();
        rows.push(row(effort, &format!("decode call_tool {size}"), &call)?);
    }
    Ok(rows)
}

fn row(effort: Effort, name: &str, line: &str) -> anyhow::Result<Row> {
    let frame = FromExtension::decode(line).context("the frame of the bench is no frame")?;
    ensure!(
        !matches!(frame, FromExtension::Unknown(_)),
        "the frame of the bench is of an unknown type"
    );
    let (decode, parse) = effort.alternate(
        || drop(black_box(FromExtension::decode(black_box(line)))),
        || drop(black_box(serde_json::from_str::<Value>(black_box(line)))),
    );
    Ok(Row::new(name, &decode, "from_str::<Value>", &parse).limit(LIMIT))
}
