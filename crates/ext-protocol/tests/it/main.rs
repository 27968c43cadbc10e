//! The protocol against its published files: vectors, schemas, limits, and arbitrary input.

#![allow(clippy::unwrap_used)] // a test that cannot go on panics; clippy sees tests only below #[test]

mod manifests;
mod random;
mod vector;
mod vectors;

use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::Value;

/// A path of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// The validator of a generated schema.
fn validator(file: &str) -> Validator {
    let (_, schema) = zeug_ext_protocol::schema::all()
        .into_iter()
        .find(|(name, _)| *name == file)
        .unwrap();
    jsonschema::options().build(&schema).unwrap()
}

/// Fails with every violation.
fn validate(validator: &Validator, value: &Value, what: &str) {
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|e| e.to_string())
        .collect();
    assert!(errors.is_empty(), "{what}: {errors:#?}\n{value}");
}
