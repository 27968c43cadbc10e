//! Arguments are JSON, and fit the tool's schema: before anybody is asked, and after a rewrite.
//!
//! Does not know what the arguments mean.

use zeug_stdx::json::RawJson;
use zeug_stdx::text;
use zeug_tool::Entry;
use zeug_transcript::Outcome;

use super::Open;

/// The arguments as JSON.
pub(super) fn parsed(open: &Open) -> Result<RawJson, Outcome> {
    open.args.clone().map_err(|raw| {
        let why = match RawJson::parse(raw.as_str()) {
            Err(error) => error.to_string(),
            Ok(_) => "not understood".to_owned(),
        };
        Outcome::failed(format!(
            "the arguments of {} are not valid JSON ({why}): {}. Call it again with one JSON object",
            open.tool,
            text::one_line(&raw, 200)
        ))
    })
}

/// Whether the arguments fit; `rewritten_by` names who had a hand in them.
pub(super) fn check(
    entry: &Entry,
    args: &RawJson,
    rewritten_by: Option<&str>,
) -> Result<(), Outcome> {
    entry.schema.check(args).map_err(|violation| {
        let name = &entry.tool.spec().name;
        Outcome::failed(match rewritten_by {
            None => format!(
                "the arguments of {name} do not fit its schema at {violation}. \
                 Call it again with arguments that fit"
            ),
            Some(by) => format!(
                "the arguments of {name} as the extension {by} rewrote them do not fit its schema \
                 at {violation}. The call as you wrote it was in order; the user can look at {by}"
            ),
        })
    })
}
