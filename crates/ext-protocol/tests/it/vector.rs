//! Reading `protocol/vectors/`; `protocol/README.md` describes the format.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use serde::Deserialize;
use serde_json::Value;
use zeug_ext_protocol::{BadFrame, FromExtension, ToExtension};

use crate::repository;

/// Who sends the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Direction {
    FromExtension,
    ToExtension,
}

/// What must become of the line.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// A known frame, written again.
    Frame(Value),
    /// A frame of this unknown type.
    Unknown(String),
    /// `not_utf8`, `malformed`, `untyped`, or `wrong_shape` with type and id.
    Error(String, Option<String>, Option<String>),
}

/// A line of a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    dialect: String,
    direction: Option<Direction>,
    line: Option<String>,
    line_base64: Option<String>,
    expect: Option<Value>,
    expect_unknown: Option<String>,
    expect_error: Option<String>,
    kind: Option<String>,
    id: Option<String>,
}

/// One example.
#[derive(Debug)]
pub(crate) struct Vector {
    /// File and name, for messages.
    pub(crate) title: String,
    /// The file's name without its ending: the frame's type, or `odd`.
    pub(crate) file: String,
    pub(crate) direction: Direction,
    pub(crate) line: Vec<u8>,
    pub(crate) expect: Outcome,
}

impl Vector {
    fn from_row(row: Row, file: &str, direction: Option<Direction>) -> Self {
        let title = format!("{file}: {}", row.name);
        assert!(
            ["v1", "v2", "both"].contains(&row.dialect.as_str()),
            "{title}"
        );
        let line = match (row.line, row.line_base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(code)) => base64::prelude::BASE64_STANDARD.decode(code).unwrap(),
            _ => panic!("{title}: either line or line_base64"),
        };
        let expect = match (row.expect, row.expect_unknown, row.expect_error) {
            (Some(frame), None, None) => Outcome::Frame(frame),
            (None, Some(kind), None) => Outcome::Unknown(kind),
            (None, None, Some(error)) => Outcome::Error(error, row.kind, row.id),
            _ => panic!("{title}: exactly one expectation"),
        };
        Self {
            direction: direction.xor(row.direction).unwrap_or_else(|| {
                panic!("{title}: the folder or the row must give the direction, not both")
            }),
            title,
            file: file.to_owned(),
            line,
            expect,
        }
    }

    /// What becomes of the line here.
    pub(crate) fn outcome(&self) -> Outcome {
        match std::str::from_utf8(&self.line) {
            Ok(line) => outcome(self.direction, line),
            Err(_) => Outcome::Error("not_utf8".into(), None, None),
        }
    }
}

/// Decodes a line in one direction.
pub(crate) fn outcome(direction: Direction, line: &str) -> Outcome {
    let decoded = match direction {
        Direction::FromExtension => FromExtension::decode(line).map(|frame| match frame {
            FromExtension::Unknown(kind) => Outcome::Unknown(kind),
            known => Outcome::Frame(serde_json::to_value(known).unwrap()),
        }),
        Direction::ToExtension => ToExtension::decode(line).map(|frame| match frame {
            ToExtension::Unknown(kind) => Outcome::Unknown(kind),
            known => Outcome::Frame(serde_json::from_slice(&known.encode().unwrap()).unwrap()),
        }),
    };
    decoded.unwrap_or_else(|error| match error {
        BadFrame::Malformed { .. } => Outcome::Error("malformed".into(), None, None),
        BadFrame::Untyped => Outcome::Error("untyped".into(), None, None),
        BadFrame::WrongShape { kind, id, .. } => {
            Outcome::Error("wrong_shape".into(), Some(kind), id)
        }
    })
}

/// Every vector there is.
pub(crate) fn all() -> Vec<Vector> {
    let folder = repository("protocol/vectors");
    let mut vectors = read(&folder.join("odd.ndjson"), None);
    for (name, direction) in [
        ("from-extension", Direction::FromExtension),
        ("to-extension", Direction::ToExtension),
    ] {
        let mut files: Vec<_> = fs::read_dir(folder.join(name))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        for file in files {
            vectors.extend(read(&file, Some(direction)));
        }
    }
    vectors
}

fn read(path: &Path, direction: Option<Direction>) -> Vec<Vector> {
    let file = path.file_stem().unwrap().to_str().unwrap();
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .enumerate()
        .map(|(at, line)| {
            let row = serde_json::from_str(line)
                .unwrap_or_else(|e| panic!("{}:{}: {e}", path.display(), at + 1));
            Vector::from_row(row, file, direction)
        })
        .collect()
}
