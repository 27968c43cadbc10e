//! How much is measured, and the alternation of a subject with its baseline.

use std::time::{Duration, Instant};

use crate::samples::Samples;

/// How much to measure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// Just enough to see that everything works.
    pub(crate) smoke: bool,
}

impl Effort {
    /// One of two numbers.
    pub(crate) fn pick(self, full: usize, smoke: usize) -> usize {
        if self.smoke { smoke } else { full }
    }

    /// Times two operations in turn, so that whatever else the machine does meets both alike.
    ///
    /// A sample is the mean of a batch that lasts some milliseconds, in nanoseconds.
    pub(crate) fn alternate(
        self,
        mut subject: impl FnMut(),
        mut baseline: impl FnMut(),
    ) -> (Samples, Samples) {
        let rounds = self.pick(80, 2);
        let of_subject = self.batch(&mut subject);
        let of_baseline = self.batch(&mut baseline);
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            left.push(timed(of_subject, &mut subject));
            right.push(timed(of_baseline, &mut baseline));
        }
        (Samples::new(left), Samples::new(right))
    }

    /// How many calls make a batch; finding out warms up.
    fn batch(self, operation: &mut impl FnMut()) -> usize {
        let target = if self.smoke {
            Duration::from_micros(200)
        } else {
            Duration::from_millis(4)
        };
        let mut calls = 1;
        loop {
            let took = Duration::from_nanos(timed(calls, operation) as u64) * calls as u32;
            if took >= target || calls >= 1 << 20 {
                return calls;
            }
            calls *= 2;
        }
    }
}

/// The mean time of one of `calls` calls, in nanoseconds.
fn timed(calls: usize, operation: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        operation();
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}
