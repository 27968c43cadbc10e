//! The tool `skill`: a model asks for a skill by name and reads it as the result.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;
use tokio::task::spawn_blocking;
use zeug_stdx::json::RawJson;
use zeug_tool::{Annotations, Call, Context, Origin, Spec, Tool};
use zeug_transcript::{Outcome, Status};

use crate::Shelf;

const NAME: &str = "skill";
const DESCRIPTION: &str = "Load a skill: instructions for a certain kind of task. The system \
    prompt lists the names. Load the one that fits before you begin, then follow it.";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    name: String,
}

/// The tool.
pub struct SkillTool {
    spec: Spec,
    shelf: Shelf,
}

impl SkillTool {
    /// A tool that hands out what is on the shelf at the time of the call.
    #[must_use]
    pub fn new(shelf: Shelf) -> Self {
        let schema = json!({
            "type": "object",
            "properties": {"name": {"type": "string", "description": "The skill's name."}},
            "required": ["name"],
            "additionalProperties": false,
        });
        let mut spec = Spec::built_in(NAME, DESCRIPTION, RawJson::from_value(&schema));
        spec.annotations = Annotations {
            read_only: true,
            idempotent: true,
            ..Annotations::default()
        };
        Self { spec, shelf }
    }
}

#[async_trait]
impl Tool for SkillTool {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    async fn execute(&self, call: &Call, cx: &Context) -> Outcome {
        let args: Args = match call.args.view() {
            Ok(args) => args,
            Err(why) => return Outcome::failed(format!("{NAME}: the arguments do not fit: {why}")),
        };
        let skills = self.shelf.now();
        let for_model = cx.origin == Origin::Model;
        let reading = spawn_blocking(move || skills.want(&args.name, for_model)?.render());
        let cancelled = || Outcome::text(Status::Cancelled, format!("{NAME}: cancelled"));
        tokio::select! {
            biased;
            () = cx.cancel.cancelled() => cancelled(),
            read = reading => match read {
                Ok(Ok(text)) => Outcome::ok(text),
                Ok(Err(error)) => Outcome::failed(format!("{NAME}: {error}")),
                Err(why) if why.is_panic() => {
                    Outcome::failed(format!("{NAME}: the work stopped by a bug in zeug"))
                }
                // The runtime is going down.
                Err(_) => cancelled(),
            },
        }
    }
}
