//! One figure beside another, and the most that their ratio may be.

use serde::Serialize;

use crate::samples::Samples;

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unit {
    Ns,
    Bytes,
}

/// What a ratio and its limit say together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Ok,
    Over,
    /// There is no limit; the row is there to be read.
    Info,
}

/// A line of the table.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) unit: Unit,
    pub(crate) median: f64,
    pub(crate) p90: f64,
    /// What it is compared with.
    pub(crate) against: String,
    pub(crate) against_median: f64,
    pub(crate) against_p90: f64,
    pub(crate) ratio: f64,
    pub(crate) limit: Option<f64>,
    pub(crate) verdict: Verdict,
}

impl Row {
    /// A row without a limit: times of `subject` over times of `baseline`.
    pub(crate) fn new(
        name: impl Into<String>,
        subject: &Samples,
        against: impl Into<String>,
        baseline: &Samples,
    ) -> Self {
        Self {
            name: name.into(),
            unit: Unit::Ns,
            median: subject.median(),
            p90: subject.p90(),
            against: against.into(),
            against_median: baseline.median(),
            against_p90: baseline.p90(),
            ratio: subject.median() / baseline.median(),
            limit: None,
            verdict: Verdict::Info,
        }
    }

    /// The figures are bytes.
    pub(crate) fn bytes(mut self) -> Self {
        self.unit = Unit::Bytes;
        self
    }

    /// The most that the ratio may be.
    pub(crate) fn limit(mut self, limit: f64) -> Self {
        self.limit = Some(limit);
        // Also over when there is no ratio because nothing was measured.
        self.verdict = if self.ratio <= limit {
            Verdict::Ok
        } else {
            Verdict::Over
        };
        self
    }

    pub(crate) fn is_over(&self) -> bool {
        self.verdict == Verdict::Over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_up_to_its_limit_is_fine() {
        let check = |subject: f64, baseline: f64, expect| {
            let row = Row::new(
                "a",
                &Samples::new(vec![subject]),
                "b",
                &Samples::new(vec![baseline]),
            );
            assert_eq!(row.verdict, Verdict::Info);
            assert_eq!(row.limit(3.0).verdict, expect, "{subject} / {baseline}");
        };
        check(6.0, 2.0, Verdict::Ok);
        check(6.1, 2.0, Verdict::Over);
        check(0.0, 0.0, Verdict::Over);
    }
}
