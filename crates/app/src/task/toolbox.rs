//! The tools of a sub-agent: those of its agent that its profile allows and that need no person.
//!
//! Does not know `task` itself, which is put in for each agent anew.

use std::collections::BTreeSet;

use zeug_stdx::claims::Order;
use zeug_tool::{Exposure, Filter, Source, Table};

use super::{Profile, TASK};

/// A table of its own, with what `from` has now. Tools that an extension registers later are for
/// later sub-agents.
pub(super) fn pack(from: &Table, profile: Option<&Profile>) -> Table {
    let table = Table::new(Filter::All);
    let offered: BTreeSet<String> = from
        .offered()
        .iter()
        .map(|entry| entry.tool.spec().name.clone())
        .collect();
    for (name, owner) in from.names() {
        let allowed = profile.is_none_or(|profile| profile.allows(&name));
        let Some(entry) = from.lookup(&name).filter(|_| allowed && name != TASK) else {
            continue;
        };
        let spec = entry.tool.spec();
        if spec.interactive {
            continue;
        }
        let order = match &spec.source {
            Source::BuiltIn => Order::BUILT_IN,
            Source::Extension(_) => Order(1),
        };
        let deferred = spec.exposure == Exposure::Deferred;
        if let Err(error) = table.register(&owner, order, entry.tool) {
            tracing::warn!(%name, %error, "a sub-agent goes without this tool");
        } else if deferred && offered.contains(&name) {
            table.activate([name.as_str()]);
        }
    }
    table
}
