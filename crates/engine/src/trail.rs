//! What was decided about the last calls, and by whom.
//!
//! Does not know who prints it.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use zeug_hook::{Agent, PermissionSource, Step};
use zeug_stdx::json::RawJson;
use zeug_tool::Origin;
use zeug_transcript::Status;

/// Calls that are remembered (protocol: "kept for the last 200 calls").
const KEPT: usize = 200;

/// The decisions about one call.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The call.
    pub call_id: String,
    /// The tool's name.
    pub tool: String,
    /// Who wanted it.
    pub origin: Origin,
    /// The sub-agent whose call it was; `None` is the main agent.
    pub agent: Option<Agent>,
    /// The arguments as they were wanted, or `Err` with the text when it was no JSON.
    pub asked: Result<RawJson, String>,
    /// The arguments after all rewrites; `None` when nothing was rewritten.
    pub rewritten: Option<RawJson>,
    /// Which listener did what, in order.
    pub steps: Vec<Step>,
    /// Whether and why it was permitted; `None` when it did not come to that.
    pub ruling: Option<Ruling>,
    /// Whether the tool itself was entered.
    pub executed: bool,
    /// How it settled.
    pub status: Status,
}

/// A permission, given or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// `approved`, `denied` or `cancelled`.
    pub decision: &'static str,
    /// Who decided.
    pub source: PermissionSource,
    /// Why, when it was not approved.
    pub reason: Option<String>,
}

/// The last calls, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Trail(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    last: VecDeque<Trace>,
    /// How many there ever were.
    ever: u64,
}

impl Trail {
    pub(crate) fn keep(&self, trace: Trace) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.last.len() == KEPT {
            kept.last.pop_front();
        }
        kept.last.push_back(trace);
        kept.ever += 1;
    }

    pub(crate) fn snapshot(&self) -> Vec<Trace> {
        self.after(0).0
    }

    /// Those that came after the first `seen` ones, as far as they are kept; and how many there
    /// ever were.
    pub(crate) fn after(&self, seen: u64) -> (Vec<Trace>, u64) {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = usize::try_from(kept.ever - seen.min(kept.ever)).unwrap_or(usize::MAX);
        let known = kept.last.len().saturating_sub(fresh);
        (kept.last.iter().skip(known).cloned().collect(), kept.ever)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_is_forgotten() {
        let trail = Trail::default();
        for n in 0..KEPT + 3 {
            trail.keep(Trace {
                call_id: n.to_string(),
                tool: "t".into(),
                origin: Origin::Model,
                agent: None,
                asked: Err(String::new()),
                rewritten: None,
                steps: Vec::new(),
                ruling: None,
                executed: false,
                status: Status::Failed,
            });
        }
        let kept = trail.snapshot();
        assert_eq!(kept.len(), KEPT);
        assert_eq!(kept[0].call_id, "3");
    }
}
