//! Arguments: the JSON Schema a model sees and the typed value a tool works with, from one struct.
//!
//! Does not know which tools there are.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;
use zeug_stdx::json::RawJson;
use zeug_tool::Call;

use crate::failure::Failure;

/// The schema of `T`, without what only tools for schemas need: providers count every token of it
/// and some refuse keywords that they do not know.
pub(crate) fn schema<T: JsonSchema>() -> RawJson {
    let settings = SchemaSettings::draft2020_12().with(|s| {
        s.meta_schema = None;
        s.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(|part: &mut Schema| {
        part.remove("title");
        part.remove("format");
    })
    .transform(&mut schema);
    schema.remove("description");
    RawJson::from_value(schema.as_value())
}

/// The arguments of `call` as `T`.
pub(crate) fn parse<T: DeserializeOwned>(call: &Call) -> Result<T, Failure> {
    call.args.view().or_else(|why| {
        // For JSON Schema 5.0 is an integer, and some models write it so.
        let mut tree = call.args.to_value();
        make_whole(&mut tree);
        serde_json::from_value(tree).map_err(|_| Failure::Args(why.to_string()))
    })
}

fn make_whole(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let whole = number
                .as_f64()
                .filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() < 1e15);
            if let Some(float) = whole {
                *value = Value::from(float as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_whole),
        Value::Object(entries) => entries.values_mut().for_each(make_whole),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}
