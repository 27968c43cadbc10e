//! `grep`: lines of files by a regular expression.
//!
//! Does not know how one file is searched (`grep/file`) or which files there are (`search`).

mod file;

use std::ops::ControlFlow;

use async_trait::async_trait;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use ignore::DirEntry;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use zeug_stdx::text;
use zeug_tool::{Annotations, Call, Context, Spec, Tool};
use zeug_transcript::Outcome;

use self::file::Searcher;
use crate::args;
use crate::blocking;
use crate::failure::{Failure, settle};
use crate::page::Page;
use crate::place::{Place, Roots};
use crate::search::{self, Names};

/// The most matching lines when the call does not say.
const DEFAULT_LIMIT: usize = 100;
/// The most matching lines.
const MAX_LIMIT: usize = 1000;
/// The most lines around a match.
const MAX_CONTEXT: usize = 50;

const NAME: &str = "grep";
const DESCRIPTION: &str = "Search the lines of files for a regular expression (Rust syntax). \
    Answers with path:line:text, lines around a match as path-line-text. What .gitignore names, \
    hidden files and binary files are left out.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The regular expression, matched line by line.
    pattern: String,
    /// The file or directory to search, by default the project directory.
    path: Option<String>,
    /// Only files that match this pattern, such as *.rs or src/**/*.ts.
    glob: Option<String>,
    /// Whether upper and lower case are the same.
    ignore_case: Option<bool>,
    /// How many lines to show before and after each match.
    #[schemars(range(max = 50))]
    context: Option<usize>,
    /// The most matching lines, by default 100.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
    /// Whether to search hidden files; by default when glob names one.
    hidden: Option<bool>,
}

struct Search {
    pattern: String,
    matcher: RegexMatcher,
    names: Option<Names>,
    context: usize,
    limit: usize,
    hidden: bool,
}

/// The tool.
pub(crate) struct Grep {
    spec: Spec,
    roots: Roots,
}

impl Grep {
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
        let names = args.glob.as_deref().map(Names::parse).transpose()?;
        let by_name = names.as_ref().is_some_and(Names::names_hidden);
        let search = Search {
            matcher: matcher(&args.pattern, args.ignore_case.unwrap_or(false))?,
            pattern: args.pattern,
            names,
            context: args.context.unwrap_or(0).min(MAX_CONTEXT),
            limit: args.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT),
            hidden: args.hidden.unwrap_or(by_name),
        };
        blocking::look(cx, move |stop| find(&place, &search, stop)).await
    }
}

#[async_trait]
impl Tool for Grep {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    async fn execute(&self, call: &Call, cx: &Context) -> Outcome {
        settle(NAME, self.run(call, cx).await)
    }
}

fn matcher(pattern: &str, ignore_case: bool) -> Result<RegexMatcher, Failure> {
    RegexMatcherBuilder::new()
        .case_insensitive(ignore_case)
        // `^` and `$` stand for the ends of a line, carriage return or not.
        .multi_line(true)
        .crlf(true)
        .build(pattern)
        .map_err(|why| Failure::Pattern {
            pattern: text::one_line(pattern, 200),
            why: format!("{why}; put a backslash before characters that are meant literally"),
        })
}

fn find(place: &Place, search: &Search, stop: &CancellationToken) -> Result<String, Failure> {
    let meta = place
        .path
        .metadata()
        .map_err(|why| place.failure("search", why))?;
    if !meta.is_dir() && !meta.is_file() {
        return Err(Failure::Special(place.shown.clone()));
    }
    let mut searcher = Searcher::new(&search.matcher, search.context, search.limit, stop);
    let mut page = Page::default();
    let (mut files, mut failed) = (0u64, 0u64);
    let unreadable = search::walk(place, search.hidden, stop, |entry| {
        // A link is searched when it was named, not when it was met on the way.
        let is_file = match entry.depth() {
            0 => meta.is_file(),
            _ => entry.file_type().is_some_and(|kind| kind.is_file()),
        };
        if !is_file || !search.wants(place, entry) {
            return Ok(ControlFlow::Continue(()));
        }
        files += 1;
        let shown = place.write_down(entry.path());
        if let Err(why) = searcher.search(entry.path(), &shown, &mut page) {
            blocking::go_on(stop)?;
            tracing::debug!(%why, path = %entry.path().display(), "not searched");
            failed += 1;
        }
        Ok(if searcher.is_full() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    })?;
    let more = searcher.is_full().then(|| stopped(searcher.matches()));
    let text = match page.lines() {
        0 => format!(
            "no match for {} in {} ({files} files searched)",
            text::one_line(&search.pattern, 200),
            place.shown
        ),
        _ => page.into_text(),
    };
    let unreadable = search::unreadable(unreadable + failed);
    Ok(search::with_notes(text, more.into_iter().chain(unreadable)))
}

impl Search {
    /// Whether the file is one of those that `glob` chooses; a file that was named always is.
    fn wants(&self, place: &Place, entry: &DirEntry) -> bool {
        let below = entry.path().strip_prefix(&place.path);
        entry.depth() == 0
            || self
                .names
                .as_ref()
                .is_none_or(|names| names.matches(below.unwrap_or(entry.path())))
    }
}

fn stopped(matches: usize) -> String {
    format!(
        "stopped after {matches} matches; narrow pattern, path or glob, or raise limit (at most {MAX_LIMIT})"
    )
}
