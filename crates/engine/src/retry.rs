//! How long to wait before the next attempt. Pure: the clock and the provider are elsewhere.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use crate::Limits;

/// The pauses between the attempts at one request: exponential with full jitter, so that many
/// clients of one overloaded provider do not come back together.
#[derive(Debug)]
pub(crate) struct Backoff {
    base: Duration,
    cap: Duration,
    failures: u32,
    random: u64,
}

impl Backoff {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            base: limits.retry_base,
            cap: limits.retry_cap,
            failures: 0,
            // The standard library's hasher keys are its only source of randomness.
            random: limits
                .jitter_seed
                .unwrap_or_else(|| RandomState::new().hash_one(0_u8)),
        }
    }

    /// The pause after one more failure. What the provider asked for wins over chance.
    pub(crate) fn pause(&mut self, retry_after: Option<Duration>) -> Duration {
        self.failures += 1;
        let doubled = 2_u32.saturating_pow(self.failures - 1);
        let ceiling = self.base.saturating_mul(doubled).min(self.cap);
        let jittered = ceiling.mul_f64(self.chance());
        retry_after.unwrap_or(jittered).min(self.cap)
    }

    /// The next number in 0..1 (SplitMix64: tiny, and good enough to spread clients).
    fn chance(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        // 53 bits are what a double holds exactly.
        (z >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(seed: u64) -> Limits {
        Limits {
            jitter_seed: Some(seed),
            ..Limits::default()
        }
    }

    #[test]
    fn pauses_stay_below_a_ceiling_that_doubles_up_to_the_cap() {
        for seed in 0..200 {
            let mut backoff = Backoff::new(&limits(seed));
            for ceiling_ms in [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000] {
                let pause = backoff.pause(None);
                assert!(pause <= Duration::from_millis(ceiling_ms), "{pause:?}");
            }
        }
    }

    #[test]
    fn pauses_are_spread_and_the_seed_fixes_them() {
        let first = |seed| Backoff::new(&limits(seed)).pause(None);
        assert_eq!(first(7), first(7));
        let spread = (0..100).map(first);
        assert!(spread.clone().min() < Some(Duration::from_millis(50)));
        assert!(spread.max() > Some(Duration::from_millis(450)));
    }

    #[test]
    fn the_provider_decides_up_to_the_cap() {
        let mut backoff = Backoff::new(&limits(1));
        let asked = |b: &mut Backoff, s| b.pause(Some(Duration::from_secs(s)));
        assert_eq!(asked(&mut backoff, 7), Duration::from_secs(7));
        assert_eq!(asked(&mut backoff, 600), Duration::from_secs(30));
    }

    #[test]
    fn many_failures_do_not_overflow() {
        let mut backoff = Backoff::new(&limits(1));
        for _ in 0..100 {
            assert!(backoff.pause(None) <= Duration::from_secs(30));
        }
    }
}
