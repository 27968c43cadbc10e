//! Writing frames: what the host does with each question and answer, against writing a tree.

use std::hint::black_box;

use anyhow::Context;
use serde_json::Value;
use zeug_ext_protocol::ToExtension;
use zeug_ext_protocol::gateway::CallToolResult;
use zeug_ext_protocol::tool::{Block, ToolCall};
use zeug_stdx::json::RawJson;

use crate::effort::Effort;
use crate::payload;
use crate::row::Row;

/// Against writing the same frame from a tree: the price of passing over the line once more to
/// make it compact.
const LIMIT: f64 = 3.5;

pub(super) fn run(effort: Effort) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (bytes, size) in payload::SIZES {
        let room = bytes - result(String::new()).encode()?.len();
        let frame = result(payload::text(room));
        rows.push(row(effort, &format!("encode tool_result {size}"), &frame)?);
        let room = bytes + "{}".len() - call(RawJson::empty_object()).encode()?.len();
        let frame = call(RawJson::from_value(&payload::args(room)));
        rows.push(row(effort, &format!("encode tool_call {size}"), &frame)?);
    }
    Ok(rows)
}

fn result(text: String) -> ToExtension {
    ToExtension::ToolResult(CallToolResult {
        id: "r17".to_owned(),
        name: "read".to_owned(),
        content: vec![Block::text(text)],
        is_error: false,
        truncated: false,
    })
}

fn call(args: RawJson) -> ToExtension {
    ToExtension::ToolCall(ToolCall {
        id: "call-17".to_owned(),
        name: "edit".to_owned(),
        args,
    })
}

fn row(effort: Effort, name: &str, frame: &ToExtension) -> anyhow::Result<Row> {
    let line = frame
        .encode()
        .context("the frame of the bench is too long")?;
    let tree: Value = serde_json::from_slice(&line)?;
    let (encode, write) = effort.alternate(
        || drop(black_box(black_box(frame).encode())),
        || drop(black_box(serde_json::to_vec(black_box(&tree)))),
    );
    Ok(Row::new(name, &encode, "to_vec(&Value)", &write).limit(LIMIT))
}
