//! What was measured, in order of size.

use std::time::Duration;

/// Measurements of one thing: nanoseconds or bytes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    pub(crate) fn new(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    /// Times, as nanoseconds.
    pub(crate) fn of_times(times: impl IntoIterator<Item = Duration>) -> Self {
        Self::new(times.into_iter().map(|t| t.as_nanos() as f64).collect())
    }

    /// Of a batch to each of its `count` parts.
    pub(crate) fn per(self, count: usize) -> Self {
        Self(self.0.into_iter().map(|v| v / count as f64).collect())
    }

    pub(crate) fn median(&self) -> f64 {
        self.at(0.5)
    }

    pub(crate) fn p90(&self) -> f64 {
        self.at(0.9)
    }

    /// The nearest rank; 0 when nothing was measured.
    fn at(&self, share: f64) -> f64 {
        let rank = (self.0.len() as f64 * share).ceil() as usize;
        self.0.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_the_nearest() {
        let check = |count: u32, median: f64, p90: f64| {
            let samples = Samples::new((1..=count).rev().map(f64::from).collect());
            assert_eq!(
                (samples.median(), samples.p90()),
                (median, p90),
                "{samples:?}"
            );
        };
        check(0, 0.0, 0.0);
        check(1, 1.0, 1.0);
        check(5, 3.0, 5.0);
        check(10, 5.0, 9.0);
        check(100, 50.0, 90.0);
    }
}
