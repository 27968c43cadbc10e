//! `write`: a whole file.
//!
//! Does not know how a file is replaced safely (`replace`) or how a difference is shown (`diff`).

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use zeug_tool::{Annotations, Call, Context, Spec, Tool};
use zeug_transcript::Outcome;

use crate::args;
use crate::blocking;
use crate::diff;
use crate::failure::{Failure, settle};
use crate::page;
use crate::place::{Place, Roots};
use crate::replace::{Target, Turn};

/// Up to this size an existing file is compared with what replaces it.
const MAX_COMPARED_BYTES: u64 = 4 * 1024 * 1024;

const NAME: &str = "write";
const DESCRIPTION: &str = "Create a file or overwrite it with the given content. Parent \
    directories are created. To change a part of a file use edit.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The file, relative to the project directory or absolute.
    path: String,
    /// All of the new content.
    content: String,
}

/// The tool.
pub(crate) struct Write {
    spec: Spec,
    roots: Roots,
    turn: Turn,
}

impl Write {
    pub(crate) fn new(roots: Roots, turn: Turn) -> Self {
        let mut spec = Spec::built_in(NAME, DESCRIPTION, args::schema::<Args>());
        spec.annotations = Annotations {
            destructive: true,
            idempotent: true,
            ..Annotations::default()
        };
        Self { spec, roots, turn }
    }

    fn parse(&self, call: &Call, cx: &Context) -> Result<(Place, String), Failure> {
        let args: Args = args::parse(call)?;
        Ok((self.roots.place(cx, &args.path)?, args.content))
    }

    async fn run(&self, call: &Call, cx: &Context) -> Result<String, Failure> {
        let (place, content) = self.parse(call, cx)?;
        let turn = self.turn.clone();
        blocking::change(cx, move |stop| {
            let _turn = turn.take();
            let target = Target::at(&place)?;
            let before = target.len();
            target.put(content.as_bytes(), stop)?;
            Ok(done(&place, before, content.len() as u64))
        })
        .await
    }

    async fn show(&self, call: &Call, cx: &Context) -> Result<String, Failure> {
        let (place, content) = self.parse(call, cx)?;
        blocking::look(cx, move |_| plan(&place, &content)).await
    }
}

#[async_trait]
impl Tool for Write {
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

fn done(place: &Place, before: Option<u64>, now: u64) -> String {
    let now = page::size(now);
    match before {
        None => format!("created {} ({now})", place.shown),
        Some(before) => format!(
            "overwrote {} ({now}, before {})",
            place.shown,
            page::size(before)
        ),
    }
}

fn plan(place: &Place, content: &str) -> Result<String, Failure> {
    let target = Target::at(place)?;
    let now = page::size(content.len() as u64);
    let Some(before) = target.len() else {
        let head = format!("create {} ({now})", place.shown);
        return Ok(with(head, &diff::bounded(content)));
    };
    let head = format!(
        "overwrite {} ({now}, before {})",
        place.shown,
        page::size(before)
    );
    if before > MAX_COMPARED_BYTES || content.len() as u64 > MAX_COMPARED_BYTES {
        return Ok(head);
    }
    let Ok(old) = String::from_utf8(target.read()?) else {
        return Ok(with(head, "the present content is not text"));
    };
    let change = match diff::unified(&old, content, &place.shown) {
        change if change.is_empty() => "nothing changes".to_owned(),
        change => change,
    };
    Ok(with(head, &change))
}

fn with(head: String, more: &str) -> String {
    format!("{head}\n{more}").trim_end().to_owned()
}
