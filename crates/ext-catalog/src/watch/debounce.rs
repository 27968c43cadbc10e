//! Many changes in a row are one. Pure: the time is given in.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::Changed;

/// Quiet that has to follow a change.
const QUIET: Duration = Duration::from_millis(100);
/// A change is told after so long even if it goes on.
const PATIENCE: Duration = Duration::from_secs(2);

/// Changes that have not been told.
#[derive(Debug, Default)]
pub(super) struct Debounce {
    /// When each began, and when it was seen last.
    seen: BTreeMap<Changed, (Instant, Instant)>,
}

impl Debounce {
    pub(super) fn note(&mut self, changed: Changed, now: Instant) {
        let (_, last) = self.seen.entry(changed).or_insert((now, now));
        *last = now;
    }

    /// When there is something to tell.
    pub(super) fn next(&self) -> Option<Instant> {
        self.seen.values().map(due).min()
    }

    /// What is to be told now.
    pub(super) fn take(&mut self, now: Instant) -> BTreeSet<Changed> {
        let is_due = |_: &Changed, seen: &mut (Instant, Instant)| due(seen) <= now;
        self.seen
            .extract_if(.., is_due)
            .map(|(changed, _)| changed)
            .collect()
    }
}

fn due((first, last): &(Instant, Instant)) -> Instant {
    (*last + QUIET).min(*first + PATIENCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_told_once_when_it_is_over() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let one = || Changed::One("a".to_owned());
        let mut debounce = Debounce::default();
        assert_eq!(debounce.next(), None);
        for ms in [0, 60, 120] {
            debounce.note(one(), at(ms));
        }
        debounce.note(Changed::All, at(150));
        assert_eq!(debounce.next(), Some(at(220)));
        assert!(debounce.take(at(219)).is_empty());
        assert_eq!(debounce.take(at(220)), BTreeSet::from([one()]));
        assert_eq!(debounce.take(at(250)), BTreeSet::from([Changed::All]));
        assert_eq!(debounce.next(), None);
    }

    #[test]
    fn what_never_rests_is_told_all_the_same() {
        let start = Instant::now();
        let mut debounce = Debounce::default();
        for ms in (0..=1990).step_by(10) {
            debounce.note(Changed::All, start + Duration::from_millis(ms));
        }
        assert_eq!(debounce.next(), Some(start + PATIENCE));
    }
}
