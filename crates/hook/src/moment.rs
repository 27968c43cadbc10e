//! What a moment is: fixed facts, a value that listeners may change, and how an answer folds in.

use std::time::Duration;

/// A moment at which listeners are asked.
pub trait Moment: Send + Sync + 'static {
    /// The name in logs and in the decision trail.
    const NAME: &'static str;
    /// How long one listener may take, counted from when its request was queued.
    const DEADLINE: Duration = Duration::from_secs(5);
    /// Whether listeners before the last rewrite are asked once more with the final value, for a
    /// refusal only.
    const SECOND_PASS: bool = false;
    /// Whether listeners may refuse. Where they may not, no failure of theirs is a refusal.
    const REFUSABLE: bool = true;
    /// What is fixed about this occurrence.
    type Facts: Send + Sync;
    /// What listeners may change.
    type Value: Clone + Send + Sync;
    /// What one listener answers.
    type Answer: Send;

    /// What a subscription's `match` is compared with; `None` when the moment has no subject.
    fn subject(_facts: &Self::Facts) -> Option<&str> {
        None
    }

    /// Applies one answer of the listener of `extension`.
    fn fold(value: &mut Self::Value, extension: &str, answer: Self::Answer) -> Fold;
}

/// What an answer did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fold {
    /// Nothing.
    Kept,
    /// It changed the value.
    Changed,
    /// It refused; nobody else is asked.
    Refused(String),
}
