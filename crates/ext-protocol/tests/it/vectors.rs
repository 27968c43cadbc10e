//! Every example frame means what its file says.

use std::collections::HashSet;

use serde_json::Value;
use zeug_ext_protocol::{FromExtension, ToExtension, event, intercept};

use crate::vector::{Direction, Outcome, all, outcome};
use crate::{validate, validator};

#[test]
fn every_vector_decodes_as_expected() {
    for vector in all() {
        assert_eq!(vector.outcome(), vector.expect, "{}", vector.title);
    }
}

#[test]
fn every_frame_has_a_vector_in_its_direction() {
    let seen: HashSet<(bool, String)> = all()
        .iter()
        .filter_map(|vector| match &vector.expect {
            Outcome::Frame(frame) => Some((vector.direction, kind(frame))),
            _ => None,
        })
        .map(|(direction, kind)| (direction == Direction::FromExtension, kind))
        .collect();
    let missing = |from: bool, kinds: &[&str]| -> Vec<String> {
        kinds
            .iter()
            .map(|kind| (*kind).to_owned())
            .filter(|kind| !seen.contains(&(from, kind.clone())))
            .collect()
    };
    let from = missing(true, FromExtension::KINDS);
    assert!(from.is_empty(), "protocol/vectors/from-extension: {from:?}");
    let to = missing(false, ToExtension::KINDS);
    assert!(to.is_empty(), "protocol/vectors/to-extension: {to:?}");
}

#[test]
fn a_file_is_about_the_frame_it_is_named_after() {
    for vector in all().iter().filter(|vector| vector.file != "odd") {
        let about = match &vector.expect {
            Outcome::Frame(frame) => kind(frame),
            Outcome::Unknown(kind) => kind.clone(),
            Outcome::Error(_, kind, _) => kind.clone().unwrap_or_default(),
        };
        assert_eq!(about, vector.file, "{}", vector.title);
    }
}

#[test]
fn every_event_and_every_moment_has_a_vector() {
    let frames: Vec<Value> = all()
        .into_iter()
        .filter_map(|vector| match vector.expect {
            Outcome::Frame(frame) => Some(frame),
            _ => None,
        })
        .collect();
    let about = |kind: &str, name: &str| {
        frames
            .iter()
            .any(|frame| frame["type"] == kind && frame["event"] == name)
    };
    for name in event::NAMES {
        assert!(about("event", name), "to-extension/event.ndjson: {name}");
    }
    for name in intercept::NAMES {
        assert!(
            about("event_intercept", name),
            "to-extension/event_intercept.ndjson: {name}"
        );
    }
}

#[test]
fn writing_and_reading_again_changes_nothing() {
    for vector in all() {
        if let Outcome::Frame(frame) = &vector.expect {
            let again = outcome(vector.direction, &frame.to_string());
            assert_eq!(again, vector.expect, "{}", vector.title);
        }
    }
}

#[test]
fn every_expected_frame_is_valid_by_the_schemas() {
    let from = validator("from-extension.schema.json");
    let to = validator("to-extension.schema.json");
    for vector in all() {
        if let Outcome::Frame(frame) = &vector.expect {
            let schema = match vector.direction {
                Direction::FromExtension => &from,
                Direction::ToExtension => &to,
            };
            validate(schema, frame, &vector.title);
        }
    }
}

#[test]
fn the_schemas_refuse_what_is_no_frame() {
    for file in ["from-extension.schema.json", "to-extension.schema.json"] {
        let schema = validator(file);
        for text in [
            "{}",
            "[]",
            r#"{"type":"nonsense"}"#,
            r#"{"type":"tool_result"}"#,
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert!(!schema.is_valid(&value), "{file} accepts {text}");
        }
    }
}

fn kind(frame: &Value) -> String {
    frame["type"].as_str().unwrap_or_default().to_owned()
}
