//! Arguments: the JSON Schema a model sees and the typed value a tool works with, from one struct.
//!
//! Does not know which tools there are.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
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
    call.args
        .view()
        .map_err(|why| Failure::Args(why.to_string()))
}
