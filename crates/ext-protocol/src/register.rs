//! What an extension offers and wants: commands, tools, subscriptions, and taking them back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zeug_stdx::json::RawJson;

use crate::lenient::{is_false, null_as_default};

/// `{"type":"register_command","name":"weather","description":"current weather for a city"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RegisterCommand {
    /// Without the slash; `[A-Za-z0-9_-]+`, compared without regard to case.
    pub name: String,
    /// One line for the command list.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "String::is_empty"
    )]
    pub description: String,
}

/// `{"type":"register_tool","name":"weather","description":"…","schema":{"type":"object",…}}`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RegisterTool {
    /// `[A-Za-z0-9_-]+`, at most 64 bytes, compared exactly.
    pub name: String,
    /// For the model.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "String::is_empty"
    )]
    pub description: String,
    /// JSON Schema of the arguments; absent means any object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<RawJson>,
    /// Not offered to the model until activated. `exposure` overrides it.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "is_false"
    )]
    pub deferred: bool,
    /// Waits for a person.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "is_false"
    )]
    pub interactive: bool,
    /// JSON Schema of `structured_content`; describes it, does not check it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<RawJson>,
    /// Groups tools for scripts; the extension's name when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// What the group is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace_description: Option<String>,
    /// How to use the group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace_instructions: Option<String>,
    /// `direct`, `codemode`, `deferred` or `model-only`; anything else refuses the registration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposure: Option<String>,
    /// Claims about effects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// `never`, `safe`, `idempotent` or `reconcile`: what may be done after a crash in mid-call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
}

/// Claims of a tool about its effects. They inform the approval policy, they never skip it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Annotations {
    /// Changes nothing.
    #[serde(default, deserialize_with = "null_as_default")]
    pub read_only: bool,
    /// May destroy something.
    #[serde(default, deserialize_with = "null_as_default")]
    pub destructive: bool,
    /// Running it twice is like running it once.
    #[serde(default, deserialize_with = "null_as_default")]
    pub idempotent: bool,
}

/// `{"type":"unregister_tool","name":"weather"}` or `{"type":"unregister_command","name":"weather"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unregister {
    /// The registered name.
    pub name: String,
}

/// `{"type":"subscribe","events":["turn_start"],"intercept":["tool_call"]}`
///
/// Additive over several frames.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Subscribe {
    /// Events to be told of; see [`crate::event::NAMES`].
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub events: Vec<String>,
    /// Moments to be asked at; see [`crate::intercept::NAMES`].
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub intercept: Vec<InterceptItem>,
    /// Events with options, in zeug's form.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub on: Vec<serde_json::Value>,
}

/// An entry of `subscribe.intercept`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum InterceptItem {
    /// Just the name, as both older protocols write it.
    Name(String),
    /// The name with options.
    Detailed(Interception),
    /// Neither; refused by itself, without harm to its neighbours.
    Odd(serde_json::Value),
}

/// `{"name":"tool_call","match":["bash","mcp_*"],"priority":10,"on_failure":"block","id":"h1"}`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Interception {
    /// The moment.
    pub name: String,
    /// Names or `*` globs of what it is about; empty means everything.
    #[serde(
        default,
        rename = "match",
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub matches: Vec<String>,
    /// Higher goes first, within this extension.
    #[serde(default, deserialize_with = "null_as_default")]
    pub priority: i32,
    /// What silence counts as.
    #[serde(default, deserialize_with = "null_as_default")]
    pub on_failure: OnFailure,
    /// Names the subscription, for `unsubscribe`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// What a listener's timeout, crash or nonsense counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// No opinion.
    #[default]
    Allow,
    /// A refusal.
    Block,
    /// A question to the user; a refusal where nobody can be asked.
    Ask,
}

/// `{"type":"unsubscribe","id":"h1"}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unsubscribe {
    /// [`Interception::id`].
    pub id: String,
}
