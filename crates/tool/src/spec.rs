//! What a tool says about itself, and the trait behind which it runs.

use async_trait::async_trait;
use zeug_stdx::json::RawJson;
use zeug_transcript::Outcome;

use crate::{Call, Context};

/// Where a tool comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Part of zeug.
    BuiltIn,
    /// Registered by the extension of this name.
    Extension(String),
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built in"),
            Self::Extension(name) => write!(f, "extension {name}"),
        }
    }
}

/// Where a tool may be called from. The words are those of `register_tool.exposure`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Exposure {
    /// Offered to the model, callable from scripts too.
    #[default]
    Direct,
    /// Callable from scripts only.
    Codemode,
    /// Offered to the model once it was activated.
    Deferred,
    /// Offered to the model, not callable from scripts.
    ModelOnly,
}

/// What a tool claims about its effects. It informs the approval policy and is never trusted to
/// skip an approval that the user asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Annotations {
    /// Changes nothing.
    pub read_only: bool,
    /// May destroy something.
    pub destructive: bool,
    /// Running it twice is like running it once.
    pub idempotent: bool,
}

/// The namespace of the tools of zeug.
const BUILT_IN: &str = "zeug";

/// What a tool says about itself.
#[derive(Debug, Clone)]
pub struct Spec {
    /// `[A-Za-z0-9_-]+`, compared exactly.
    pub name: String,
    /// For the model.
    pub description: String,
    /// JSON Schema of the arguments, an object schema.
    pub schema: RawJson,
    /// Who offers it.
    pub source: Source,
    /// What it claims about its effects.
    pub annotations: Annotations,
    /// Waits for a person; runs only where a face can show its panel.
    pub interactive: bool,
    /// May run at the same time as calls beside it in one message of the model, when their tools
    /// say so as well. Their results still stand in the order of the calls.
    pub concurrent: bool,
    /// Where it may be called from.
    pub exposure: Exposure,
    /// JSON Schema of the structured result, for scripts.
    pub output_schema: Option<RawJson>,
    /// The group in which scripts find it.
    pub namespace: Namespace,
}

/// A group of tools, for scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Namespace {
    /// What it is called.
    pub name: String,
    /// What its tools are about.
    pub description: String,
    /// How to use them.
    pub instructions: String,
}

impl Namespace {
    /// A group of which nothing more is said.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: String::new(),
            instructions: String::new(),
        }
    }
}

impl Spec {
    /// A built-in tool without annotations.
    #[must_use]
    pub fn built_in(name: &str, description: &str, schema: RawJson) -> Self {
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            schema,
            source: Source::BuiltIn,
            annotations: Annotations::default(),
            interactive: false,
            concurrent: false,
            exposure: Exposure::Direct,
            output_schema: None,
            namespace: Namespace::named(BUILT_IN),
        }
    }
}

/// A tool that can be run.
#[async_trait]
pub trait Tool: Send + Sync {
    /// What it says about itself; the same value for as long as it is in the table.
    fn spec(&self) -> &Spec;

    /// What the call would do, for whoever is asked to approve it: a command line, a diff.
    ///
    /// # Errors
    /// A sentence that says why the call cannot work; the call is then refused without being run.
    async fn preview(&self, _call: &Call, _cx: &Context) -> Result<Option<String>, String> {
        Ok(None)
    }

    /// Runs the call. A failure is an [`Outcome`], never a panic or an `Err`.
    ///
    /// # Cancel safety
    /// When `cx.cancel` fires the tool stops what it started and answers `Cancelled`; the caller
    /// may also drop the future, which must end the work as well.
    async fn execute(&self, call: &Call, cx: &Context) -> Outcome;
}
