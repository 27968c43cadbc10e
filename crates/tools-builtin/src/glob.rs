//! `glob`: paths by a file name pattern.
//!
//! Does not look into files. The order is by path, parents before children, so that the same
//! question has the same answer whatever was touched last.

use std::ops::ControlFlow;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use zeug_stdx::text;
use zeug_tool::{Annotations, Call, Context, Spec, Tool};
use zeug_transcript::Outcome;

use crate::args;
use crate::blocking;
use crate::failure::{Failure, settle};
use crate::page::{MAX_LINES, Page};
use crate::place::{Place, Roots};
use crate::search::{self, Names};

/// The most paths when the call does not say.
const DEFAULT_LIMIT: usize = 200;
/// Paths are longer on no system that is known.
const MAX_PATH_BYTES: usize = 4096;

const NAME: &str = "glob";
const DESCRIPTION: &str = "Find files and directories by a pattern such as *.rs, src/**/*.ts or \
    ./*. A pattern without a slash matches names at any depth. Sorted by path; directories end \
    with a slash; what .gitignore names and hidden entries are left out.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The pattern: * ? ** [] {}.
    pattern: String,
    /// The directory to search, by default the project directory.
    path: Option<String>,
    /// The most paths, by default 200.
    #[schemars(range(min = 1, max = 2000))]
    limit: Option<usize>,
    /// Whether to include hidden entries; by default when the pattern names one.
    hidden: Option<bool>,
}

struct Search {
    pattern: String,
    names: Names,
    limit: usize,
    hidden: bool,
}

/// The tool.
pub(crate) struct Glob {
    spec: Spec,
    roots: Roots,
}

impl Glob {
    pub(crate) fn new(roots: Roots) -> Self {
        let mut spec = Spec::built_in(NAME, DESCRIPTION, args::schema::<Args>());
        spec.annotations = Annotations {
            read_only: true,
            idempotent: true,
            ..Annotations::default()
        };
        Self { spec, roots }
    }

    async fn run(&self, call: &Call, cx: &Context) -> Result<String, Failure> {
        let args: Args = args::parse(call)?;
        let place = self.roots.place_or_cwd(cx, args.path.as_deref())?;
        let names = Names::parse(&args.pattern)?;
        let search = Search {
            pattern: args.pattern,
            limit: args.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LINES),
            hidden: args.hidden.unwrap_or(names.names_hidden()),
            names,
        };
        blocking::look(cx, move |stop| find(&place, &search, stop)).await
    }
}

#[async_trait]
impl Tool for Glob {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    async fn execute(&self, call: &Call, cx: &Context) -> Outcome {
        settle(NAME, self.run(call, cx).await)
    }
}

fn find(place: &Place, search: &Search, stop: &CancellationToken) -> Result<String, Failure> {
    let meta = place
        .path
        .metadata()
        .map_err(|why| place.failure("search", why))?;
    if !meta.is_dir() {
        return Err(Failure::NoDirectory(place.shown.clone()));
    }
    let mut page = Page::default();
    let mut more = false;
    let unreadable = search::walk(place, search.hidden, stop, |entry| {
        let below = entry
            .path()
            .strip_prefix(&place.path)
            .unwrap_or(entry.path());
        if entry.depth() == 0 || !search.names.matches(below) {
            return Ok(ControlFlow::Continue(()));
        }
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        let mut line = text::one_line(&place.write_down(entry.path()), MAX_PATH_BYTES);
        if is_dir {
            line.push('/');
        }
        more = page.lines() == search.limit || !page.push(&line);
        Ok(if more {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    })?;
    let count = page.lines();
    let text = match count {
        0 => format!(
            "no path below {} matches {}; what .gitignore names and hidden entries were left out",
            place.shown,
            text::one_line(&search.pattern, 200)
        ),
        _ => page.into_text(),
    };
    let more = more.then(|| {
        format!("stopped after {count} paths; narrow pattern or path, or raise limit (at most {MAX_LINES})")
    });
    let notes = more.into_iter().chain(search::unreadable(unreadable));
    Ok(search::with_notes(text, notes))
}
