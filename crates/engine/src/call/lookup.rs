//! From a name to a tool, or to a sentence that helps the model to find one.
//!
//! Does not know who calls.

use zeug_stdx::suggest;
use zeug_tool::{Entry, Table};
use zeug_transcript::Outcome;

/// Names that the sentence lists when none is near.
const LISTED: usize = 20;

/// The tool of this name.
pub(super) fn tool(table: &Table, name: &str) -> Result<Entry, Outcome> {
    if let Some(entry) = table.lookup(name) {
        return Ok(entry);
    }
    let names = table.names();
    if names.iter().any(|(known, _)| known == name) {
        return Err(Outcome::failed(format!(
            "the tool {name} is not allowed in this run; the user chose the tools with --tools or \
             --no-tools. Go on without it"
        )));
    }
    let allowed: Vec<&str> = names
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|name| table.lookup(name).is_some())
        .collect();
    let help = match suggest::nearest(name, allowed.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None if allowed.is_empty() => "there are no tools in this run".to_owned(),
        None => {
            let more = if allowed.len() > LISTED { ", …" } else { "" };
            let some: Vec<&str> = allowed.into_iter().take(LISTED).collect();
            format!("there are: {}{more}", some.join(", "))
        }
    };
    Err(Outcome::failed(format!(
        "there is no tool {name:?}; {help}"
    )))
}
