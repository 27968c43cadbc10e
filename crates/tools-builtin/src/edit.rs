//! `edit`: exact replacements in one text file.
//!
//! Does not know how texts are matched (`matching`) or how a file is replaced safely (`replace`).

mod matching;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use zeug_tool::{Annotations, Call, Context, Spec, Tool};
use zeug_transcript::Outcome;

pub(crate) use self::matching::Mismatch;
use self::matching::{Edited, Replacement};
use crate::args;
use crate::blocking;
use crate::diff;
use crate::failure::{Failure, settle};
use crate::place::{Place, Roots};
use crate::replace::{Target, Turn};

/// The largest file that is edited: it is held in memory several times.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

const NAME: &str = "edit";
const DESCRIPTION: &str = "Change a text file by exact replacements. Each old_text must occur \
    exactly once in the file as it is now, and no two may overlap; include enough lines around a \
    change to make it unique. All edits are applied or none. Answers with a diff.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The file, relative to the project directory or absolute.
    path: String,
    /// The replacements, each with old_text and new_text.
    #[schemars(length(min = 1))]
    edits: Vec<Replacement>,
}

/// The tool.
pub(crate) struct Edit {
    spec: Spec,
    roots: Roots,
    turn: Turn,
}

impl Edit {
    pub(crate) fn new(roots: Roots, turn: Turn) -> Self {
        let mut spec = Spec::built_in(NAME, DESCRIPTION, args::schema::<Args>());
        spec.annotations = Annotations {
            destructive: true,
            ..Annotations::default()
        };
        Self { spec, roots, turn }
    }

    fn parse(&self, call: &Call, cx: &Context) -> Result<(Place, Vec<Replacement>), Failure> {
        let args: Args = args::parse(call)?;
        Ok((self.roots.place(cx, &args.path)?, args.edits))
    }

    async fn run(&self, call: &Call, cx: &Context) -> Result<String, Failure> {
        let (place, edits) = self.parse(call, cx)?;
        let turn = self.turn.clone();
        blocking::change(cx, move |stop| {
            let _turn = turn.take();
            let (target, edited) = apply(&place, &edits)?;
            target.put(edited.file.as_bytes(), stop)?;
            Ok(show(&place, &edited))
        })
        .await
    }

    async fn show(&self, call: &Call, cx: &Context) -> Result<String, Failure> {
        let (place, edits) = self.parse(call, cx)?;
        blocking::look(cx, move |_| {
            let (_, edited) = apply(&place, &edits)?;
            Ok(show(&place, &edited))
        })
        .await
    }
}

#[async_trait]
impl Tool for Edit {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    async fn preview(&self, call: &Call, cx: &Context) -> Result<Option<String>, String> {
        self.show(call, cx)
            .await
            .map(Some)
            .map_err(|failure| failure.sentence(NAME))
    }

    async fn execute(&self, call: &Call, cx: &Context) -> Outcome {
        settle(NAME, self.run(call, cx).await)
    }
}

/// What the edits make of the file; nothing is written.
fn apply<'a>(place: &'a Place, edits: &[Replacement]) -> Result<(Target<'a>, Edited), Failure> {
    let target = Target::at(place)?;
    let bytes = target.len().ok_or_else(|| place.missing())?;
    if bytes > MAX_FILE_BYTES {
        return Err(Failure::TooBig {
            shown: place.shown.clone(),
            bytes,
            limit: MAX_FILE_BYTES,
            next: "use bash, for example `sed`",
        });
    }
    let bytes = target.read()?;
    if bytes.contains(&0) {
        return Err(Failure::Binary(place.shown.clone()));
    }
    let text = String::from_utf8(bytes).map_err(|_| Failure::NotUtf8(place.shown.clone()))?;
    let edited = matching::apply(&text, edits).map_err(|why| Failure::Edit {
        shown: place.shown.clone(),
        why,
    })?;
    Ok((target, edited))
}

fn show(place: &Place, edited: &Edited) -> String {
    diff::unified(&edited.before, &edited.after, &place.shown)
}
