//! Files under `protocol/` that are made from the code, for those who cannot read it.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use zeug_ext_protocol::{limits, schema};

use crate::Problems;
use crate::repository::root;

const SCHEMAS: &str = "protocol/schemas";

/// Every generated file: path from the root, and content.
fn files() -> Result<Vec<(String, String)>> {
    let mut files = vec![(String::from("protocol/limits.json"), text(&limits())?)];
    for (name, schema) in schema::all().into_iter().chain(rpc()?) {
        files.push((format!("{SCHEMAS}/{name}"), text(&schema)?));
    }
    Ok(files)
}

/// The schemas of what zeug and an outside program say to each other.
fn rpc() -> Result<Vec<(&'static str, Value)>> {
    let schemas = [
        (
            "json-event.schema.json",
            schemars::schema_for!(zeug_rpc_protocol::Event),
        ),
        (
            "rpc-request.schema.json",
            schemars::schema_for!(zeug_rpc_protocol::Request),
        ),
        (
            "rpc-response.schema.json",
            schemars::schema_for!(zeug_rpc_protocol::Response),
        ),
        (
            "rpc-data.schema.json",
            schemars::schema_for!(zeug_rpc_protocol::DataByCommand),
        ),
    ];
    let value = |(name, schema)| Ok((name, serde_json::to_value(schema)?));
    schemas.into_iter().map(value).collect()
}

/// The limits by name.
fn limits() -> Value {
    let rows = limits::TABLE.iter().map(|limit| {
        let row = json!({ "value": limit.value, "unit": limit.unit, "past": limit.past });
        (limit.name.to_owned(), row)
    });
    Value::Object(rows.collect::<Map<_, _>>())
}

fn text(value: &Value) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Writes what is not there yet as it should be.
pub(crate) fn write() -> Result<Problems> {
    let files = files()?;
    fs::create_dir_all(root().join(SCHEMAS))?;
    for (path, content) in &files {
        let full = root().join(path);
        if fs::read_to_string(&full).is_ok_and(|old| old == *content) {
            continue;
        }
        fs::write(&full, content).with_context(|| format!("writing {path}"))?;
        println!("wrote {path}");
    }
    for path in leftovers(&files)? {
        fs::remove_file(root().join(&path)).with_context(|| format!("removing {path}"))?;
        println!("removed {path}");
    }
    Ok(Problems::new())
}

/// Names the files that differ.
pub(crate) fn check() -> Result<Problems> {
    let files = files()?;
    let differs = |path: &str, content: &str| {
        fs::read_to_string(root().join(path)).map_or(true, |old| old != content)
    };
    let mut problems: Problems = files
        .iter()
        .filter(|(path, content)| differs(path, content))
        .map(|(path, _)| format!("{path} is not what the code says: run `cargo xtask codegen`"))
        .collect();
    problems.extend(
        leftovers(&files)?
            .iter()
            .map(|path| format!("nothing makes {path} any more: run `cargo xtask codegen`")),
    );
    Ok(problems)
}

/// Schemas on disk that nothing makes.
fn leftovers(files: &[(String, String)]) -> Result<Vec<String>> {
    let made: BTreeSet<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let Ok(entries) = fs::read_dir(root().join(SCHEMAS)) else {
        return Ok(Vec::new());
    };
    let mut left = Vec::new();
    for entry in entries {
        let path = format!("{SCHEMAS}/{}", entry?.file_name().to_string_lossy());
        if !made.contains(path.as_str()) {
            left.push(path);
        }
    }
    left.sort();
    Ok(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generated_file_is_json_that_ends_in_a_line_end() {
        let files = files().unwrap();
        assert!(files.len() >= 5, "{files:?}");
        for (path, content) in files {
            assert!(content.ends_with("}\n"), "{path}");
            assert!(serde_json::from_str::<Value>(&content).is_ok(), "{path}");
        }
    }

    #[test]
    fn limits_are_found_by_name() {
        assert_eq!(limits()["frame"]["value"], 4 * 1024 * 1024);
        assert_eq!(limits()["hello"]["unit"], "ms");
    }
}
