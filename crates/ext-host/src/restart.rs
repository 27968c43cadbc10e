//! `"restart": "on-crash"`: when to start an extension again, and when to give it up. Pure.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(30);
const WINDOW: Duration = Duration::from_secs(300);
const CRASHES: usize = 5;

/// The crashes of one extension.
#[derive(Debug, Default)]
pub(crate) struct Restarts {
    crashes: VecDeque<Instant>,
    next_delay: Option<Duration>,
}

impl Restarts {
    /// A crash happened: how long to wait before the next start, or `None` to give up.
    pub(crate) fn crashed(&mut self, now: Instant) -> Option<Duration> {
        while self
            .crashes
            .front()
            .is_some_and(|at| now.duration_since(*at) >= WINDOW)
        {
            self.crashes.pop_front();
        }
        if self.crashes.is_empty() {
            self.next_delay = None;
        }
        self.crashes.push_back(now);
        if self.crashes.len() >= CRASHES {
            return None;
        }
        let delay = self.next_delay.unwrap_or(FIRST);
        self.next_delay = Some((delay * 2).min(LONGEST));
        Some(delay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_and_the_fifth_crash_in_five_minutes_ends_it() {
        let mut restarts = Restarts::default();
        let t = Instant::now();
        let delays: Vec<_> = (0..5)
            .map(|i| restarts.crashed(t + Duration::from_secs(i)))
            .collect();
        let s = |n| Some(Duration::from_secs(n));
        assert_eq!(delays, [s(1), s(2), s(4), s(8), None]);
    }

    #[test]
    fn old_crashes_are_forgiven() {
        let mut restarts = Restarts::default();
        let t = Instant::now();
        for i in 0..20 {
            let delay = restarts.crashed(t + WINDOW * i);
            assert_eq!(delay, Some(FIRST));
        }
    }
}
