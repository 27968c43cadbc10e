//! Who is asked at a moment, in which order, and what its silence means.

use std::time::Duration;

use async_trait::async_trait;
use thiserror::Error;
use zeug_stdx::claims::Order;

use crate::{Agent, Moment};

/// What a failed listener counts as. A well-formed refusal wins over all of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFailure {
    /// No opinion.
    #[default]
    Allow,
    /// A refusal.
    Block,
    /// A question to the user.
    Ask,
}

/// The subjects a subscription wants: all, or names with `*` for any run of characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matcher(Vec<String>);

impl Matcher {
    /// Matches any of `patterns`; none at all matches everything.
    #[must_use]
    pub fn any_of(patterns: Vec<String>) -> Self {
        Self(patterns)
    }

    /// Whether `subject` is wanted.
    #[must_use]
    pub fn matches(&self, subject: &str) -> bool {
        self.0.is_empty()
            || self
                .0
                .iter()
                .any(|p| glob(p.as_bytes(), subject.as_bytes()))
    }
}

/// Linear-time glob with `*` only: remembers the last star and never backtracks past it.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p) == Some(&text[t]) {
            p += 1;
            t += 1;
        } else if let Some((star_p, star_t)) = star {
            p = star_p + 1;
            t = star_t + 1;
            star = Some((star_p, t));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|b| *b == b'*')
}

/// What the chain knows about a listener.
#[derive(Debug, Clone)]
pub struct Meta {
    /// The extension's name.
    pub extension: String,
    /// The extension's place in load order.
    pub order: Order,
    /// Higher goes first within one extension.
    pub priority: i32,
    /// Order of subscription within one extension.
    pub seq: u64,
    /// Names the subscription.
    pub id: Option<String>,
    /// What it wants to be asked about.
    pub matcher: Matcher,
    /// What its silence means.
    pub on_failure: OnFailure,
}

impl Meta {
    /// The sort key of the one order that holds everywhere.
    #[must_use]
    pub fn rank(&self) -> (Order, std::cmp::Reverse<i32>, u64) {
        (self.order, std::cmp::Reverse(self.priority), self.seq)
    }
}

/// Why a listener has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Silence {
    /// Its deadline passed.
    #[error("no answer within {0:?}")]
    TimedOut(Duration),
    /// It went away.
    #[error("{0}")]
    Gone(String),
    /// It answered something that is no answer.
    #[error("{0}")]
    Nonsense(String),
}

/// Somebody who is asked.
#[async_trait]
pub trait Listener<M: Moment>: Send + Sync {
    /// Who it is.
    fn meta(&self) -> &Meta;

    /// How long it may take, counted from the moment it is asked.
    fn deadline(&self) -> Duration {
        M::DEADLINE
    }

    /// Asks. The chain enforces the deadline.
    ///
    /// # Cancel safety
    /// Dropping the future withdraws the question; a late answer is ignored.
    async fn ask(&self, facts: &M::Facts, value: &M::Value) -> Result<M::Answer, Silence>;

    /// Asks about something in a sub-agent. Whoever does not care in which agent it is answers as
    /// always, so that a guard guards all of them.
    ///
    /// # Cancel safety
    /// As for [`Listener::ask`].
    async fn ask_in(
        &self,
        _agent: &Agent,
        facts: &M::Facts,
        value: &M::Value,
    ) -> Result<M::Answer, Silence> {
        self.ask(facts, value).await
    }

    /// Told that its answer did not count and why, for its own records; must return at once. Not
    /// told when nobody waits for the answer any more.
    fn failed(&self, _silence: &Silence) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        let check = |pattern: &str, text: &str, expect: bool| {
            let m = Matcher::any_of(vec![pattern.to_owned()]);
            assert_eq!(m.matches(text), expect, "{pattern} on {text}");
        };
        check("bash", "bash", true);
        check("bash", "bash2", false);
        check("mcp_*", "mcp_github_pr", true);
        check("*_pr", "mcp_github_pr", true);
        check("m*g*r", "mcp_github_pr", true);
        check("*", "", true);
        check("a*b*a", "abaab", false);
        assert!(Matcher::default().matches("anything"));
    }

    #[test]
    fn a_hostile_pattern_takes_no_exponential_time() {
        let pattern = "a*".repeat(200) + "b";
        let text = "a".repeat(5000);
        assert!(!Matcher::any_of(vec![pattern]).matches(&text));
    }
}
