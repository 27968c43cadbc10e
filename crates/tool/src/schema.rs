//! Arguments against a JSON Schema: compiled once when a tool is registered.
//!
//! Nothing is fetched: a schema that refers to another document is refused.

use std::sync::Arc;

use thiserror::Error;
use zeug_stdx::json::RawJson;

/// A compiled object schema.
#[derive(Debug, Clone)]
pub struct Schema(Arc<jsonschema::Validator>);

/// Why a schema was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadSchema {
    /// Not a JSON object.
    #[error(
        "schema must be a JSON Schema object such as {{\"type\":\"object\",\"properties\":{{}}}}"
    )]
    NotAnObject,
    /// An object of another type: a tool's arguments are always an object.
    #[error("schema must describe an object: set \"type\":\"object\", not {0}")]
    NotForObjects(String),
    /// Not a valid JSON Schema, or it refers to another document.
    #[error("schema is not usable: {0}")]
    Invalid(String),
}

/// The first rule that arguments break.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{at}: {rule}")]
pub struct Violation {
    /// JSON pointer into the arguments, `/` for the whole.
    pub at: String,
    /// The rule in words.
    pub rule: String,
}

impl Schema {
    /// Compiles a schema.
    ///
    /// # Errors
    /// When it is no usable schema of an object.
    pub fn compile(schema: &RawJson) -> Result<Self, BadSchema> {
        let tree = schema.to_value();
        let object = tree.as_object().ok_or(BadSchema::NotAnObject)?;
        match object.get("type") {
            None => {}
            Some(serde_json::Value::String(t)) if t == "object" => {}
            Some(other) => return Err(BadSchema::NotForObjects(other.to_string())),
        }
        jsonschema::options()
            .build(&tree)
            .map(|v| Self(Arc::new(v)))
            .map_err(|e| BadSchema::Invalid(e.to_string()))
    }

    /// Checks arguments.
    ///
    /// # Errors
    /// The first violation.
    pub fn check(&self, args: &RawJson) -> Result<(), Violation> {
        let whole = |rule: String| Violation {
            at: "/".to_owned(),
            rule,
        };
        let tree: serde_json::Value = args
            .view()
            .map_err(|e| whole(format!("arguments cannot be read: {e}")))?;
        if !tree.is_object() {
            return Err(whole("arguments must be a JSON object".to_owned()));
        }
        self.0.validate(&tree).map_err(|e| {
            let at = e.instance_path().to_string();
            Violation {
                at: if at.is_empty() { "/".to_owned() } else { at },
                rule: zeug_stdx::text::one_line(&e.to_string(), 500),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(text: &str) -> Result<Schema, BadSchema> {
        Schema::compile(&RawJson::parse(text).unwrap())
    }

    #[test]
    fn a_violation_names_path_and_rule() {
        let s = schema(
            r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}"#,
        )
        .unwrap();
        let check = |args: &str| s.check(&RawJson::parse(args).unwrap());
        assert_eq!(check(r#"{"city":"Berlin"}"#), Ok(()));
        let missing = check("{}").unwrap_err();
        assert_eq!(missing.at, "/");
        assert!(missing.rule.contains("city"), "{missing}");
        let wrong = check(r#"{"city":1}"#).unwrap_err();
        assert_eq!(wrong.at, "/city");
        assert!(check("[]").is_err());
    }

    #[test]
    fn arguments_nested_too_deeply_are_refused_with_the_reason() {
        let s = schema("{}").unwrap();
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
        let refused = s.check(&RawJson::parse(deep).unwrap()).unwrap_err();
        assert!(refused.rule.contains("recursion"), "{refused}");
    }

    #[test]
    fn what_is_no_object_schema_is_refused() {
        assert!(matches!(schema("3"), Err(BadSchema::NotAnObject)));
        assert!(matches!(
            schema(r#"{"type":"array"}"#),
            Err(BadSchema::NotForObjects(_))
        ));
        assert!(matches!(
            schema(r#"{"type":"object","properties":{"a":{"type":"nonsense"}}}"#),
            Err(BadSchema::Invalid(_))
        ));
        assert!(schema("{}").is_ok());
    }

    #[test]
    fn a_schema_that_would_have_to_be_fetched_is_refused() {
        assert!(matches!(
            schema(r#"{"type":"object","properties":{"a":{"$ref":"http://example.com/s.json"}}}"#),
            Err(BadSchema::Invalid(_))
        ));
    }
}
