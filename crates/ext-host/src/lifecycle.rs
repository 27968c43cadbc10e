//! Spawned → Greeted → Registering → Ready: a pure state machine over frames and a clock.
//!
//! Knows no process and no pipe; `run` feeds it and obeys it.

use std::time::Duration;

use tokio::time::Instant;

/// How far an extension has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Started; its `hello` is awaited.
    Spawned { by: Instant },
    /// Greeted; nothing came since. A slow start after `hello_ack` is no silence yet.
    Greeted { by: Instant },
    /// Frames come; `ready`, or a silence, ends it.
    Registering { by: Instant, idle_from: Instant },
    /// It takes part.
    Ready(Readiness),
}

/// How an extension became ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readiness {
    /// It said so.
    Said,
    /// It fell silent after its registrations.
    Idle,
    /// Its time was up.
    Late,
}

/// What a moment of time brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// Nothing.
    Nothing,
    /// No `hello` in time: give it up.
    HelloOverdue,
    /// It counts as ready from now on.
    BecameReady(Readiness),
}

#[derive(Debug)]
pub(crate) struct Lifecycle {
    phase: Phase,
    ready: Duration,
    ready_idle: Duration,
}

impl Lifecycle {
    pub(crate) fn spawned(now: Instant, limits: &crate::HostLimits) -> Self {
        Self {
            phase: Phase::Spawned {
                by: now + limits.hello,
            },
            ready: limits.ready,
            ready_idle: limits.ready_idle,
        }
    }

    pub(crate) fn is_ready(&self) -> bool {
        matches!(self.phase, Phase::Ready(_))
    }

    /// `hello_ack` was queued.
    pub(crate) fn greeted(&mut self, now: Instant) {
        self.phase = Phase::Greeted {
            by: now + self.ready,
        };
    }

    /// Some frame other than `ready` arrived.
    pub(crate) fn frame(&mut self, now: Instant) {
        match &mut self.phase {
            Phase::Greeted { by } => {
                self.phase = Phase::Registering {
                    by: *by,
                    idle_from: now,
                };
            }
            Phase::Registering { idle_from, .. } => *idle_from = now,
            Phase::Spawned { .. } | Phase::Ready(_) => {}
        }
    }

    /// `ready` arrived; true when that changed anything.
    pub(crate) fn said_ready(&mut self) -> bool {
        let news = !self.is_ready();
        if news {
            self.phase = Phase::Ready(Readiness::Said);
        }
        news
    }

    /// When [`Self::tick`] has something to say, if nothing arrives before.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        match self.phase {
            Phase::Spawned { by } | Phase::Greeted { by } => Some(by),
            Phase::Registering { by, idle_from } => Some(by.min(idle_from + self.ready_idle)),
            Phase::Ready(_) => None,
        }
    }

    /// Time passed.
    pub(crate) fn tick(&mut self, now: Instant) -> Due {
        if self.deadline().is_none_or(|at| now < at) {
            return Due::Nothing;
        }
        let readiness = match self.phase {
            Phase::Spawned { .. } => return Due::HelloOverdue,
            Phase::Registering { by, .. } if now < by => Readiness::Idle,
            _ => Readiness::Late,
        };
        self.phase = Phase::Ready(readiness);
        Due::BecameReady(readiness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HostLimits;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn fresh() -> (Lifecycle, Instant) {
        let now = Instant::now();
        (Lifecycle::spawned(now, &HostLimits::default()), now)
    }

    #[test]
    fn a_silent_child_is_given_up_after_30_s() {
        let (mut life, t) = fresh();
        assert_eq!(life.deadline(), Some(t + ms(30_000)));
        assert_eq!(life.tick(t + ms(29_999)), Due::Nothing);
        assert_eq!(life.tick(t + ms(30_000)), Due::HelloOverdue);
    }

    #[test]
    fn ready_ends_the_wait() {
        let (mut life, t) = fresh();
        life.greeted(t);
        life.frame(t);
        assert!(life.said_ready());
        assert!(life.is_ready() && life.deadline().is_none());
        assert!(!life.said_ready(), "a second ready is harmless");
        assert_eq!(life.tick(t + ms(99_999)), Due::Nothing);
    }

    #[test]
    fn silence_counts_from_the_first_frame_after_the_greeting() {
        let (mut life, t) = fresh();
        life.greeted(t);
        assert_eq!(life.tick(t + ms(5_000)), Due::Nothing, "a slow start");
        life.frame(t + ms(5_000));
        life.frame(t + ms(5_200));
        assert_eq!(life.tick(t + ms(5_449)), Due::Nothing);
        assert_eq!(life.tick(t + ms(5_450)), Due::BecameReady(Readiness::Idle));
    }

    #[test]
    fn a_chatterbox_is_ready_after_10_s() {
        let (mut life, t) = fresh();
        life.greeted(t);
        for i in 0..100 {
            life.frame(t + ms(i * 100));
        }
        assert_eq!(life.deadline(), Some(t + ms(10_000)));
        assert_eq!(life.tick(t + ms(10_000)), Due::BecameReady(Readiness::Late));
    }

    #[test]
    fn a_mute_one_is_ready_after_10_s() {
        let (mut life, t) = fresh();
        life.greeted(t);
        assert_eq!(life.tick(t + ms(10_000)), Due::BecameReady(Readiness::Late));
    }
}
